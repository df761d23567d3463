/** Promise: whatever kills the processes at it, a framework comes in whole and once, and so do answers in another edition. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { revision4 } from './support/catalog-samples.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { JobWorkers } from './support/job-workers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

const KILLS = Number(process.env.IMPORT_KILLS ?? 8)
const REQUIREMENTS = 922 + 18

/** It only starts jobs; the processes below work them. */
let one: TestService
let acme: TestOrganization
let workers: JobWorkers
beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' })
  acme = await one.organization()
  workers = new JobWorkers(one)
})
afterEach(() => workers.endAll())
afterAll(() => one.close())

type Row = Readonly<Record<string, unknown>> & { readonly id: string }
const call = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as Row

const count = async (sql: string): Promise<number> => {
  const { rows } = await one.administrator.query(`select count(*)::int as count from ${sql}`, [acme.id])
  return rows[0].count as number
}
const imports = () => frameworkImportsOf(one, acme.admin)

/** Kills whoever works, again and again while the job of it is under way. @returns how often */
async function killWhile(isUnderWay: () => Promise<boolean>): Promise<number> {
  let kills = 0
  let worker = await workers.start()
  for (; kills < KILLS; kills += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 400))
    if (!(await isUnderWay())) break
    await workers.end(worker)
    worker = await workers.start()
  }
  return kills
}

test('an import that is killed again and again brings a framework in whole, and once', async () => {
  const { ask, send } = imports()
  const { id } = await send('catalog.json', revision4())
  await ask('applyFrameworkImport', { id })
  const stage = async () => (await ask('getFrameworkImport', { id })).stage
  const kills = await killWhile(async () => {
    // Nothing is seen of it before all is there.
    expect([0, REQUIREMENTS]).toContain(await count('requirements where organization_id = $1'))
    return (await stage()) === 'applying'
  })
  expect(kills).toBeGreaterThan(0)
  await until(async () => (await stage()) === 'applied', 'its end', 120_000)
  expect(await count('requirements where organization_id = $1')).toBe(REQUIREMENTS)
  expect(await count('frameworks where organization_id = $1')).toBe(1)
  const entries = `audit_entries where organization_id = $1 and action = 'requirement.create'`
  expect(await count(entries)).toBe(REQUIREMENTS)
}, 300_000)

test('answers that move to another edition do so wholly and once, whoever is killed', async () => {
  const worker = await workers.start()
  const { bring } = imports()
  const bytes = (edition: string) =>
    Buffer.from(
      revision4()
        .toString()
        .replace(/"version": ?"[^"]+"/, `"version": "${edition}"`),
    )
  const [older, newer] = [await bring('a.json', bytes('a')), await bring('b.json', bytes('b'))]
  expect([older.result, newer.result]).toMatchObject([{ added: REQUIREMENTS }, { added: REQUIREMENTS }])
  await workers.end(worker)
  const { rows } = await one.administrator.query(
    'select id from requirements where framework_id = $1 and assessable order by sort_order limit 300',
    [older.frameworkId],
  )
  for (const { id } of rows) await call('updateRequirement', { id, note: `Answered ${id}` })
  const [id, toId] = [older.frameworkId, newer.frameworkId]
  const plan = await call('planFrameworkMigration', { id, toId })
  const begun = await call('startFrameworkMigration', { fromId: id, toId, planned: plan.planned })
  const read = () => call('getFrameworkMigration', { id: begun.id })
  const moved = `requirements where organization_id = $1 and framework_id = '${toId}' and note like 'Answered %'`
  await killWhile(async () => {
    expect([0, rows.length]).toContain(await count(moved))
    return (await read()).stage === 'applying'
  })
  await until(async () => (await read()).stage === 'applied', 'its end', 120_000)
  expect(await count(moved)).toBe(rows.length)
  expect(
    await count(
      `requirements where organization_id = $1 and framework_id = '${toId}' and note is not null and version <> 2`,
    ),
  ).toBe(0)
}, 600_000)
