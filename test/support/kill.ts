import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { until } from './until.ts'
import {
  loopbackSettings,
  startWebhookTest,
  type TestEndpoint,
  verifiedThen,
  type WebhookTest,
} from './webhooks.ts'

export interface Worker {
  readonly process: ChildProcess
  /** Ids of the records whose commit it has told of. */
  readonly committed: string[]
}

export async function startWorker(
  one: WebhookTest,
  caller: Caller,
  environment: Record<string, string>,
): Promise<Worker> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    env: {
      ...process.env,
      LOG_LEVEL: 'silent',
      METRICS_PORT: '0',
      ...environment,
      TEST_URL: one.database.url,
      TEST_MASTER_KEY: one.masterKey,
      TEST_CALLER: JSON.stringify({ ...caller, granted: [] }),
    },
    execArgv: [],
  })
  const worker: Worker = { process: child, committed: [] }
  const ready = Promise.withResolvers<void>()
  child.on('message', (message: 'ready' | { committed?: string }) => {
    if (message === 'ready') ready.resolve()
    else if (message.committed) worker.committed.push(message.committed)
  })
  child.once('exit', () => ready.reject(new Error('the worker ended before it was ready')))
  await ready.promise
  return worker
}

export async function kill({ process }: Worker, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const ended = once(process, 'exit')
  process.kill(signal)
  await ended
}

/**
 * Kills a process that delivers, so many times, in the middle of it; then lets one finish, and holds what the
 * receiver saw against the log.
 */
export async function killAndCompare(kills: number, changesEach: number): Promise<void> {
  const one = await startWebhookTest({ deliver: false })
  const receiver: Receiver = await startReceiver({
    // Slow enough that a kill always finds some on the wire.
    behaviour: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return { status: 200 }
    },
  })
  const { settings, remove } = await loopbackSettings()
  try {
    const { admin } = await one.organization()
    const endpoint = await one.endpoint(admin, receiver.url)
    const committed: string[] = []
    for (let round = 0; round < kills; round += 1) {
      const worker = await startWorker(one, admin, settings)
      const before = receiver.requests.length
      for (let n = 0; n < changesEach; n += 1) worker.process.send(`Risk ${round}.${n}`)
      await until(() => receiver.requests.length > before + ((round * 7) % changesEach))
      await kill(worker)
      committed.push(...worker.committed)
    }
    const last = await startWorker(one, admin, settings)
    await untilDelivered(one)
    await kill(last)
    await compare(one, admin, endpoint, receiver, committed)
  } finally {
    await one.close()
    await receiver.close()
    remove()
  }
}

/**
 * What was lost three times in a row waits as after a failure, and a claim that PostgreSQL finished for a process
 * just killed has its whole lease: so where nothing moves any more, time does.
 */
async function untilDelivered(one: WebhookTest): Promise<void> {
  let before = Number.POSITIVE_INFINITY
  await until(
    async () => {
      const { rows } = await one.administrator.query(
        "select count(*)::int as left from deliveries where status <> 'delivered'",
      )
      const { left } = rows[0]
      if (left > 0 && left === before) await one.moveClock(70_000)
      before = left
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, 500))
      return left === 0
    },
    'the last delivery',
    PATIENCE,
  )
}

/** A suspect goes alone, one at a sweep, and many kills leave many of them. */
const PATIENCE = 300_000

async function compare(
  one: WebhookTest,
  admin: Caller,
  endpoint: TestEndpoint,
  { requests }: Receiver,
  committed: readonly string[],
): Promise<void> {
  // Every change whose commit was told of has arrived, as signed.
  const arrived = new Set(
    requests.map((request) => (verifiedThen(endpoint.secret, request).subject as { id: string }).id),
  )
  expect(committed.filter((id) => !arrived.has(id))).toStrictEqual([])

  const { rows } = await one.administrator.query(
    `select d.id, d.signal_id, array_agg(a.number order by a.number) as numbers,
            array_agg(a.outcome order by a.number) as outcomes
       from deliveries d join ended_attempts a on a.delivery_id = d.id where d.organization_id = $1 group by 1, 2`,
    [admin.organizationId],
  )
  const sent = new Map<string, number>()
  for (const { headers } of requests) {
    const id = String(headers['webhook-id'])
    sent.set(id, (sent.get(id) ?? 0) + 1)
  }
  for (const { id, numbers, outcomes } of rows) {
    // No gap in the numbers, no request without its row, an end that is known.
    expect(numbers).toStrictEqual(numbers.map((_: number, index: number) => index + 1))
    expect(sent.get(id)).toBeLessThanOrEqual(numbers.length)
    expect(outcomes.at(-1)).toBe('success')
    for (const outcome of outcomes.slice(0, -1))
      expect(['interrupted', 'connection_closed']).toContain(outcome)
  }
  // A signal repeats only under the webhook-id it had.
  expect(new Set(sent.keys())).toStrictEqual(new Set(rows.map(({ id }) => id)))
  expect(new Set(rows.map(({ signal_id }) => signal_id)).size).toBe(rows.length)
  expect(await one.readEndpoint(admin, endpoint.id)).toMatchObject({ enabled: true, consecutiveFailures: 0 })
}
