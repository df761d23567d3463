import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { dropWeeks } from '../server/webhooks/dispatcher/weeks.ts'
import { startWebhookTest, type WebhookTest } from './support/webhooks.ts'

/*
 * Weeks of the log are made and dropped while others write. Whoever would have to wait for a lock, even for a
 * millisecond, is refused it here (`lock_timeout`): so it is seen whether anybody waits, and not for how long.
 */

const DAY_MS = 86_400_000
const PARENTS = ['signals', 'deliveries', 'attempts']

let one: WebhookTest
let admin: Caller
let writer: pg.PoolClient

beforeEach(async () => {
  one = await startWebhookTest({ deliver: false })
  admin = (await one.organization()).admin
  await one.endpoint(admin, 'https://127.0.0.1:9/')
  await one.risk(admin)
  // Somebody is in the middle of a write to each of the tables, for as long as they like.
  writer = await one.service.database.engine.connect()
})
afterEach(async () => {
  await writer.query('rollback')
  writer.release()
  await one.close()
})

async function writeAndStay(): Promise<void> {
  await writer.query('begin')
  await writer.query('delete from signals where false')
  await writer.query('update deliveries set status = status')
  await writer.query('delete from attempts where false')
}

test('a week is made while others write, and waits for none of them', async () => {
  await writeAndStay()
  const before = await weeks()
  const client = await impatient()
  await client.query("select ensure_weeks(clock_now() + interval '60 days')")
  expect((await weeks()).length).toBeGreaterThan(before.length + 12)
  await client.end()
  await one.risk(admin)
  for (const parent of PARENTS) expect(await formsOf(parent), `what a week of ${parent} has`).toHaveLength(1)
})

test('nobody who writes waits while a week is dropped', async () => {
  await one.moveClock(60 * DAY_MS)
  await one.administrator.query("select ensure_weeks(clock_now() + interval '21 days')")
  const kept = (await weeks()).filter((week) => !isOver(week, 60 * DAY_MS))
  expect(kept.length).toBeLessThan((await weeks()).length)
  await writeAndStay()
  const dropping = dropWeeks(one.service.database, 30)
  await expect.poll(waitsForWriter).toBe(true)
  const client = await impatient()
  await client.query('begin')
  await client.query('update deliveries set status = status')
  await client.query('delete from signals where false')
  await client.query('delete from attempts where false')
  await client.query('commit')
  await client.end()
  expect(await waitsForWriter()).toBe(true)
  await one.risk(admin)
  await writer.query('commit')
  await dropping
  expect(await weeks()).toEqual(kept)
  expect(await one.deliveries(admin)).toHaveLength(1)
})

test('a week whose end a process did not see is dropped by the next', async () => {
  await one.moveClock(60 * DAY_MS)
  const kept = (await weeks()).filter((week) => !isOver(week, 60 * DAY_MS))
  await writeAndStay()
  const [first, second] = (await weeks()).filter((week) => week.startsWith('deliveries'))
  // Ended while it waited for the writer: half detached.
  const client = await impatient()
  await expect(
    client.query(
      `set statement_timeout = 200; alter table deliveries detach partition ${first} concurrently`,
    ),
  ).rejects.toThrow()
  await client.query('set statement_timeout = 0')
  await expect(
    client.query(`alter table deliveries detach partition ${first} concurrently`),
  ).rejects.toThrow()
  await writer.query('commit')
  await dropWeeks(one.service.database, 30)
  await client.query(`alter table deliveries detach partition ${second} concurrently`).catch(() => {})
  await client.end()
  await dropWeeks(one.service.database, 30)
  expect(await weeks()).toEqual(kept)
})

/** The owner of the tables, who waits for nobody. */
async function impatient(): Promise<pg.Client> {
  const client = one.service.database.owner()
  await client.connect()
  await client.query("set lock_timeout = '1ms'")
  return client
}

const isOver = (week: string, movedMs: number): boolean => {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(week)!
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + 37 * DAY_MS <= Date.now() + movedMs
}

async function waitsForWriter(): Promise<boolean> {
  const { rows } = await one.administrator.query(
    `select exists (select from pg_stat_activity
       where application_name = 'plumbline upkeep' and wait_event_type = 'Lock' and datname = current_database()) as waits`,
  )
  return rows[0].waits
}

async function weeks(): Promise<string[]> {
  const { rows } = await one.administrator.query(
    "select relname as week from pg_class where relkind = 'r' and relname ~ '^(signals|deliveries|attempts)_[0-9]{8}$' order by 1",
  )
  return rows.map(({ week }) => week)
}

/** Columns, constraints, indexes and settings of the partitions: one where all are alike. */
async function formsOf(parent: string): Promise<string[]> {
  const { rows } = await one.administrator.query(
    `select distinct jsonb_build_object(
        'columns', (select jsonb_agg(jsonb_build_array(attname, atttypid, attnotnull, attgenerated, attcollation) order by attnum)
                      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped),
        'constraints', (select jsonb_agg(pg_get_constraintdef(k.oid) order by pg_get_constraintdef(k.oid)) from pg_constraint k where conrelid = c.oid),
        'indexes', (select count(*) from pg_index where indrelid = c.oid),
        'options', (select array_agg(option order by option) from unnest(c.reloptions) option), 'security', array[c.relrowsecurity, c.relforcerowsecurity]) as form
       from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = $1::regclass`,
    [parent],
  )
  return rows.map(({ form }) => JSON.stringify(form))
}
