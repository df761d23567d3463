/** A process in which an error reaches no handler, in the way that its argument names; it says what became of it. */
import { connect } from 'node:net'
import { readConfig } from '../../server/config.ts'
import { openHttp } from '../../server/doors/http.ts'
import type { Metrics } from '../../server/doors/metrics.ts'
import { openLog } from '../../server/log.ts'
import type { Parts } from '../../server/operation.ts'
import { inUnit, isolatedFaults, isolateFaults } from '../../server/unit-of-work.ts'

isolateFaults(openLog('silent'), () => process.exit(1))

const never = () => new Promise<never>(() => {})
const throwLater = () => void setImmediate(() => thrown())
const thrown = () => {
  throw new Error('thrown by a timer')
}
const failed = (work: () => unknown) =>
  inUnit('job', 'one', async () => {
    work()
    await never()
  }).catch((error: Error) => error.message)

const ways: Record<string, () => unknown> = {
  'a timer of a unit': () => failed(throwLater),
  'a socket of a unit': async () => String(await failed(() => connect(1, '127.0.0.1'))).replace(/ 127.*/, ''),
  'a promise of a unit': () => failed(() => void Promise.reject(new Error('not awaited'))),
  'an event that a unit waits for, in another unit': () =>
    Promise.all([failed(throwLater), inUnit('delivery', 'two', async () => 'done')]),
  'a timer of a request': async () => {
    const log = openLog('silent')
    const config = readConfig({})
    const metrics = { answered: () => {}, refused: () => {} } as unknown as Metrics
    const app = await openHttp({ config, log } as Parts, metrics)
    app.get('/fails', () => {
      throwLater()
      return never()
    })
    app.get('/begun', (_request, reply) => {
      reply.hijack()
      reply.raw.write('begun')
      throwLater()
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const { status } = await fetch(`http://127.0.0.1:${port}/fails`)
    const begun = await fetch(`http://127.0.0.1:${port}/begun`)
      .then((answer) => answer.text())
      .catch(() => 'broken off')
    return [status, begun]
  },
  'a socket of no unit': () => void connect(1, '127.0.0.1'),
  'a promise of no unit': () => void Promise.reject(new Error('not awaited')),
  'a timer of no unit': throwLater,
  'a loop of sockets of no unit': () => {
    for (let n = 0; n < 100; n += 1) connect(1, '127.0.0.1')
  },
  'an invariant of Node, in a unit': () =>
    failed(() =>
      setImmediate(() => {
        throw Object.assign(new Error('broken'), { code: 'ERR_INTERNAL_ASSERTION' })
      }),
    ),
}

const outcome = (await ways[process.argv[2]!]!()) ?? null
// After whatever is thrown by then.
setTimeout(() => {
  process.stdout.write(JSON.stringify({ outcome, counts: isolatedFaults() }))
  process.exit(0)
}, 200)
