import { setTimeout as sleep } from 'node:timers/promises'
import { type BigRegister, makeRegister, signIn } from './big-register.ts'
import { median, quantile } from './figures.ts'
import { Connection, requestBytes, webRequestBytes } from './http.ts'
import { atRate } from './pace.ts'
import { type Finding, type Row, ratioBelow } from './row.ts'
import { sampleRisk } from './seed.ts'
import type { RunningService, Stand } from './stand.ts'

const RISKS = Number(process.env.BENCH_SCALE ?? 100_000)
const RATE = { aSecond: 40, seconds: 5, atATime: 16 }

export const matrix: Row = {
  name: 'matrix',
  title: `recalculation of ${RISKS.toLocaleString('en')} risks by another matrix, and what others notice of it`,
  notes: [
    'The change moves a third of the risks to another level, each with its entry and its signal. Meanwhile others in the',
    `same organization send POST /v1/risks, ${RATE.aSecond} a second; calm is the same before it. BENCH_SCALE makes the register`,
    'smaller. Risks a second are told and nothing is asked of them: the job gives way to others.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  stand.say(`matrix: filling ${RISKS.toLocaleString('en')} risks`)
  const register = await makeRegister(stand, RISKS)
  const service = await stand.service(register.database)
  const parts = stand.parts(register.database)
  const connections = await Promise.all(
    Array.from({ length: RATE.atATime }, () => Connection.open(service.port)),
  )
  const request = requestBytes('POST', '/v1/risks', register.secret, sampleRisk(register))
  const sample = async (): Promise<number> => {
    const times: number[] = []
    await atRate(RATE, async (free) => {
      const began = performance.now()
      const { status, body } = await connections[free]!.send(request)
      if (status !== 201) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
      times.push(performance.now() - began)
    })
    return quantile(times, 0.95)
  }
  await sample()
  stand.say('matrix: calm, then beside the recalculation')
  const calm: number[] = []
  for (let round = 0; round < Math.max(3, stand.rounds); round += 1) calm.push(await sample())
  const before = performance.now()
  await changeMatrix(register, service, await signIn(parts, register))
  const beside: number[] = []
  while (await isUnderWay(register)) beside.push(await sample())
  while (await isUnderWay(register)) await sleep(20)
  const seconds = (performance.now() - before) / 1_000
  for (const connection of connections) connection.close()
  await parts.close()
  await service.stop()
  const [product, yardstick] = [median(beside), median(calm)]
  return [
    {
      measure: 'p95 of POST /v1/risks meanwhile',
      unit: 'ms',
      ...{ product, yardstick, ratio: product / yardstick },
      yardstickIs: 'calm',
      target: ratioBelow(1.5),
    },
    {
      measure: 'risks recalculated, others beside it',
      unit: '/s',
      ...{ product: RISKS / seconds, yardstick: RATE.aSecond, ratio: RISKS / seconds / RATE.aSecond },
      yardstickIs: 'risks created beside it',
      target: null,
    },
  ]
}

/** What was medium by a moderate impact, and what was high by a major one, is one level more. */
async function changeMatrix(register: BigRegister, service: RunningService, session: string): Promise<void> {
  const connection = await Connection.open(service.port)
  const critical = { level: 'critical' }
  const { status, body } = await connection.send(
    webRequestBytes(service.port, '/web/updateRiskMatrix', session, {
      cells: {
        possible: { major: critical, severe: critical },
        likely: { moderate: critical, major: critical },
        almost_certain: { moderate: critical },
      },
    }),
  )
  connection.close()
  if (status !== 200) throw new Error(`${status}: ${body.toString().slice(0, 500)} (${register.id})`)
}

const isUnderWay = async ({ database }: BigRegister): Promise<boolean> =>
  (
    await database.administrator.query(
      "select exists (select from jobs where kind = 'recalculateRisks' and ended_at is null) as is",
    )
  ).rows[0].is
