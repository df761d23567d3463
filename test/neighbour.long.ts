import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: what one organization asks for, all that it may, slows the calls of another by half at most. Calm and loud
 * are measured in turn within one run, and only their ratio counts: the machine may be as slow as it likes.
 */

const RISKS = 22_000
const ROUNDS = 9
const CALLS_EACH = 20
const AT_MOST = 1.5

const dispatcher = new Agent({ connections: 64, pipelining: 1 })

let one: TestService
let door: Door
let loud: TestOrganization
let quiet: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  loud = await one.organization()
  quiet = await one.organization()
  await fill(loud, RISKS)
  await fill(quiet, RISKS)
  await one.administrator.query('vacuum analyze risks')
})
afterAll(() => one.close())

async function fill({ id, admin }: TestOrganization, risks: number): Promise<void> {
  await one.administrator.query(
    `insert into risks (organization_id, id, reference_number, title, description, status, category, treatment_strategy, labels, source,
       version, created_at, created_by, updated_at, updated_by)
     select $1, 'risk_' || lpad(n::text, 26, '0'), n, md5(n::text) || case when n % 8 = 0 then ' gateway' else '' end,
       repeat('What could happen, to whom, and what stands against it.', 4), 'identified', 'technical', 'mitigate', '{core}',
       'person', 1, now() - n * interval '1 minute', actor, now(), actor
     from generate_series(1, $3::int) n, lateral (select jsonb_build_object('type', 'user', 'id', $2::text,
       'displayName', 'Ada Example') as actor) one`,
    [id, admin.userId, risks],
  )
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

/** Without a look at the answer, which would take the event loop that is measured. */
async function get(secret: string, path: string): Promise<number> {
  const { statusCode, body } = await request(door.base + path, {
    dispatcher,
    headers: { authorization: `Bearer ${secret}` },
  })
  await body.dump()
  return statusCode
}

async function timed(secret: string): Promise<number[]> {
  const times: number[] = []
  for (let call = 0; call < CALLS_EACH; call++) {
    const from = performance.now()
    const status = await get(secret, '/v1/risks?limit=200&q=gateway&sort=title')
    times.push(performance.now() - from)
    expect(status).toBe(200)
    await sleep(10)
  }
  return times
}

/** Everything at the same time, until it is told to stop. */
function loudness(secret: string, person: Caller): () => Promise<void> {
  let isOver = false
  const again = async (work: (round: number) => Promise<unknown>) => {
    for (let round = 0; !isOver; round++) await work(round).catch(() => sleep(50))
  }
  const ask = (path: string) => async () => {
    if ((await get(secret, path)) === 503) await sleep(500)
  }
  const sorts = ['title', '-riskScore', 'status', '-updatedAt', 'category']
  const reads = Array.from({ length: 30 }, (_, lane) =>
    again((round) => ask(`/v1/risks?limit=200&q=gateway&sort=${sorts[(lane + round) % sorts.length]}`)()),
  )
  const exports = [again(ask('/v1/risks/export?format=csv&q=gateway&category=legal'))]
  const summaries = [again(ask('/v1/risks/summary?q=gateway'))]
  const table = `title,description\n${Array.from({ length: 2_000 }, (_, at) => `Imported ${at},text`).join('\n')}\n`
  const imports = [
    again(async () => {
      const { readFile } = await import('../server/sheets/read-file.ts')
      await readFile(person.organizationId, Buffer.from(table), null)
    }),
  ]
  return async () => {
    isOver = true
    await Promise.all([...reads, ...exports, ...summaries, ...imports])
  }
}

test('a quiet organization is as quick as ever next to a loud one', async () => {
  const [ofLoud, ofQuiet] = [await loud.key(['read:risks']), await quiet.key(['read:risks'])]
  await timed(ofQuiet.secret)
  const ratios: number[] = []
  const [calm, next]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const before = await timed(ofQuiet.secret)
    const stop = loudness(ofLoud.secret, loud.admin)
    const during = await timed(ofQuiet.secret)
    await stop()
    const after = await timed(ofQuiet.secret)
    // What else the machine does comes and goes: each loud phase is compared with the calm ones around it.
    ratios.push(percentile(during, 0.95) / percentile([...before, ...after], 0.95))
    calm.push(...before, ...after)
    next.push(...during)
  }
  const ratio = percentile(ratios, 0.5)
  const figures = [calm, next].map((times) =>
    [0.95, 0.5].map((share) => Math.round(percentile(times, share))),
  )
  console.log(
    `p95 ${figures[0]![0]} ms calm, ${figures[1]![0]} ms next to a loud one (median ${figures[0]![1]}, ${figures[1]![1]}): ` +
      `ratio ${ratio.toFixed(2)}, of rounds ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
  )
  expect(ratio).toBeLessThanOrEqual(AT_MOST)
})
