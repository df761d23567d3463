import { afterAll, beforeAll, expect, test } from 'vitest'
import { risk } from '../model/kinds/risk.ts'
import type { Caller } from '../server/caller/caller.ts'
import { runDue } from '../server/clock/clock.ts'
import { jobTasks } from '../server/jobs/scheduled-tasks.ts'
import type { Refusal } from '../server/refusal.ts'
import { readFile } from '../server/sheets/read-file.ts'
import { copyRecord } from './support/copies.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/*
 * Promise: a list of any length can be taken out. Of more rows than an answer has, a job makes the file: for whoever
 * asked for it alone, while they may read all that is in it, and for some days.
 */

const ROWS = 2_600
let one: TestService
let door: Door
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  door = await one.listen()
  acme = await one.organization()
  const { body } = await one.call(acme.admin, 'createRisk', { title: 'Risk 1', labels: ['a|b', '=1'] })
  const { id } = body as { id: string }
  const changes = `jsonb_build_object('id', 'risk_' || lpad(n::text, 26, '0'), 'reference_number', n,
    'title', 'Risk ' || n, 'created_at', r.created_at + n * interval '1 second')`
  await copyRecord(one, risk, { id, from: 2, to: ROWS, changes })
  const made = await one.call(acme.admin, 'createControl', { code: 'C-1', title: 'Patch' })
  const control = (made.body as { id: string }).id
  await one.call(acme.admin, 'linkRisk', { id, targetKind: 'control', targetId: control })
  await one.call(acme.admin, 'createRiskTreatment', { riskId: id, action: 'Patch it' })
})
afterAll(() => one.close())

interface Told {
  id: string
  state: string
  total: number
  done: number
  failure: string | null
  result: { name: string; type: string; bytes: number } | null
}

const ask = async <Body>(caller: Caller, name: string, input: object): Promise<Body> =>
  (await one.call(caller, name, input)).body as Body
const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: Refusal) => error.code,
  )
const ended = (caller: Caller, id: string) =>
  until(async () => {
    const job = await ask<Told>(caller, 'getJob', { id })
    return ['succeeded', 'failed'].includes(job.state) && job
  })
const get = (secret: string, path: string) =>
  fetch(`${door.base}${path}`, { headers: { authorization: `Bearer ${secret}` } })

test('a program is told where more rows than an answer has can be had, and gets them', async () => {
  const { secret } = await acme.key(['read:risks', 'read:controls'])
  const refused = await get(secret, '/v1/risks/export?format=csv')
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'too_many_rows', detail: expect.stringContaining('/v1/exports') },
  ])
  expect((await get(secret, '/v1/risks/export?format=csv&q=Risk+77')).status).toBe(200)

  for (const format of ['csv', 'json', 'xlsx']) {
    const started = await door.send(secret, 'POST', '/v1/exports', {
      body: { type: 'risk', format, filters: { sort: 'createdAt' } },
    })
    expect([started.status, started.headers.location]).toEqual([201, `/v1/jobs/${started.body.id}`])
    const job = await until(async () => {
      const { body } = await door.send(secret, 'GET', `/v1/jobs/${started.body.id}`)
      return (body as Told).state === 'succeeded' && (body as Told)
    })
    expect(job).toMatchObject({ title: 'Export a list: risks' })
    expect(job).toMatchObject({ done: ROWS, total: ROWS, result: { name: expect.stringMatching(/^risks-/) } })
    const response = await get(secret, `/v1/jobs/${job.id}/result`)
    expect(response.headers.get('content-length')).toBe(String(job.result!.bytes))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.length).toBe(job.result!.bytes)
    if (format === 'json') {
      const { records, links } = JSON.parse(bytes.toString()) as {
        records: { title: string }[]
        links: object
      }
      expect([records.length, records[0]!.title, records.at(-1)!.title]).toEqual([
        ROWS,
        'Risk 1',
        `Risk ${ROWS}`,
      ])
      expect(links).toMatchObject({ control: [{ linkedCalled: expect.stringContaining('Patch') }] })
      continue
    }
    const file = await readFile(acme.id, bytes, null)
    expect(file.head).toContain('Title')
    const rows = file.stretches.flatMap((text) => (JSON.parse(text) as { rows: unknown[] }).rows)
    expect(rows).toHaveLength(ROWS)
    if (format === 'csv') continue
    expect(file.sheets).toEqual(expect.arrayContaining(['Risks', 'Risk treatments', 'About the columns']))
    const linked = await readFile(acme.id, bytes, 'Risk to controls')
    expect(linked.stretches.join()).toContain('Patch')
    const about = await readFile(acme.id, bytes, 'About the columns')
    expect(about.stretches.join()).toContain('residualLevel')
  }
})

test('the file is for whoever asked for it, while they may read what is in it, and then it is gone', async () => {
  const editor = await acme.person('editor')
  const { id } = await ask<Told>(editor, 'startExport', { type: 'risk', format: 'csv' })
  const job = await ended(editor, id)
  expect(job.result).toMatchObject({ type: 'text/csv; charset=utf-8' })
  const { url } = await ask<{ url: string }>(editor, 'getJobResult', { id })
  // An admin sees that there is such a job, and no more; whoever else, nothing.
  expect(await ask<Told>(acme.admin, 'getJob', { id })).toMatchObject({ result: null, state: 'succeeded' })
  expect(await code(one.call(acme.admin, 'getJobResult', { id }))).toBe('conflict')
  expect(await code(one.call(await acme.person('editor'), 'getJobResult', { id }))).toBe('not_found')
  const zenith = await one.organization()
  expect(await code(one.call(zenith.admin, 'getJobResult', { id }))).toBe('not_found')

  // By its rights at the time of the download: a link is a call that is made again.
  const { secret, id: keyId } = await acme.key(['read:risks'])
  expect(keyId).toBeTruthy()
  expect((await get(secret, `/v1/jobs/${id}/result`)).status).toBe(404)
  await one.administrator.query(
    "update members set status = 'disabled' where organization_id = $1 and user_id = $2",
    [acme.id, editor.userId],
  )
  const followed = await fetch(new URL(new URL(url).pathname, door.base))
  expect(followed.status).toBeGreaterThanOrEqual(400)
  expect(await followed.text()).not.toContain('Risk 1')

  await one.moveClock(4 * 86_400_000)
  await runDue(one.service, jobTasks)
  const { rows } = await one.administrator.query(
    'select count(*)::int as count from job_result_parts where job_id = $1',
    [id],
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('what its caller may not read is refused at the start, and of the rest by name', async () => {
  const { secret } = await acme.key(['read:assets'])
  const start = (body: object) => door.send(secret, 'POST', '/v1/exports', { body })
  expect((await start({ type: 'risk' })).status).toBe(403)
  expect((await start({ type: 'nothing' })).status).toBe(422)
  expect((await start({ type: 'asset', filters: { staus: ['x'] } })).body).toMatchObject({
    errors: [{ path: 'filters.staus' }],
  })
  const empty = await start({ type: 'asset', format: 'json' })
  expect(empty.status).toBe(201)
})
