import { afterAll, beforeAll, expect, test } from 'vitest'
import { writableFields } from '../model/access.ts'
import { callsOf } from '../model/calls.ts'
import type { Values } from '../model/complaint.ts'
import { givenFields, type Kind } from '../model/kind.ts'
import { may } from '../server/caller/rights.ts'
import { operations } from '../server/operations.ts'
import type { Refusal } from '../server/refusal.ts'
import { coveredKinds } from './support/coverage.ts'
import { makeOfKind } from './support/makers.ts'
import { bareOf, type Form, formOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Each field of each kind takes what its form says it takes at most and at least, gives it back, and takes nothing
 * beyond: that is refused with the field named, and nothing is written.
 */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: true })
})
afterAll(() => one.close())

/** What has limits that its form alone does not tell, or takes no value without another. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  asset: ['hostname', 'ipAddresses'],
  security_finding: ['cvssVector'],
  policy: ['locale'],
  framework: ['locale', 'implementationGroup'],
  task: ['phaseKey'],
  requirement: ['resultReason'],
}

const changed = coveredKinds.filter((kind) => operations.some(({ name }) => name === callsOf(kind).update))

test.each(changed)('$name', async (kind) => {
  const update = operations.find(({ name }) => name === callsOf(kind).update)!
  const form = formOf(update).properties!
  const id = await makeOfKind(one, acme.admin, kind)
  const writable = writableFields(kind, (needs) => may(acme.admin, needs)) ?? Object.keys(form)
  let count = 0
  for (const field of Object.keys(givenFields(kind))) {
    if (!(field in form) || !writable.includes(field) || OTHERWISE[kind.name]?.includes(field)) continue
    const { within, beyond } = limitsOf(bareOf(form[field]!))
    for (const value of within) {
      const taken = await change(kind, id, { [field]: value })
      expect(taken, `${field} at its limit`).toMatchObject({ [field]: value })
      count += 1
    }
    const before = beyond.length > 0 && (await read(kind, id))
    for (const value of beyond) {
      const refused = (await change(kind, id, { [field]: value })) as unknown as Refusal
      expect(refused, `${field} beyond its limit`).toMatchObject({ code: 'validation_failed' })
      expect((refused.members.errors as { path: string }[])[0]!.path.split('.')[0]).toBe(field)
      expect(await read(kind, id)).toEqual(before)
    }
  }
  expect(count, 'fields have limits').toBeGreaterThan(0)
})

interface Limits {
  readonly within: readonly unknown[]
  readonly beyond: readonly unknown[]
}

const NONE: Limits = { within: [], beyond: [] }

function limitsOf(form: Form): Limits {
  if (form.enum || form.format || form.pattern || form.refersTo) return NONE
  switch (form.type) {
    case 'string': {
      const { maxLength } = form
      if (maxLength === undefined) return NONE
      return { within: ['x'.repeat(maxLength)], beyond: ['x'.repeat(maxLength + 1)] }
    }
    case 'integer':
    case 'number': {
      const least = form.minimum ?? Number.MIN_SAFE_INTEGER
      const most = form.maximum ?? Number.MAX_SAFE_INTEGER
      return {
        within: [least, most].filter(Number.isSafeInteger).filter((limit) => Math.abs(limit) < 2 ** 53 - 1),
        beyond: [least - 1, most + 1],
      }
    }
    case 'array': {
      const items = bareOf(form.items ?? {})
      if (form.maxItems === undefined || items.type !== 'string' || limitsOf(items) === NONE) return NONE
      const list = (length: number) => Array.from({ length }, (_, index) => `item ${index}`)
      return { within: [list(form.maxItems)], beyond: [list(form.maxItems + 1)] }
    }
    default:
      return NONE
  }
}

async function read(kind: Kind, id: string): Promise<Values> {
  return (await one.call(acme.admin, callsOf(kind).get, { id })).body
}

/** @returns the record as it is then, or the refusal */
const change = (kind: Kind, id: string, values: object): Promise<Values> =>
  one.call(acme.admin, callsOf(kind).update, { id, ...values }).then(
    ({ body }) => body,
    (error) => error,
  )
