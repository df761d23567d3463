import { addressesAt, makeSubscribers } from './backlog.ts'
import { deliverAll } from './deliveries.ts'
import { compare, interleave } from './figures.ts'
import type { Receiver } from './receiver.ts'
import { type Finding, type Row, ratioAtLeast, ratioAtMost } from './row.ts'
import type { Stand } from './stand.ts'

const SEVERAL = [2, 4, 8]
/** Ever more: a receiver of one core takes seconds to shake hands with all of them at once, and attempts time out. */
const WARMING = [5, 20, 60, 200]
const SIZE = { organizations: 2, endpoints: 10 }

export const processes: Row = {
  name: 'processes',
  title: `deliveries end to end by ${SEVERAL.join(', ')} processes on one database, 20 endpoints in 2 organizations`,
  notes: [
    'The backlog of the row deliveries, over connections that are open already; the yardstick is one process on a database of its own, at the same receiver.',
    'Where the machine has fewer cores than there are processes, more of them are no faster: what is asked is that',
    'they lose nothing in each other’s way. Requests are counted when every result is written, so that one more than',
    'there are deliveries is one that was sent twice.',
  ],
  run: measure,
}

interface Delivered {
  readonly rate: number
  /** For each delivery. */
  readonly requests: number
}

async function measure(stand: Stand): Promise<Finding[]> {
  const receiver = await stand.receiver()
  const one = await scene(stand, receiver, 1)
  const findings: Finding[] = []
  for (const count of SEVERAL) findings.push(...(await compared(stand, receiver, one, count)))
  await one.stop()
  await receiver.stop()
  return findings
}

async function compared(stand: Stand, receiver: Receiver, one: Scene, count: number): Promise<Finding[]> {
  const several = await scene(stand, receiver, count)
  stand.say(`processes: warming up ${count}`)
  for (const signalsEach of WARMING) {
    await several.deliver(signalsEach)
    await one.deliver(signalsEach)
  }
  stand.say(`processes: ${count} against one`)
  const seen = await interleave(
    stand.rounds,
    () => several.deliver(),
    () => one.deliver(),
  )
  await several.stop()
  const of = (what: keyof Delivered) =>
    compare(
      seen.products.map((delivered) => delivered[what]),
      seen.yardsticks.map((delivered) => delivered[what]),
    )
  const yardstickIs = 'one process'
  return [
    {
      measure: `deliveries by ${count}`,
      unit: '/s',
      ...of('rate'),
      yardstickIs,
      target: count === 4 ? ratioAtLeast(0.95) : null,
    },
    { measure: 'requests for each', unit: '', ...of('requests'), yardstickIs, target: ratioAtMost(1) },
  ]
}

type Scene = Awaited<ReturnType<typeof scene>>

async function scene(stand: Stand, receiver: Receiver, count: number) {
  const database = await stand.database()
  const subscribers = await makeSubscribers(stand, database, SIZE, addressesAt(receiver))
  const services = await Promise.all(Array.from({ length: count }, () => stand.service(database)))
  return {
    deliver: async (signalsEach?: number): Promise<Delivered> => {
      const { rate, count: deliveries } = await deliverAll(
        { stand, database, receiver, subscribers, services },
        signalsEach,
      )
      return { rate, requests: (await receiver.read()).requests / deliveries }
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()))
    },
  }
}
