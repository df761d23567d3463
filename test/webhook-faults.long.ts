import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '../server/database/embedded.ts'
import { openStage, type Stage } from './support/crash.ts'
import { checkPromises } from './support/crash-check.ts'
import { type DatabasePair, openDatabasePair } from './support/database-pair.ts'
import { type NameServer, type Reply, records, startNameServer } from './support/name-server.ts'
import { until } from './support/until.ts'

/*
 * What befalls the machines around the service while it takes changes and delivers them. In each: nothing answered 201
 * is lost, everything reaches the receiver, no attempt is spent, no endpoint is turned off, and the service goes on by
 * itself when it is over.
 */

const PROMOTIONS = Number(process.env.PROMOTIONS ?? 3)
const AWAY_MS = Number(process.env.AWAY_MS ?? 30_000)
const HOUR_MS = 3_600_000
const NAME = 'receiver.test'

let pair: DatabasePair
let nameServer: NameServer
let stage: Stage
let namesAre: (question: Parameters<ReturnType<typeof records>>[0]) => Reply

const known = records({ [NAME]: ['127.0.0.1'] })

beforeAll(async () => {
  namesAre = known
  nameServer = await startNameServer((question) => namesAre(question))
  pair = await openDatabasePair()
  stage = await openStage({
    database: { url: pair.url, administratorUrl: pair.administratorUrl },
    receiverName: NAME,
    environment: {
      NODE_OPTIONS: `--require ${new URL('./support/process-faults.cjs', import.meta.url).pathname}`,
      NAME_SERVER: nameServer.address,
    },
  })
  await pair.addStandby()
})
afterAll(async () => {
  await stage?.close()
  await pair?.close()
  await nameServer?.close()
})

/** Changes are posted from before the fault until after it; then all that was promised is looked at. */
async function during(fault: () => Promise<void>): Promise<void> {
  let over = false
  const loaded = (async () => {
    while (!over) await stage.load(40, 4)
  })()
  await answered(50)
  await fault().finally(() => {
    over = true
  })
  await loaded
  await stage.load(50, 4)
  await stage.drain()
  await checkPromises(stage)
  await nobodyPaid()
}

/** So many more are answered 201: it serves, without having been started again. */
async function answered(count: number): Promise<void> {
  const from = stage.ledger.length
  await until(
    () => stage.ledger.slice(from).filter(({ status }) => status === 201).length >= count,
    `${count} changes`,
  )
}

async function nobodyPaid(): Promise<void> {
  const [counted] = await stage.query<{ endpoints: number; on: number; failures: number }>(`
    select count(*)::int as endpoints, count(*) filter (where e.enabled)::int as on,
           coalesce(sum(s.failures), 0)::int as failures
      from webhook_endpoints e left join webhook_endpoint_states s on s.endpoint_id = e.id`)
  expect(counted).toEqual({ endpoints: 3, on: 3, failures: 0 })
  const outcomes = await stage.query<{ outcome: string }>(
    "select outcome, count(*)::int from ended_attempts where outcome not in ('success', 'interrupted', 'connection_closed') group by 1",
  )
  expect(outcomes, 'attempts that count').toEqual([])
  const spent = await stage.query('select id, attempt_count from deliveries where attempt_count <> 1')
  expect(spent, 'deliveries that took more than one counted attempt').toEqual([])
}

/** The log has said since then what there is to be done. */
function expectSaid(since: number, cure: string): void {
  const said = [...new Set(stage.log.slice(since).map(({ msg }) => msg))]
  expect(said.filter((msg) => msg.endsWith(cure))).not.toEqual([])
}

const AWAY = 'see that PostgreSQL runs, and that DATABASE_URL leads to it'
const READ_ONLY = 'let DATABASE_URL lead to the primary, and default_transaction_read_only be off'
const DISK_FULL = 'the disk of PostgreSQL is full: make room there'
const NO_NAMES = 'no name server answers: see to /etc/resolv.conf and the way to the servers it names'

test(`${PROMOTIONS} promotions of a synchronous standby lose nothing`, async () => {
  const since = stage.log.length
  await during(async () => {
    for (let nth = 0; nth < PROMOTIONS; nth += 1) {
      await pair.promote(nth % 2 === 0 ? 'killed' : 'cut')
      await answered(20)
      await pair.addStandby()
      await answered(20)
    }
  })
  expectSaid(since, AWAY)
})

test('a server that is read-only for a while', async () => {
  const since = stage.log.length
  const set = (to: 'on' | 'off') =>
    stage
      .query(`alter system set default_transaction_read_only = ${to}`)
      .then(() => stage.query('select pg_reload_conf()'))
  await during(async () => {
    await set('on')
    await sleep(10_000)
    await set('off')
    await answered(20)
  })
  expectSaid(since, READ_ONLY)
})

test('an address that leads to the standby for a while', async () => {
  const since = stage.log.length
  await during(async () => {
    pair.relay.lead(pair.standbyPort)
    pair.relay.cut()
    await sleep(10_000)
    // Whoever is connected to the standby stays so, as behind a name that has moved.
    pair.relay.lead(pair.primaryPort)
    await answered(20)
  })
  expectSaid(since, READ_ONLY)
})

test.each([HOUR_MS, -HOUR_MS])('a process whose clock is off by %i ms', async (ahead) => {
  const before = stage.receiver.requests.length
  // One that delivers what it takes, and one that delivers what it finds.
  await stage.restart('api', { CLOCK_AHEAD_MS: String(ahead), ROLE: 'all' })
  await stage.restart('worker', { CLOCK_AHEAD_MS: String(ahead) })
  await stage.load(50, 4)
  await until(() => stage.receiver.requests.length >= before + 150)
  const wrong = stage.receiver.requests
    .slice(before)
    .filter(
      ({ headers }) =>
        Math.abs(Number(headers['webhook-timestamp']) * 1_000 - Date.now() - stage.movedMs) > 60_000,
    )
  expect(wrong.length).toBe(0)
  await during(() => answered(20))
  await stage.restart('worker', { CLOCK_AHEAD_MS: '0' })
  await stage.restart('api', { CLOCK_AHEAD_MS: '0', ROLE: 'api' })
})

test(`${AWAY_MS} ms without database`, async () => {
  const since = stage.log.length
  await during(async () => {
    pair.relay.lead(null)
    pair.relay.cut()
    await sleep(AWAY_MS)
    pair.relay.lead(pair.primaryPort)
    await answered(20)
  })
  expectSaid(since, AWAY)
})

test(`${AWAY_MS} ms of a network that drops what is sent, and then the connections`, async () => {
  const since = stage.log.length
  await during(async () => {
    pair.relay.stall(true)
    await sleep(AWAY_MS)
    pair.relay.cut()
    pair.relay.stall(false)
    await answered(20)
  })
  expectSaid(since, AWAY)
})

test.each(['silent', 'SERVFAIL'] as const)('every name server away: %s', async (reply) => {
  const since = stage.log.length
  await during(async () => {
    namesAre = () => reply
    // Kept connections would need no name.
    await stage.restart('worker', {})
    await answered(50)
    await sleep(15_000)
    namesAre = known
    await answered(20)
  })
  expectSaid(since, NO_NAMES)
})

const isRoot = process.getuid?.() === 0

// Only root may make a file system.
test.skipIf(!isRoot)('a disk that is full for a while', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'none', disk])
  const database = await startEmbedded({ dataDir: disk })
  const other = stage
  try {
    stage = await openStage({
      database: { url: database.url, administratorUrl: () => database.administratorUrl },
    })
    const ballast = join(disk, 'ballast')
    await during(async () => {
      fill(ballast)
      await until(() => stage.log.find(({ msg }) => msg.endsWith(DISK_FULL)), DISK_FULL)
      await sleep(AWAY_MS / 2)
      rmSync(ballast)
      await answered(20)
    })
  } finally {
    await stage.close()
    stage = other
    await database.stop()
    spawnSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  }
})

/** Until nothing more goes onto the disk. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  for (const size of [1 << 20, 1 << 12]) {
    const part = Buffer.alloc(size)
    try {
      while (writeSync(descriptor, part) === size);
    } catch {
      // Full, for parts of this size.
    }
  }
  closeSync(descriptor)
}
