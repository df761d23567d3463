import { setTimeout as sleep } from 'node:timers/promises'
import { makeRegister } from './big-register.ts'
import { compare, interleave } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { residentMemoryOf } from './memory.ts'
import { below, type Finding, type Row, ratioAtLeast } from './row.ts'
import type { Stand } from './stand.ts'

const ROWS = Number(process.env.BENCH_SCALE ?? 100_000)
const PAGE = 200

export const exports: Row = {
  name: 'exports',
  title: `${ROWS.toLocaleString('en')} risks taken out as a workbook, by a job`,
  notes: [
    'POST /v1/exports, and from then until the job has succeeded; the file is downloaded as well, outside of the time.',
    `The yardstick reads the same list page by page, ${PAGE} records at a time, by GET /v1/risks on one connection. Both by one`,
    'process, whose peak of memory stands beside what it held before the first.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  stand.say('exports: filling the register')
  const { database, secret } = await makeRegister(stand, ROWS)
  const service = await stand.service(database)
  const connection = await Connection.open(service.port)
  const ask = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await connection.send(requestBytes(method, path, secret, body))
    if (answer.status >= 300)
      throw new Error(`exports: ${answer.status} ${answer.body.toString().slice(0, 300)}`)
    return JSON.parse(answer.body.toString()) as Body
  }
  const exported = async () => {
    const from = performance.now()
    const { id } = await ask<Job>('POST', '/v1/exports', { type: 'risk', filters: { sort: 'createdAt' } })
    for (;;) {
      const job = await ask<Job>('GET', `/v1/jobs/${id}`)
      if (job.state === 'failed') throw new Error(`exports: ${job.failure}`)
      if (job.state !== 'succeeded') {
        await sleep(100)
        continue
      }
      const rate = job.done / ((performance.now() - from) / 1000)
      const { body } = await connection.send(requestBytes('GET', `/v1/jobs/${id}/result`, secret))
      stand.say(`exports: ${Math.round(body.length / 1024)} KB`)
      return rate
    }
  }
  const listed = async () => {
    const from = performance.now()
    let count = 0
    for (let cursor: string | null = ''; cursor !== null; ) {
      const further: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const page: Page = await ask('GET', `/v1/risks?sort=createdAt&limit=${PAGE}${further}`)
      count += page.data.length
      cursor = page.nextCursor
    }
    return count / ((performance.now() - from) / 1000)
  }
  const idle = residentMemoryOf(service.pid)
  let peak = idle
  const looking = setInterval(() => {
    peak = Math.max(peak, residentMemoryOf(service.pid))
  }, 100)
  stand.say('exports: a workbook against the list')
  await exported()
  const onlyExports = peak
  const { products, yardsticks } = await interleave(stand.rounds, exported, listed)
  clearInterval(looking)
  connection.close()
  await service.stop()
  return [
    {
      measure: 'rows exported',
      unit: '/s',
      ...compare(products, yardsticks),
      yardstickIs: 'list by REST',
      target: ratioAtLeast(0.3),
    },
    {
      measure: 'memory for an export',
      unit: 'MB',
      product: onlyExports - idle,
      yardstick: idle,
      yardstickIs: 'ready, before the first',
      ratio: (onlyExports - idle) / idle,
      target: below(150),
    },
  ]
}

interface Job {
  readonly id: string
  readonly state: string
  readonly failure: string | null
  readonly done: number
}

interface Page {
  readonly data: readonly unknown[]
  readonly nextCursor: string | null
}
