import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Query } from '../server/database/connect.ts'
import { claimDue, claimSuspect } from '../server/webhooks/claim.ts'
import { flushResults } from '../server/webhooks/flush.ts'
import { handBackClaims, releaseClaim } from '../server/webhooks/hand-back.ts'
import { putOffSuspects, recoverClaims } from '../server/webhooks/losses.ts'
import { convertNotSent } from '../server/webhooks/not-sent.ts'
import { findWaiting } from '../server/webhooks/sweep.ts'
import { logSecondTry } from '../server/webhooks/try-again.ts'
import { fillDeliveries } from './support/backlog.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

let one: WebhookTest

beforeAll(async () => {
  one = await startWebhookTest({ deliver: false })
})
afterAll(() => one.close())

const STATEMENTS: Record<string, (...values: unknown[]) => Query> = {
  claimDue,
  claimSuspect,
  flushResults,
  handBackClaims,
  releaseClaim,
  recoverClaims,
  putOffSuspects,
  convertNotSent,
  findWaiting,
  logSecondTry,
}

/** An index that begins with the organization finds all that it has, where one row was looked for. */
function expectNoWideRead(made: Record<string, string>): void {
  for (const [name, plan] of Object.entries(made))
    expect(
      plan.match(/using \w*organization_id\w* on (?:deliveries|signals)\w*/g),
      `${name}\n${plan}`,
    ).toBeNull()
}

/** As the engine's own connections plan it, without values. */
async function plans(): Promise<Record<string, string>> {
  const client: pg.PoolClient = await one.service.database.engine.connect()
  try {
    const made: Record<string, string> = {}
    for (const [name, statement] of Object.entries(STATEMENTS)) {
      const { text } = statement()
      const nulls = Array.from(new Set(text.match(/\$\d+/g)), () => 'null')
      await client.query(`prepare planned as ${text}`)
      const { rows } = await client.query(
        `explain execute planned${nulls.length > 0 ? `(${nulls.join(', ')})` : ''}`,
      )
      await client.query('deallocate planned')
      made[name] = rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    return made
  } finally {
    client.release()
  }
}

function expectNoScan(made: Record<string, string>): void {
  for (const [name, plan] of Object.entries(made))
    expect(
      plan.match(/Seq Scan on (?:deliveries|attempts|signals|webhook)\S*/g),
      `${name}\n${plan}`,
    ).toBeNull()
}

test('no statement of the engine ever reads a whole table: empty, fresh and with 200,000 deliveries', async () => {
  const empty = await plans()
  expectNoScan(empty)
  expectNoWideRead(empty)
  const { admin } = await one.organization()
  const endpoint = await one.endpoint(admin, 'https://127.0.0.1:9/')
  await one.risk(admin)
  expectNoScan(await plans())
  expectNoWideRead(await plans())
  await fillDeliveries(one, admin.organizationId, endpoint.id, 200_000)
  expectNoScan(await plans())
  await one.administrator.query('analyze deliveries, attempts, webhook_endpoints, webhook_endpoint_states')
  expectNoScan(await plans())
})
