import type pg from 'pg'
import type { Service } from '../server/service.ts'
import { EACH, makeDue, makeTemplates, ORGANIZATIONS, takeTurns } from './clock.ts'
import { compare, quantile } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { atRate } from './pace.ts'
import { type Finding, type Row, ratioBelow } from './row.ts'
import { makeOrganization, sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

/*
 * What the calls of others wait for while a day's turn is taken: by a process beside the one that serves them, and by
 * that itself.
 */

const RATE = { aSecond: 40, atATime: 16 }
const CALM_SECONDS = 5
/** In so many seconds a service takes a turn, whenever it began, for at most 20 of them. */
const A_MINUTE = 65
const DAY = `evidence that lapses, ${EACH} of each of ${ORGANIZATIONS.toLocaleString('en')} organizations, a part of it each round`
const ASKED = `Others send POST /v1/risks to a service, ${RATE.aSecond} a second. BENCH_SHARE is the part of the full size to take.`

export const clockOthers: Row = {
  name: 'clock-others',
  title: 'deadlines: what others wait for while another process takes a day’s turn',
  notes: [`The turn: ${DAY}.`, `Calm is the same for ${CALM_SECONDS} seconds before each part. ${ASKED}`],
  run: async (stand) => [await measureBeside(stand)],
}

export const clockServing: Row = {
  name: 'clock-serving',
  title: 'deadlines: what others wait for while the process that serves them takes a day’s turn',
  notes: [
    `The turn: ${DAY}. Each is of ${A_MINUTE} seconds; calm are`,
    `the calls in those of them in which nothing was done. ${ASKED}`,
  ],
  run: async (stand) => [await measureServing(stand)],
}

/** A call of others: when it began, in milliseconds since 1970, and how long it took. */
interface Call {
  readonly at: number
  readonly ms: number
}

interface Scene {
  readonly parts: Service
  readonly administrator: pg.Client
  /** Makes due what of the day falls on a round. */
  release(): Promise<void>
  send(seconds: number, isOver?: () => boolean): Promise<Call[]>
  close(): Promise<void>
}

async function openScene(stand: Stand): Promise<Scene> {
  const database = await stand.database()
  const { administrator } = database
  const parts = stand.parts(database)
  const templates = await makeTemplates(stand, database, parts)
  const other = await makeOrganization(administrator, stand.masterKey)
  stand.say('clock: making what is due')
  await makeDue(administrator, templates)
  await administrator.query("update deadlines set due_at = 'infinity'")
  await administrator.query('vacuum analyze deadlines')
  const service = await stand.service(database)
  const connections = await Promise.all(
    Array.from({ length: RATE.atATime }, () => Connection.open(service.port)),
  )
  const request = requestBytes('POST', '/v1/risks', other.secret, sampleRisk(other))
  const send = async (seconds: number, isOver = () => false): Promise<Call[]> => {
    const calls: Call[] = []
    await atRate({ ...RATE, seconds }, async (free) => {
      if (isOver()) return
      const [at, began] = [Date.now(), performance.now()]
      const { status, body } = await connections[free]!.send(request)
      if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
      calls.push({ at, ms: performance.now() - began })
    })
    return calls
  }
  await send(5)
  return {
    ...{ parts, administrator, send },
    release: async () => {
      await administrator.query(
        `update deadlines set due_at = clock_now() where record_id in (
           select record_id from deadlines where due_at = 'infinity' order by right(record_id, 4) limit $1)`,
        [Math.ceil((ORGANIZATIONS * EACH) / stand.rounds)],
      )
    },
    close: async () => {
      for (const connection of connections) connection.close()
      await parts.close()
      await service.stop()
    },
  }
}

const p95 = (calls: readonly Call[]): number =>
  quantile(
    calls.map(({ ms }) => ms),
    0.95,
  )

const told = (round: number, meanwhile: readonly Call[], calm: readonly Call[]): string =>
  `clock: part ${round + 1}: ${[meanwhile, calm].map((calls) => `${p95(calls).toFixed(1)} ms of ${calls.length}`).join(', calm ')}`

const found = (beside: readonly number[], calm: readonly number[], by: string): Finding => ({
  ...{ measure: `p95 of POST /v1/risks, ${by}`, unit: 'ms', yardstickIs: 'calm' },
  ...compare(beside, calm),
  target: ratioBelow(1.5),
})

async function measureBeside(stand: Stand): Promise<Finding> {
  const { parts, release, send, close } = await openScene(stand)
  const [calm, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round < stand.rounds; round++) {
    const before = await send(CALM_SECONDS)
    await release()
    let isOver = false
    const turn = takeTurns(parts).finally(() => {
      isOver = true
    })
    const meanwhile: Call[] = []
    while (!isOver) meanwhile.push(...(await send(1, () => isOver)))
    await turn
    calm.push(p95(before))
    beside.push(p95(meanwhile))
    stand.say(told(round, meanwhile, before))
  }
  await close()
  return found(beside, calm, 'the turn beside')
}

async function measureServing(stand: Stand): Promise<Finding> {
  const { administrator, release, send, close } = await openScene(stand)
  const [calm, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round < stand.rounds; round++) {
    await release()
    const calls = await send(A_MINUTE)
    const { rows } = await administrator.query<{ second: number }>(
      `select distinct floor(extract(epoch from updated_at))::int as second from evidence where status = 'expired'`,
    )
    const busy = new Set(rows.map(({ second }) => second))
    const isBusy = ({ at }: Call, aside = 0) => busy.has(Math.floor(at / 1_000) + aside)
    const meanwhile = calls.filter((one) => isBusy(one))
    const others = calls.filter((one) => ![-1, 0, 1].some((aside) => isBusy(one, aside)))
    calm.push(p95(others))
    beside.push(p95(meanwhile))
    stand.say(told(round, meanwhile, others))
  }
  await close()
  return found(beside, calm, 'the turn within')
}
