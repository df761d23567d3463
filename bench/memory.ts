import { readFileSync } from 'node:fs'
import { addressesAt, makeSubscribers, putIn, untilWritten } from './backlog.ts'
import { median } from './figures.ts'
import { below, type Finding, type Row, ratioAtMost } from './row.ts'
import type { Stand } from './stand.ts'

const SIGNALS_EACH = 5_000
const EVERY_MS = 100

export const memory: Row = {
  name: 'memory',
  title: 'resident memory of one process that delivers 100,000, 20 endpoints in 2 organizations',
  notes: [
    'A backlog that falls due at one moment. The peak stands beside what the process held when it was ready; the',
    'last third of the time beside the middle third, where what is kept for each delivery would show.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const receiver = await stand.receiver()
  const size = { organizations: 2, endpoints: 10 }
  const subscribers = await makeSubscribers(stand, database, size, addressesAt(receiver))
  const service = await stand.service(database)
  const idle = residentMemoryOf(service.pid)
  stand.say('memory: putting 100,000 deliveries in')
  const count = await putIn(database, subscribers, SIGNALS_EACH)
  await receiver.reset()
  stand.say('memory: delivering them')
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(residentMemoryOf(service.pid)), EVERY_MS)
  try {
    await receiver.reaches(count, 600_000)
    await untilWritten(database)
  } finally {
    clearInterval(sampling)
  }
  const peak = Math.max(...samples)
  await service.stop()
  await receiver.stop()
  const third = Math.floor(samples.length / 3)
  const [middle, end] = [median(samples.slice(third, 2 * third)), median(samples.slice(2 * third))]
  return [
    {
      measure: 'peak',
      unit: 'MB',
      product: peak,
      yardstick: idle,
      yardstickIs: 'ready, before the first',
      ratio: peak / idle,
      target: below(300),
    },
    {
      measure: 'last third',
      unit: 'MB',
      product: end,
      yardstick: middle,
      yardstickIs: 'middle third',
      ratio: end / middle,
      target: ratioAtMost(1.1),
    },
  ]
}

/** In MB, as Linux tells; NaN elsewhere. */
function residentMemoryOf(pid: number): number {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) / 1024 : Number.NaN
  } catch {
    return Number.NaN
  }
}
