/** Promise: sixteen programs that send the same five hundred records at once make five hundred, each version told once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  await one.call(acme.admin, 'createWebhookEndpoint', {
    ...{ address: 'https://receiver.example/', description: 'all' },
    signalTypes: ['risk.created', 'risk.updated'],
  })
})
afterAll(() => one.close())

const WRITERS = 16
const IDS = 500
const AT_ONCE = 100

type Results = { data: { problem?: object; outcome?: string }[] }

/** In another order for each writer. */
function idsOf(writer: number): string[] {
  const ids = Array.from({ length: IDS }, (_, index) => `shared-${(index + writer * 31) % IDS}`)
  return writer % 2 === 0 ? ids : ids.reverse()
}

test('each record is there once, and each of its versions was told once', async () => {
  const outcomes = new Map<string, number>()
  const write = async (_: unknown, writer: number) => {
    const all = idsOf(writer)
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const records = all
        .slice(at, at + AT_ONCE)
        .map((externalId) => ({ externalId, title: `By writer ${writer}` }))
      const { body } = await one.call(acme.admin, 'createRiskBatch', { mode: 'upsert', records })
      for (const { problem, outcome } of (body as Results).data) {
        expect(problem).toBeUndefined()
        outcomes.set(outcome!, (outcomes.get(outcome!) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  const { rows } = await one.administrator.query(
    `select count(*)::int as records, count(distinct external_id)::int as ids, sum(version)::int as versions,
            (select count(*)::int from signals where organization_id = $1) as signals,
            (select count(distinct body::json->'data'->'record'->>'id' || ' ' || (body::json->'data'->'record'->>'version'))::int
               from signals where organization_id = $1) as told,
            (select count(*)::int from deliveries where organization_id = $1) as deliveries
       from risks where organization_id = $1`,
    [acme.id],
  )
  const written = (outcomes.get('created') ?? 0) + (outcomes.get('changed') ?? 0)
  expect(rows).toEqual([
    { records: IDS, ids: IDS, versions: written, signals: written, told: written, deliveries: written },
  ])
  expect(outcomes.get('created')).toBe(IDS)
})
