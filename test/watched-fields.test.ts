import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writableFields } from '../model/access.ts'
import { callsOf } from '../model/calls.ts'
import type { Values } from '../model/complaint.ts'
import { givenFields, type Kind, principalFields } from '../model/kind.ts'
import { may } from '../server/caller/rights.ts'
import { operations } from '../server/operations.ts'
import { coveredKinds } from './support/coverage.ts'
import { makeOfKind } from './support/makers.ts'
import { otherValues } from './support/other-values.ts'
import { formOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Each field of each kind, changed alone: what is watched raises one signal with exactly what moved, and what is not
 * raises none.
 */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: true })
})
afterAll(() => one.close())

/** Where its form alone does not tell what a field takes. */
const TAKEN: Readonly<Record<string, () => unknown>> = {
  cveIds: () => ['CVE-2026-1234'],
  cweIds: () => ['CWE-79'],
  cvssVector: () => 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  hostname: () => 'db1.example.com',
  ipAddresses: () => ['192.0.2.7'],
  lei: () => '5493001KJTIIGC8Y1R12',
  contacts: () => [{ name: 'Bo Lind', email: 'bo.lind@example.com' }],
  userId: () => acme.admin.userId,
  phases: () => [{ key: 'scope', title: 'Scope' }],
  locale: () => 'de',
  levels: () => [{ key: 'basic', title: 'Basic' }],
  checklist: () => [{ text: 'The first step' }],
}

/**
 * What no change moves alone: a risk that is assessed goes on with a treatment, or to its end with a reason; a phase is one
 * of a plan, and what comes again is due some day. A framework is activated, and has levels before one is aimed at; a requirement is below another of its framework, and its result
 * is pinned with a reason.
 */
const ONLY_WITH_OTHERS: Readonly<Record<string, readonly string[]>> = {
  risk: ['status'],
  task: ['phaseKey', 'recurrence'],
  framework: ['status', 'implementationGroup'],
  policy: ['status', 'extraApproverIds'],
  policy_version: ['status'],
  requirement: ['parentId', 'result', 'resultReason', 'resultPinned'],
}

const changed = coveredKinds.filter((kind) => operations.some(({ name }) => name === callsOf(kind).update))

test.each(changed)('$name tells of what it watches, and of nothing else', async (kind) => {
  const update = operations.find(({ name }) => name === callsOf(kind).update)!
  const form = formOf(update).properties!
  const writable = writableFields(kind, (needs) => may(acme.admin, needs)) ?? Object.keys(form)
  const fields = Object.keys(givenFields(kind)).filter(
    (field) => field in form && field !== kind.under?.field && writable.includes(field),
  )
  const notAlone: string[] = []
  for (const field of fields) {
    const id = await makeOfKind(one, acme.admin, kind)
    const before = await read(kind, id)
    const taken = TAKEN[field]
    const others = taken ? [taken()] : await otherValues(one, acme.admin, form[field]!, before[field])
    const wasMoved = await moveAlone(kind, id, field, others)
    if (!wasMoved) {
      notAlone.push(field)
      expect(await read(kind, id)).toEqual(before)
      continue
    }
    const moved = movedBetween(kind, before, await read(kind, id))
    expect(Object.keys(moved)).toContain(principalFields(kind).includes(field) ? `${field}Id` : field)
    const isTold = kind.signals.includes('updated') && kind.watch.some((watched) => watched in moved)
    expect(await toldOf(kind, id), field).toEqual(isTold ? [moved] : [])
  }
  expect(notAlone).toEqual(ONLY_WITH_OTHERS[kind.name] ?? [])
})

async function read(kind: Kind, id: string): Promise<Values> {
  return (await one.call(acme.admin, callsOf(kind).get, { id })).body
}

/** @returns whether one of the values was taken */
async function moveAlone(
  kind: Kind,
  id: string,
  field: string,
  values: readonly unknown[],
): Promise<boolean> {
  for (const value of values) {
    const isTaken = await one.call(acme.admin, callsOf(kind).update, { id, [field]: value }).then(
      () => true,
      (error) => {
        if (!['validation_failed', 'invalid_transition', 'conflict'].includes(error.code)) throw error
        return false
      },
    )
    if (isTaken) return true
  }
  return false
}

/** What every write moves, and what says the same once more. */
const UNTOLD = ['version', 'updatedAt', 'updatedBy']

function movedBetween(
  kind: Kind,
  before: Values,
  after: Values,
): Record<string, { from: unknown; to: unknown }> {
  const untold = new Set([...UNTOLD, ...principalFields(kind), ...Object.keys(kind.readings)])
  return Object.fromEntries(
    Object.keys(after).flatMap((field) =>
      untold.has(field) || isDeepStrictEqual(before[field], after[field])
        ? []
        : [[field, { from: before[field], to: after[field] }]],
    ),
  )
}

/** The changes that signals of a change told. */
async function toldOf({ name }: Kind, id: string): Promise<unknown[]> {
  const { rows } = await one.administrator.query(
    'select type, body from signals where subject_id = $1 and type <> $2 order by time',
    [id, `${name}.created`],
  )
  for (const { type } of rows) expect(type).toBe(`${name}.updated`)
  return rows.map(({ body }) => JSON.parse(body).data.changes)
}
