import { expect } from 'vitest'
import { ENDPOINTS, type Stage } from './crash.ts'

/**
 * What must hold after any number of kills, judged from outside: the ledger, the
 * receiver's memory and the tables are held against each other.
 */
export async function checkPromises({ ledger, receiver, query }: Stage): Promise<void> {
  const kept = await query<{ external_id: string; entries: string; signals: string; deliveries: string }>(`
    with entry as (
      select subject_id, count(*) as entries from audit_entries where action = 'risk.create' group by 1
    ),
    signal as (
      select s.subject_id, count(distinct s.id) as signals, count(d.id) as deliveries
        from signals s left join deliveries d on d.signal_id = s.id group by 1
    )
    select r.external_id, coalesce(entries, 0) as entries, coalesce(signals, 0) as signals,
           coalesce(deliveries, 0) as deliveries
      from risks r left join entry on entry.subject_id = r.id left join signal on signal.subject_id = r.id`)
  const whole = { entries: '1', signals: '1', deliveries: String(ENDPOINTS) }
  expect(
    kept.filter((one) => !matches(one, whole)),
    'records without their whole journal',
  ).toEqual([])
  const known = new Set(kept.map((one) => one.external_id))
  const lost = ledger.filter((one) => one.status === 201 && !known.has(one.externalId))
  expect(lost, 'answered 201, and not there').toEqual([])
  const refused = ledger.filter((one) => one.status !== null && one.status < 500 && one.status !== 201)
  expect(refused, 'answers nobody should have got').toEqual([])
  const [orphans] = await query<{ count: string }>(
    'select count(*) from signals s where not exists (select from risks r where r.id = s.subject_id)',
  )
  expect(orphans?.count, 'signals without their record').toBe('0')
  await checkReceipts({ receiver, query })
}

async function checkReceipts({ receiver, query }: Pick<Stage, 'receiver' | 'query'>): Promise<void> {
  const deliveries = await query<{
    id: string
    status: string
    body: string
    attempts: { sent_at: string | null; number: number }[]
  }>(`
    select d.id, d.status, s.body, coalesce(a.attempts, '[]') as attempts
      from deliveries d join signals s on s.id = d.signal_id and s.organization_id = d.organization_id
      left join (
        select delivery_id, json_agg(json_build_object('number', number, 'sent_at', sent_at) order by number) as attempts
          from ended_attempts group by 1) a on a.delivery_id = d.id`)
  const byId = new Map(deliveries.map((one) => [one.id, one]))
  const receipts = Map.groupBy(receiver.requests, (request) => String(request.headers['webhook-id']))
  const unlogged = [...receipts.keys()].filter((id) => !byId.has(id))
  expect(unlogged, 'requests at the receiver without a delivery').toEqual([])
  for (const { id, status, body, attempts } of deliveries) {
    const received = receipts.get(id) ?? []
    expect.soft(status, id).toBe('delivered')
    expect.soft(received.length, `receipts of ${id}`).toBeGreaterThan(0)
    expect
      .soft(received.length, `receipts of ${id} that no attempt row tells of`)
      .toBeLessThanOrEqual(attempts.length)
    expect.soft(new Set([body, ...received.map((one) => one.body)]).size, `bodies of ${id}`).toBe(1)
    expect
      .soft(
        attempts.map((one) => one.number),
        `attempt numbers of ${id}`,
      )
      .toEqual(attempts.map((_, nth) => nth + 1))
  }
}

const matches = (one: object, other: object) =>
  Object.entries(other).every(([name, value]) => (one as Record<string, unknown>)[name] === value)
