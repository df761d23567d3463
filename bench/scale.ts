import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import type { Query } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import type { Service } from '../server/service.ts'
import type { DeliveryStatus } from '../server/webhooks/delivery-record.ts'
import { type Claimed, claimDue, take } from '../server/webhooks/dispatcher/claim.ts'
import { flushOf, type Result } from '../server/webhooks/dispatcher/flush.ts'
import { LEASE_MS } from '../server/webhooks/dispatcher/limits.ts'
import { findWaiting } from '../server/webhooks/dispatcher/sweep.ts'
import { inOneBurst } from './bare-driver.ts'
import { compare, interleave } from './figures.ts'
import { makeOldLog, type OldLog } from './old-log.ts'
import { heardWith, overhear } from './overheard.ts'
import { type Finding, type Row, ratioAtMost } from './row.ts'
import type { Stand } from './stand.ts'

const MANY = Number(process.env.BENCH_SCALE ?? 10_000_000)
const FEW = 10_000
const DELIVERIES_EACH = 1_000
const ORGANIZATIONS_AT_LEAST = 100
const TIMES = 50
const ROOM = 3
/** So few that in the small log as well each endpoint fills a page. */
const PAGE = 40
const STATUSES: readonly DeliveryStatus[] = ['pending', 'waiting_for_retry', 'failed', 'not_sent']

export const scale: Row = {
  name: 'scale',
  title: `what the engine asks with ${MANY.toLocaleString('en')} deliveries in the log, 64 endpoints due`,
  notes: [
    `One organization with ten endpoints for each 1,000 deliveries, over 28 days; a tenth waits in vain of one dead`,
    'endpoint, a hundredth for its retry, all of the organization whose pages are listed, 64 endpoints have 20 due.',
    `The yardstick is the same with ${FEW.toLocaleString('en')} deliveries of ${ORGANIZATIONS_AT_LEAST} organizations. The engine’s and the log’s own statements, on their`,
    `pools; claim and flush (${64 * ROOM} deliveries) are rolled back. Tables are vacuumed and analyzed, and what is read is`,
    `mostly in memory: it leaves out disks. Medians of ${TIMES}, turn by turn. BENCH_SCALE makes the log smaller.`,
  ],
  run: measure,
}

interface Side extends OldLog {
  readonly parts: Service
  readonly engine: pg.PoolClient
}

async function measure(stand: Stand): Promise<Finding[]> {
  const makeSide = async (deliveries: number): Promise<Side> => {
    stand.say(`scale: putting ${deliveries.toLocaleString('en')} deliveries in`)
    const organizations = Math.max(ORGANIZATIONS_AT_LEAST, deliveries / DELIVERIES_EACH)
    const log = await makeOldLog(stand, { deliveries, organizations })
    const parts = stand.parts(log.database)
    return { ...log, parts, engine: await parts.database.engine.connect() }
  }
  const few = await makeSide(FEW)
  const many = await makeSide(MANY)
  const findings: Finding[] = []
  const look = async (measure: string, once: (side: Side) => Promise<number>) => {
    stand.say(`scale: ${measure}`)
    for (const side of [many, few, many, few]) await once(side)
    const times = await interleave(
      TIMES,
      () => once(many),
      () => once(few),
    )
    findings.push({
      measure,
      unit: 'ms',
      ...compare(times.products, times.yardsticks),
      yardstickIs: `with ${FEW.toLocaleString('en')} in the log`,
      target: ratioAtMost(1.2),
    })
  }
  await look('claim', claimOnce)
  await look('flush', flushOnce)
  await look('sweep', ({ engine }) => timed(() => engine.query(findWaiting())))
  for (const status of [undefined, ...STATUSES]) {
    const pages = new Map<Side, () => Promise<unknown>>()
    for (const side of [few, many]) pages.set(side, await pageOf(side, status))
    await look(`list${status ? `, ${status}` : ''}`, (side) => timed(pages.get(side)!))
  }
  for (const { engine, parts } of [few, many]) {
    engine.release()
    await parts.close()
  }
  return findings
}

/** @returns milliseconds */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Nothing is claimed afterwards. */
async function claimOnce(side: Side): Promise<number> {
  return await rolledBack(side, () => timed(() => side.engine.query(claimOf(side, randomUUID()))))
}

/** What has just been claimed, all of it delivered. */
async function flushOnce(side: Side): Promise<number> {
  return await rolledBack(side, async () => {
    const claimId = randomUUID()
    const { items } = await take(side.engine, claimOf(side, claimId), claimId)
    const query = flushOf(items.map(deliveredOf))
    return await timed(() => side.engine.query(query))
  })
}

const claimOf = ({ dueEndpointIds }: Side, claimId: string): Query =>
  claimDue(
    dueEndpointIds,
    dueEndpointIds.map(() => ROOM),
    claimId,
    LEASE_MS,
    false,
  )

async function rolledBack({ engine }: Side, work: () => Promise<number>): Promise<number> {
  await engine.query('begin')
  const milliseconds = await work()
  await engine.query('rollback')
  return milliseconds
}

const deliveredOf = (claim: Claimed): Result => ({
  claim,
  number: claim.number,
  outcome: 'success',
  reason: null,
  verdict: { status: 'delivered', counted: true, waitMs: null },
  sentAt: new Date().toISOString(),
  headers: { 'webhook-id': claim.deliveryId },
  statusCode: 200,
  durationMs: 12,
  responseBody: null,
  responseTruncated: false,
  endedAt: performance.now(),
})

/** The first page of the log, by the statement that the product itself sends. */
async function pageOf({ parts, owner }: Side, status: DeliveryStatus | undefined) {
  const operation = operations.find(({ name }) => name === 'listWebhookDeliveries')!
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const input = { limit: PAGE, ...(status ? { status: [status] } : {}) }
  const heard = await overhear(parts, async () => {
    const { caller } = await admitKey(parts, owner.secret, requestContext)
    const { data } = (await call(parts, caller, operation, input)).body as { data: unknown[] }
    if (data.length < PAGE) throw new Error(`only ${data.length} deliveries are ${status}`)
  })
  const enter = heardWith(heard, 'plumbline.organization')
  const readInOrder = heardWith(heard, 'enable_sort')
  const page = heardWith(heard, 'with page as')
  return () => inOneBurst(parts, enter, owner.id, readInOrder, page)
}
