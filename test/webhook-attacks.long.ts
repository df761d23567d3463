import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { openWebhooks, type Webhooks } from '../server/webhooks/webhooks.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'
import { startWebhookTest, verifiedThen, type WebhookTest } from './support/webhooks.ts'

/*
 * Promise: whatever receivers do, whatever admins do with their endpoints meanwhile, and while connections to PostgreSQL
 * are cut in the middle of anything and processes that deliver come and go, each organization gets all that is its own
 * and nothing else, under one webhook-id each, and what is kept of it agrees with itself.
 */

const CHANGES = Number(process.env.CHANGES ?? 400)
const ENDPOINTS = 2

let one: WebhookTest
let receiver: Receiver
let forbidden: Receiver
const hostile: Receiver[] = []

/** Sends something first, and then the same again and again. */
const forever = (first: string, again: string) => (socket: TLSSocket) => {
  if (first) socket.write(first)
  const timer = setInterval(() => socket.write(again), 200)
  socket.once('close', () => clearInterval(timer))
}
const HEAD = 'HTTP/1.1 200 OK\r\n'
const EMPTY = `${HEAD}content-length: 0\r\n\r\n`
const MEGABYTE = 'x'.repeat(1 << 20)

/** What answers no better than this, each on a receiver of its own. */
const HOSTILE: readonly ((socket: TLSSocket) => void)[] = [
  () => {},
  (socket) => socket.destroy(),
  (socket) => socket.once('data', () => socket.end(`${HEAD}content-length: 9\r\n\r\n`)),
  (socket) => socket.on('data', () => socket.write(EMPTY + EMPTY)),
  forever('', 'H'),
  forever(HEAD, 'x: y\r\n'),
  forever(HEAD, `x: ${MEGABYTE}\r\n`),
  forever(`${HEAD}content-length: 99999\r\n\r\n`, '.'),
  forever(`${HEAD}\r\n`, MEGABYTE),
  forever('', 'HTTP/1.1 102 Processing\r\n\r\n'),
]

beforeAll(async () => {
  one = await startWebhookTest()
  receiver = await startReceiver()
  forbidden = await startReceiver()
  for (const raw of HOSTILE) hostile.push(await startReceiver({ raw }))
  hostile.push(
    await startReceiver({ behaviour: () => ({ status: 307, headers: { location: forbidden.url } }) }),
  )
})
afterAll(async () => {
  await one.close()
  for (const each of [receiver, forbidden, ...hostile]) await each.close()
})

/** Where nothing is to be heard of what comes of it: its connection may be cut. */
const tried = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null)
const some = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]

test(`${CHANGES} changes amid hostile receivers, restless admins, cut connections and processes that come and go`, async () => {
  let over = false
  const happened: Record<string, number> = {}
  const count = (what: string) => {
    happened[what] = (happened[what] ?? 0) + 1
  }
  const calm = await one.organization()
  const restless = await one.organization()
  const attackers = await Promise.all([one.organization(), one.organization()])
  const secrets = new Map<string, string[]>()
  /** Of endpoints that may be deleted: their log goes with them. */
  const deleted = new Set<string>()
  const addresses = new Map<string, string>()
  const add = async (admin: Caller) => {
    const address = `${receiver.url}/${admin.organizationId}/${addresses.size}`
    const made = await tried(one.endpoint(admin, address))
    // It may be there all the same, and be deleted under another name.
    addresses.set(made?.id ?? address, new URL(address).pathname)
    if (made) secrets.set(made.id, [made.secret])
    else deleted.add(new URL(address).pathname)
    return made
  }
  for (const { admin } of [calm, restless]) for (let n = 0; n < ENDPOINTS; n += 1) await add(admin)
  for (const { admin } of attackers)
    for (const { url } of hostile.slice(0, HOSTILE.length)) await one.endpoint(admin, url)
  const redirected = await one.organization()
  await one.endpoint(redirected.admin, hostile.at(-1)!.url)

  const answered: string[] = []
  const write = async (admin: Caller, count: number) => {
    for (let n = 0; n < count; n += 1) {
      const made = await tried(one.risk(admin))
      if (made && admin === calm.admin) answered.push(made.id)
    }
  }
  const endpointsOf = async (admin: Caller) =>
    (
      (await tried(one.call(admin, 'listWebhookEndpoints', {})))?.body as
        | { data: { id: string }[] }
        | undefined
    )?.data ?? []
  const { admin: fidget } = restless
  const acts: Record<string, (id: string) => Promise<unknown>> = {
    rotate: async (id) => {
      const rotated = await tried(one.call(fidget, 'rotateWebhookEndpointSecret', { id }))
      if (rotated) secrets.get(id)?.push((rotated.body as { secret: string }).secret)
      // Nobody knows then whether it has another, and what it is.
      else secrets.delete(id)
      return rotated
    },
    off: (id) => tried(one.call(fidget, 'updateWebhookEndpoint', { id, enabled: false })),
    on: (id) => tried(one.call(fidget, 'updateWebhookEndpoint', { id, enabled: true })),
    test: (id) => tried(one.call(fidget, 'testWebhookEndpoint', { id })),
    redeliver: async () => {
      const { id } = some((await tried(one.deliveries(fidget))) ?? []) ?? { id: '' }
      return (await Promise.all([again(id), again(id), again(id)])).find((sent) => sent !== null)
    },
    replace: async (id) => {
      deleted.add(addresses.get(id) ?? '')
      return (await tried(one.call(fidget, 'deleteWebhookEndpoint', { id }))) && add(fidget)
    },
  }
  const again = (id: string) => tried(one.call(fidget, 'redeliverWebhookDelivery', { id }))
  const restlessness = async () => {
    while (!over) {
      const { id } = some(await endpointsOf(fidget)) ?? { id: '' }
      const act = some(Object.keys(acts))!
      if (await acts[act]!(id)) count(act)
    }
  }
  const cutting = async () => {
    while (!over) {
      await one.administrator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`,
      )
      count('cut')
      await sleep(100)
    }
  }
  const coming = async () => {
    const { config, log, database, keyring } = one.service
    while (!over) {
      const other: Webhooks = openWebhooks({ config, log, database, keyring })
      await tried(other.start())
      await sleep(1_500)
      await other.stop()
      count('came and went')
    }
  }
  const chaos = Promise.all([restlessness(), restlessness(), cutting(), coming()])
  await Promise.all([
    ...[0, 1].flatMap(() => [write(calm.admin, CHANGES), write(restless.admin, CHANGES)]),
    ...attackers.map(({ admin }) => write(admin, CHANGES)),
    write(redirected.admin, 5),
  ]).finally(() => {
    over = true
  })
  await chaos

  // Past every lease, and what is to be tried again is.
  await until(async () => {
    await one.moveClock(61_000)
    await tried(one.service.webhooks.sweep())
    await sleep(200)
    const { rows } = await one.administrator.query(
      `select from deliveries where organization_id = any($1) and status in ('pending', 'waiting_for_retry') limit 1`,
      [[calm.id, restless.id]],
    )
    return rows.length === 0
  })
  const query = async (text: string, ...values: unknown[]) =>
    (await one.administrator.query(text, values)).rows

  const lost = await query(
    `select r.id, count(d.id)::int as deliveries, count(distinct d.endpoint_id)::int as endpoints,
            count(distinct s.id)::int as signals
       from risks r left join signals s on s.subject_id = r.id left join deliveries d on d.signal_id = s.id and d.status = 'delivered'
      where r.organization_id = $1 group by r.id
     having count(d.id) <> $2 or count(distinct d.endpoint_id) <> $2 or count(distinct s.id) <> 1`,
    calm.id,
    ENDPOINTS,
  )
  expect(lost, 'changes whose deliveries are not one for each endpoint').toEqual([])
  const kept = await query('select id from risks where organization_id = $1', calm.id)
  const keptIds = new Set(kept.map(({ id }) => id))
  expect(
    answered.filter((id) => !keptIds.has(id)),
    'answered, and not there',
  ).toEqual([])
  expect(answered.length).toBeGreaterThan(CHANGES / 2)

  const receipts = Map.groupBy(receiver.requests, ({ headers }) => String(headers['webhook-id']))
  const known = await query(`
    select d.id, d.organization_id, d.endpoint_id, d.attempt_count, d.attempt_number, d.claim_id, d.status, coalesce(d.body, s.body) as body,
           coalesce(array_agg(a.number order by a.number) filter (where a.number is not null), '{}') as numbers,
           count(*) filter (where a.counted)::int as counted
      from deliveries d left join ended_attempts a on a.delivery_id = d.id left join signals s on s.id = d.signal_id
     group by d.id, d.organization_id, d.endpoint_id, d.attempt_count, d.attempt_number, d.claim_id, d.status, d.body, s.body`)
  const wrong: string[] = []
  const byId = new Map(known.map((row) => [row.id, row]))
  for (const [id, requests] of receipts) {
    const row = byId.get(id)
    const [{ path }] = requests as [ReceivedRequest]
    if (!row && !deleted.has(path)) wrong.push(`${id}: received, and nowhere in the log`)
    for (const request of row ? requests : [])
      wrong.push(...wrongOf(request, row, secrets.get(row.endpoint_id) ?? null))
    if (row && requests.length > row.numbers.length)
      wrong.push(`${id}: received more often than the log tells`)
  }
  for (const row of known) {
    const { id, status, numbers, attempt_number: last, attempt_count: told, counted, claim_id: claim } = row
    if (numbers.some((number: number, nth: number) => number !== nth + 1))
      wrong.push(`${id}: attempts ${numbers}`)
    if (claim === null && numbers.length !== last) wrong.push(`${id}: ${numbers.length} attempts of ${last}`)
    if (counted !== told) wrong.push(`${id}: ${counted} counted, ${told} told`)
    if (
      claim === null &&
      status === 'delivered' &&
      !receipts.has(id) &&
      [calm.id, restless.id].includes(row.organization_id)
    )
      wrong.push(`${id}: delivered, and never received`)
  }
  expect(wrong).toEqual([])
  expect(forbidden.requests).toEqual([])

  // What waits has its one place, and nothing else has one.
  const misplaced = await query(`
    select d.id, d.status, d.due_at, q.due_at as queued from deliveries d full join delivery_queue q on q.delivery_id = d.id
     where (d.status in ('pending', 'waiting_for_retry') and d.claim_id is null) is distinct from (q.delivery_id is not null)
        or q.delivery_id is not null and q.due_at <> d.due_at`)
  expect(misplaced).toEqual([])
  const total = receiver.requests.length
  console.log(`${JSON.stringify(happened)}, ${total} received, ${total - receipts.size} of them again`)
})

function wrongOf(
  request: ReceivedRequest,
  row: { id: string; organization_id: string; body: string },
  secrets: readonly string[] | null,
): string[] {
  const found: string[] = []
  if (!request.path.startsWith(`/${row.organization_id}/`))
    found.push(`${row.id}: at another organization's receiver`)
  if (request.body !== row.body) found.push(`${row.id}: another body`)
  const isSigned =
    secrets === null ||
    secrets.some((secret) => {
      try {
        return Boolean(verifiedThen(secret, request))
      } catch {
        return false
      }
    })
  if (!isSigned) found.push(`${row.id}: signed with no secret of its endpoint`)
  return found
}
