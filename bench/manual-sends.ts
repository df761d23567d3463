import { setTimeout as sleep } from 'node:timers/promises'
import { compare, interleave } from './figures.ts'
import { begin, delay, type Scene, setUp } from './hanging.ts'
import { Connection, requestBytes } from './http.ts'
import { type Finding, type Row, ratioAtMost } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { RunningService, Stand } from './stand.ts'

/** More than the organization may have under way, so that it always has all of them. */
const CALLERS = 8

export const manualSends: Row = {
  name: 'manual-sends',
  title: 'one organization asks for tests of an endpoint that hangs, as many as it can, beside 19 others',
  notes: [
    'The yardstick is the same without those tests. The 99th percentile is from the 201 of a change to the receiver,',
    `as in the row before. ${CALLERS} callers ask for a test again as soon as they are answered or, where refused, each 100 ms.`,
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const scene = await setUp(stand)
  const look = async (holds: boolean): Promise<number> => {
    stand.say(`manual-sends: ${holds ? 'with tests that hang' : 'calm'}`)
    await begin(scene.database, false)
    const service = await stand.service(scene.database)
    await openConnections(scene, service)
    const stop = holds ? await hold(scene, service) : null
    const p99 = await delay(scene, service)
    stop?.()
    await service.stop()
    return p99
  }
  const seen = await interleave(
    stand.rounds,
    () => look(true),
    () => look(false),
  )
  await scene.receiver.stop()
  return [
    {
      measure: 'p99 of the others',
      unit: 'ms',
      ...compare(seen.products, seen.yardsticks),
      yardstickIs: 'calm',
      target: ratioAtMost(1.5),
    },
  ]
}

/** A few changes in each organization, so that what is measured afterwards finds connections. */
async function openConnections({ receiver, subscribers }: Scene, service: RunningService): Promise<void> {
  const connection = await Connection.open(service.port)
  await receiver.reset()
  for (const one of [...subscribers, ...subscribers, ...subscribers])
    await connection.send(requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  connection.close()
  const wellEach = subscribers[0]!.endpointIds.length - 1
  await receiver.reaches(subscribers.length * 3 * wellEach, 60_000)
}

/** Resolves when the receiver holds all that the organization may send. */
async function hold({ subscribers, receiver }: Scene, service: RunningService): Promise<() => void> {
  const { secret, endpointIds } = subscribers[0]!
  const request = requestBytes('POST', `/v1/webhook-endpoints/${endpointIds[0]}/test`, secret)
  let holds = true
  const connections = await Promise.all(Array.from({ length: CALLERS }, () => Connection.open(service.port)))
  const ask = async (connection: Connection): Promise<void> => {
    while (holds) {
      const { status } = await connection.send(request)
      if (status === 429) await sleep(100)
      else if (status !== 200) throw new Error(`a test was answered ${status}`)
    }
  }
  let failed: Error | null = null
  for (const connection of connections)
    void ask(connection).catch((error) => {
      if (holds) failed = error
    })
  while (!failed && (await receiver.read()).hanging < 5) await sleep(20)
  return () => {
    if (failed) throw failed
    holds = false
    for (const connection of connections) connection.close()
  }
}
