import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flush } from '../server/webhooks/dispatcher/flush.ts'
import { resultsOf } from './support/results.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
})
afterAll(() => one.close())

interface Model {
  enabled: boolean
  epoch: number
  failures: number
}

/** The rule as one would say it: each result in turn. */
function count(model: Model, epoch: number, success: boolean): void {
  if (!model.enabled || epoch !== model.epoch) return
  model.failures = success ? 0 : model.failures + 1
  if (model.failures === 10) model.enabled = false
}

/** Mostly failures, in stretches, so that tens and near-tens happen. */
const batch = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 5 })
  .map((stretches) => stretches.flatMap(([success, length]) => new Array(success ? 1 : length).fill(success)))

async function failuresOf(id: string) {
  const { rows } = await one.administrator.query(
    `select e.enabled and s.tripped_epoch is distinct from e.epoch as enabled, s.failures,
            jsonb_array_length(s.last_failures) as kept
       from webhook_endpoint_states s join webhook_endpoints e on e.id = s.endpoint_id where e.id = $1`,
    [id],
  )
  return rows[0]
}

test('the fold of a batch is what its results make one by one', async () => {
  const { admin } = await one.organization()
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
      const endpoint = await one.endpoint(admin, 'https://127.0.0.1:9/')
      const model: Model = { enabled: true, epoch: 1, failures: 0 }
      // All claimed before the first is written: what is on the wire when the endpoint goes off counts no more.
      const makers = await resultsOf(one, admin.organizationId, endpoint.id, batches.flat().length)
      for (const outcomes of batches) {
        const results = outcomes.map((success) => makers.shift()!(success ? 'success' : 'receiver_error'))
        await flush(one.service.database.engine, results)
        for (const success of outcomes) count(model, 1, success)
        expect(await failuresOf(endpoint.id)).toStrictEqual({
          enabled: model.enabled,
          failures: model.failures,
          kept: model.failures,
        })
      }
      await one.call(admin, 'deleteWebhookEndpoint', { id: endpoint.id })
    }),
    { numRuns: 60 },
  )
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), count: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      take: fc.integer({ min: 1, max: 12 }),
      success: fc.integer({ min: 0, max: 11 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const), enabled: fc.boolean() }) },
)

test('under any order of claims, results and turns of the switch the endpoint is what the contract says', async () => {
  const { admin } = await one.organization()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const endpoint = await one.endpoint(admin, 'https://127.0.0.1:9/')
      const model: Model = { enabled: true, epoch: 1, failures: 0 }
      const claimed: { epoch: number; make: Awaited<ReturnType<typeof resultsOf>>[number] }[] = []
      for (const now of steps) {
        if (now.do === 'claim') {
          const made = await resultsOf(one, admin.organizationId, endpoint.id, now.count, model.epoch)
          // Nothing is ever claimed for an endpoint that is off.
          expect(made.length).toBe(model.enabled ? now.count : 0)
          claimed.push(...made.map((make) => ({ epoch: model.epoch, make })))
        } else if (now.do === 'write') {
          const batch = claimed.splice(0, now.take)
          const outcomes = batch.map((_, index) => index === now.success)
          await flush(
            one.service.database.engine,
            batch.map(({ make }, index) => make(outcomes[index] ? 'success' : 'timeout')),
          )
          for (const [index, { epoch }] of batch.entries()) count(model, epoch, outcomes[index]!)
        } else {
          await one.call(admin, 'updateWebhookEndpoint', { id: endpoint.id, enabled: now.enabled })
          if (now.enabled !== model.enabled) {
            model.epoch += 1
            model.enabled = now.enabled
            if (now.enabled) model.failures = 0
          }
        }
        const read = await one.readEndpoint(admin, endpoint.id)
        expect(read).toMatchObject({ enabled: model.enabled, consecutiveFailures: model.failures })
      }
      await one.call(admin, 'deleteWebhookEndpoint', { id: endpoint.id })
    }),
    { numRuns: 40 },
  )
})
