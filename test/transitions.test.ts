import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf } from '../model/calls.ts'
import { columnOf } from '../model/column-names.ts'
import type { Values } from '../model/complaint.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { isByAction, type StateMachine } from '../model/states.ts'
import { operations } from '../server/operations.ts'
import { coveredKinds } from './support/coverage.ts'
import { makeOfKind } from './support/makers.ts'
import { otherValues } from './support/other-values.ts'
import { formOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Every step between two states of every machine of a kind: taken where the kind says so, and refused elsewhere. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: true })
})
afterAll(() => one.close())

const changed = coveredKinds.filter((kind) => operations.some(({ name }) => name === callsOf(kind).update))
const machines = changed.flatMap((kind) =>
  kind.states.map((machine) => [`${kind.name} ${machine.field}`, kind, machine] as const),
)

describe.each(machines)('%s', (_, kind, machine) => {
  const states = Object.keys(machine.next)

  test('goes by an edit where it says, and nowhere else', async () => {
    for (const from of states)
      for (const to of states.filter((state) => state !== from)) {
        const id = await standing(kind, machine, from)
        const step = `${from} → ${to}`
        const answer = await change(kind, id, { ...(await asked(kind, machine, to)), [machine.field]: to })
        if (machine.next[from]!.includes(to)) {
          expect(answer, step).toMatchObject({ [machine.field]: to })
          continue
        }
        expect(answer, step).toMatchObject({
          code: 'invalid_transition',
          members: { path: machine.field, from, to, allowed: machine.next[from] },
        })
        expect(await read(kind, id), step).toMatchObject({ [machine.field]: from, version: 1 })
      }
  })

  test('asks of each state what it says', async () => {
    for (const to of states) {
      const from = states.find((state) => machine.next[state]!.includes(to))
      // One that an act alone leads to asks it of that.
      if (from === undefined || isByAction(machine, to)) continue
      for (const { fields, message } of machine.asks?.[to] ?? [])
        for (const field of fields) {
          const id = await standing(kind, machine, from)
          const given = { ...(await asked(kind, machine, to)), [field]: undefined, [machine.field]: to }
          expect(await change(kind, id, given), `${to} without ${field}`).toMatchObject({
            code: 'validation_failed',
            members: { errors: [expect.objectContaining({ message })] },
          })
        }
    }
  })
})

/** A record in a state, whatever led there. */
async function standing(kind: Kind, { field }: StateMachine, state: string): Promise<string> {
  const id = await makeOfKind(one, acme.admin, kind)
  const set = [`${columnOf(field)} = $2`, ...(STANDING_WITH[`${kind.name} ${field}`] ?? [])]
  await one.administrator.query(`update ${kind.table} set ${set.join(', ')} where id = $1`, [id, state])
  return id
}

/** What rules of a kind ask beside its data, as it stands in the record. */
const STANDING_WITH: Readonly<Record<string, readonly string[]>> = {
  'security_finding status': ['resolved_at = created_at'],
  'vendor lifecycleStage': ["status = 'approved'"],
}

/** What a state asks for. */
async function asked(
  kind: Kind,
  { field: machine, asks = {} }: StateMachine,
  state: string,
): Promise<Values> {
  const form = formOf(operations.find(({ name }) => name === callsOf(kind).update)!).properties!
  const given: Record<string, unknown> = { ...BESIDE[`${kind.name} ${machine}`] }
  for (const { fields, among } of asks[state] ?? [])
    for (const field of fields)
      given[field] =
        among?.[0] ?? (await ASKED[field]?.()) ?? (await otherValues(one, acme.admin, form[field]!, null))[0]
  return given
}

/** The same, as a step gives it. */
const BESIDE: Readonly<Record<string, Values>> = {
  'control implementationStatus': { statusReason: 'It was taken out.' },
  'vendor lifecycleStage': { stageReason: 'It begins anew.' },
}

/** Where more than its form is asked of a field. */
const ASKED: Readonly<Record<string, () => unknown>> = {
  // Whoever signs in says themselves that it works.
  verifiedBy: () => ({ type: 'user', refId: acme.admin.userId }),
  linkedRiskId: async () => {
    const id = await standing(kinds.risk_acceptance, kinds.risk_acceptance.states[0]!, 'approved')
    return (await read(kinds.risk_acceptance, id)).riskId
  },
}

async function read(kind: Kind, id: string): Promise<Values> {
  return (await one.call(acme.admin, callsOf(kind).get, { id })).body
}

/** @returns the record as it is then, or the refusal */
const change = (kind: Kind, id: string, given: Values): Promise<unknown> =>
  one.call(acme.admin, callsOf(kind).update, { id, ...given }).then(
    ({ body }) => body,
    (error) => error,
  )
