import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { callTool } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a control that counts as implemented is unproven without evidence that is approved, has not expired and covers
 * all of it, and says so with the reason wherever its status is told: by itself, in lists and counts, among the links of
 * others, and where it is found.
 */

const DAY = 24 * 60 * 60_000

let one: TestService
let acme: TestOrganization
let editor: Caller
let reviewer: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  editor = await acme.person('editor')
  reviewer = await acme.person('editor')
})
afterAll(() => one.close())

interface Answer {
  readonly id: string
  readonly [field: string]: unknown
}
const call = async (name: string, input: object, caller = editor): Promise<Answer> =>
  (await one.call(caller, name, input)).body as Answer
const rows = async (name: string, input: object): Promise<Answer[]> =>
  (await call(name, input)).data as Answer[]
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const control = (more: object = {}) =>
  call(
    'createControl',
    { code: 'NET-4', title: 'Patching', implementationStatus: 'implemented', ...more },
    acme.admin,
  )
const submitted = async () => {
  const { id } = await call('createEvidence', {
    title: 'Access review',
    text: 'All accounts were reviewed.',
    owner: user(editor),
    reviewer: user(reviewer),
  })
  return call('submitEvidence', { id })
}
const approved = async (more: object = {}) =>
  call('approveEvidence', { id: (await submitted()).id, ...more }, reviewer)
const map = (id: string, controlId: string, more: object = {}) =>
  call('linkEvidence', { id, targetKind: 'control', targetId: controlId, ...more })
const reason = async (id: string) => (await call('getControl', { id })).unprovenReason as string | null
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

test('it is unproven until evidence of it is approved, and again once that has expired', async () => {
  const { id } = await control({ implementationStatus: 'in_progress' })
  expect(await reason(id)).toBeNull()
  expect(await call('updateControl', { id, implementationStatus: 'implemented' })).toMatchObject({
    unproven: true,
    unprovenReason: 'no_evidence',
  })
  const draft = await submitted()
  await map(draft.id, id)
  expect(await reason(id)).toBe('not_approved')
  await call('approveEvidence', { id: draft.id, expiryDate: inDays(1) }, reviewer)
  expect(await call('getControl', { id })).toMatchObject({
    unproven: false,
    unprovenReason: null,
    provenUntil: inDays(1),
  })
  await one.moveClock(3 * DAY)
  expect(await reason(id)).toBe('expired')
  await one.moveClock(-3 * DAY)
  await call('updateEvidence', { id: draft.id, status: 'archived' })
  expect(await reason(id)).toBe('not_approved')
})

test('an agent that lists controls is told with their status', async () => {
  const acme = await one.organization()
  const input = { code: 'NET-9', title: 'Backups', implementationStatus: 'implemented' }
  await one.call(acme.admin, 'createControl', input)
  await one.call(acme.admin, 'createControl', {
    ...input,
    code: 'NET-10',
    implementationStatus: 'not_started',
  })
  const { secret } = await acme.key(['read:controls'])
  const { result } = await callTool(await one.listen(), secret, 'listControls', { sort: 'code' })
  const [claimed, planned] = result.structuredContent.data
  expect(planned).not.toHaveProperty('unproven')
  expect(claimed).toMatchObject({
    implementationStatus: 'implemented',
    unproven: true,
    unprovenReason: 'no_evidence',
  })
})

test('parts of it are no proof of all, however many', async () => {
  const { id } = await control()
  const first = await approved({ expiryDate: inDays(9) })
  await map(first.id, id, { coverage: 'partial', note: 'Page 3' })
  await map((await approved()).id, id, { coverage: 'partial' })
  expect(await call('getControl', { id })).toMatchObject({ unprovenReason: 'partial', provenUntil: null })
  await map(first.id, id, { coverage: 'full' })
  expect(await call('getControl', { id })).toMatchObject({ unproven: false, provenUntil: inDays(9) })
  const forGood = await approved()
  await map(forGood.id, id)
  expect(await call('getControl', { id })).toMatchObject({ unproven: false, provenUntil: null })
})

test('a change of it answers the same', async () => {
  const { id } = await control({ implementationStatus: 'not_started' })
  await map((await approved({ expiryDate: inDays(5) })).id, id)
  await call('updateControl', { id, implementationStatus: 'in_progress' })
  const after = await call('updateControl', { id, implementationStatus: 'implemented' })
  expect(after).toMatchObject({ unproven: false, unprovenReason: null, provenUntil: inDays(5) })
  expect(await call('getControl', { id })).toMatchObject({ unproven: false, provenUntil: inDays(5) })
})

test('lists are filtered by it, and summaries count it', async () => {
  const label = { labels: ['counted'] }
  const open = await control({ ...label, implementationStatus: 'in_progress' })
  const bare = await control(label)
  const proven = await control(label)
  await map((await approved({ expiryDate: inDays(20) })).id, proven.id)
  const found = async (filters: object) =>
    (await rows('listControls', { ...label, ...filters })).map(({ id }) => id).toSorted()
  expect(await found({ unproven: [true] })).toEqual([bare.id])
  expect(await found({ unproven: [false] })).toEqual([open.id, proven.id].toSorted())
  expect(await found({ unprovenReason: ['no_evidence'] })).toEqual([bare.id])
  expect(await found({ 'provenUntil.to': inDays(30) })).toEqual([proven.id])
  const { attention } = await call('summarizeControls', { ...label, counted: ['attention'] })
  expect(attention).toEqual({ unproven: 1 })
})

test('it is told where the control is linked and found, as it is at that moment', async () => {
  const { id } = await control({ title: 'Gateways are patched weekly' })
  const { id: risk } = await call('createRisk', { title: 'Gateways are taken over' })
  await call('linkRisk', { id: risk, targetKind: 'control', targetId: id })
  const proof = await approved({ expiryDate: inDays(2) })
  const told = async () => {
    const [linked] = await rows('listRiskLinks', { id: risk })
    const [found] = await rows('search', { q: 'Gateways are patched weekly' })
    expect([linked!.id, found!.id]).toEqual([id, id])
    expect(found!.attention).toEqual(linked!.attention)
    return linked!.attention
  }
  const unproven = (why: string) => [{ flag: 'unproven', reason: why }]
  expect(await told()).toEqual(unproven('no_evidence'))
  await map(proof.id, id)
  expect(await told()).toEqual([])
  await one.moveClock(4 * DAY)
  expect(await told()).toEqual(unproven('expired'))
  await one.moveClock(-4 * DAY)
  await map(proof.id, id, { coverage: 'partial' })
  expect(await told()).toEqual(unproven('partial'))
  await call('updateControl', { id, implementationStatus: 'in_progress', statusReason: 'New gateways.' })
  expect(await told()).toEqual([])
})

test('evidence of another organization proves nothing', async () => {
  const { id } = await control()
  const other = await one.organization()
  const { id: theirs } = (await one.call(other.admin, 'createEvidence', { title: 'Theirs', text: 'Fine.' }))
    .body as Answer
  await expect(map(theirs, id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await reason(id)).toBe('no_evidence')
})

test('a control is found from its evidence, and its evidence from it', async () => {
  const { id } = await control()
  const { id: evidenceId } = await submitted()
  await map(evidenceId, id, { coverage: 'partial', note: 'Page 3' })
  const ids = async (name: string, input: object) => (await rows(name, input)).map((each) => each.id)
  expect(await ids('listEvidence', { controlId: [id] })).toEqual([evidenceId])
  expect(await ids('listControls', { evidenceId: [evidenceId] })).toEqual([id])
  expect(await rows('listEvidenceLinks', { id: evidenceId })).toMatchObject([
    { id, coverage: 'partial', note: 'Page 3' },
  ])
})
