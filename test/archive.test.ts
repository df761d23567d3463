import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsOf } from '../model/access.ts'
import { callsOf } from '../model/calls.ts'
import { childKinds } from '../model/family.ts'
import type { Kind } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { isForPersons } from '../model/needs.ts'
import { archivingMachine } from '../model/roles.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operations } from '../server/operations.ts'
import { sharedTools } from '../server/records/shared-tools.ts'
import { programOf } from './support/callers.ts'
import { isCovered } from './support/coverage.ts'
import { makeOfKind, makeUnder } from './support/makers.ts'
import { startTestService, type TestService } from './support/service.ts'

/*
 * Promise: whoever may delete a record may archive it. It is left out of lists and counts unless they are asked for it,
 * takes no change with what goes with it, and all of it comes back as it was.
 */

let one: TestService
let admin: Caller
beforeAll(async () => {
  one = await startTestService()
  admin = (await one.organization()).admin
})
afterAll(() => one.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of every form
type Answer = Record<string, any>
const call = async (name: string, input: object, caller = admin) =>
  (await one.call(caller, name, input)).body as unknown as Answer
const refusal = (name: string, input: object) =>
  call(name, input).then(
    () => null,
    (error) => error,
  )
const listed = async (kind: Kind, id: string, filters: object = {}): Promise<boolean> => {
  const { data } = await call(callsOf(kind).list, { limit: 200, ...filters })
  return (data as Answer[]).some((row) => row.id === id)
}
const counted = async (kind: Kind, filters: object = {}) =>
  (await call(callsOf(kind).summarize, { counted: ['total'], ...filters })).total as number

const archivable = everyKind.filter((kind) => needsOf(kind, 'archive'))
const signalsOf = async (id: string): Promise<string[]> => {
  const { rows } = await one.administrator.query(
    'select type from signals where subject_id = $1 order by time',
    [id],
  )
  return rows.map(({ type }) => type)
}

test('those that may be deleted are archived, with the same right, and no others', () => {
  for (const kind of everyKind) {
    const needs = ['archive', 'unarchive', 'delete'].map(
      (verb) => operations.find(({ name }) => name === callsOf(kind)[verb as 'archive'])?.needs,
    )
    expect(new Set(needs).size).toBe(1)
  }
  expect(archivable.map(({ name }) => name)).toEqual(
    everyKind.filter(({ access }) => access.delete).map(({ name }) => name),
  )
})

test.each(archivable.filter(isCovered))('$name is archived and comes back', async (kind) => {
  const { archive, unarchive, get, history, update } = callsOf(kind)
  const id = await makeOfKind(one, admin, kind)
  const before = await call(get, { id })
  const told = await signalsOf(id)
  const [standing, all] = [await counted(kind), await counted(kind, { archived: 'with' })]

  expect(await refusal(archive, { id, ifMatch: before.version + 1 })).toMatchObject({
    code: 'version_mismatch',
  })
  const archived = await call(archive, { id, ifMatch: before.version })
  expect(archived).toMatchObject({ version: before.version + 1, archivedAt: expect.any(String) })
  expect(await call(get, { id })).toEqual(archived)
  // Once more it stays as it is.
  expect(await call(archive, { id })).toEqual(archived)

  expect([await listed(kind, id), await listed(kind, id, { archived: 'only' })]).toEqual([false, true])
  expect(await listed(kind, id, { archived: 'with' })).toBe(true)
  expect([await counted(kind), await counted(kind, { archived: 'with' })]).toEqual([standing - 1, all])

  const refused = await refusal(update, { id, labels: ['another'] })
  expect(refused).toMatchObject({ code: 'conflict', members: { archivedAt: archived.archivedAt } })
  expect(refused.message).toContain(callsOf(kind).unarchive)
  // What was read is sent back, and changes nothing.
  expect(await call(update, { id, labels: before.labels })).toEqual(archived)
  expect(await refusal('createComment', { recordId: id, text: 'And now?' })).toMatchObject({
    code: 'conflict',
  })

  const back = await call(unarchive, { id, ifMatch: archived.version })
  expect(back).toEqual(await call(get, { id }))
  expect(await call(unarchive, { id })).toEqual(back)
  const machine = archivingMachine(kind)
  const moves = ['version', 'updatedAt', 'updatedBy', ...(machine ? [machine.field] : [])]
  const still = Object.fromEntries(Object.entries(before).filter(([field]) => !moves.includes(field)))
  expect(back).toMatchObject({ ...still, version: before.version + 2, archivedAt: null })
  expect(await counted(kind)).toBe(standing)
  await call(update, { id, labels: ['another'] })

  const { data } = await call(history, { id })
  expect((data as { action: string }[]).map(({ action }) => action).slice(1, 3)).toEqual([
    `${kind.name}.unarchive`,
    `${kind.name}.archive`,
  ])
  expect((data as { changes: object }[])[2]!.changes).toHaveProperty('archivedAt', {
    from: null,
    to: archived.archivedAt,
  })
  // No endpoint is told, but of a state that it watches.
  const updates = machine ? [`${kind.name}.updated`, `${kind.name}.updated`] : []
  expect(await signalsOf(id)).toEqual([...told, ...updates])

  await call(archive, { id })
  await call(callsOf(kind).delete, { id })
  expect(await refusal(get, { id })).toMatchObject({ code: 'not_found' })
})

const parents = archivable.filter((kind) =>
  childKinds(kind).some(({ under }) => under.withParent === 'delete'),
)

test.each(parents)('what is under a $name is archived with it and comes back with it', async (parent) => {
  for (const child of childKinds(parent)) {
    const id = await makeUnder(one, admin, `/v1/${child.path}`)
    const { get, create, history } = callsOf(child)
    const made = await call(get, { id })
    const above = made[child.under.field] as string
    await call(callsOf(parent).archive, { id: above })
    const archived = await call(get, { id })
    expect(archived).toMatchObject({
      archivedAt: (await call(callsOf(parent).get, { id: above })).archivedAt,
    })
    expect([await listed(child, id), await listed(child, id, { archived: 'only' })]).toEqual([false, true])
    const { data } = await call(history, { id, limit: 1 })
    expect((data as object[])[0]).toMatchObject({
      action: `${child.name}.archive`,
      reason: `The ${parent.noun.one} was archived`,
    })
    if (archivable.includes(child)) {
      const sample = { ...child.example, [child.under.field]: above }
      expect(await refusal(create, sample)).toMatchObject({ code: 'conflict' })
      expect(await refusal(callsOf(child).unarchive, { id })).toMatchObject({ code: 'conflict' })
    }
    await call(callsOf(parent).unarchive, { id: above })
    expect(await call(get, { id })).toMatchObject({ archivedAt: null, version: made.version + 2 })
  }
})

test('what was archived by itself stays so when its parent comes back', async () => {
  const treatment = await makeUnder(one, admin, '/v1/risk-treatments')
  const { riskId } = (await call('archiveRiskTreatment', { id: treatment })) as unknown as { riskId: string }
  await call('archiveRisk', { id: riskId })
  await call('unarchiveRisk', { id: riskId })
  expect(await listed(everyKind.find(({ name }) => name === 'risk_treatment')!, treatment)).toBe(false)
  await call('unarchiveRiskTreatment', { id: treatment })
})

test('programs archive what they may delete, by one tool', async () => {
  const program = programOf(admin, Object.keys(SCOPES) as Scope[])
  for (const kind of archivable) {
    const id = await makeOfKind(one, admin, kind)
    const archived = await one.call(program, callsOf(kind).archive, { id }).then(
      () => true,
      (error) => error.code,
    )
    expect(archived).toBe(isForPersons(needsOf(kind, 'archive')!) ? 'session_required' : true)
  }
  const tools = operations.flatMap(({ name, sharedTool }) => (sharedTool ? [[name, sharedTool.name]] : []))
  for (const verb of ['archive', 'unarchive'] as const)
    expect(tools.filter(([name]) => name!.startsWith(verb)).map(([, tool]) => tool)).toEqual(
      archivable.map(() => sharedTools[verb].name),
    )
})
