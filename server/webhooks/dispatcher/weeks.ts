import type pg from 'pg'
import { type Database, statement } from '../../database/connect.ts'

/*
 * The log stands in partitions of a week, made ahead and dropped when they are past their keeping. Neither may hold up
 * who writes meanwhile, and PostgreSQL's plain ways do: they lock the parent against everybody, and wait for whoever
 * is at it, with all others behind them. So a week is made beside its parent and attached (`ensure_weeks`), and it is
 * detached concurrently, which no function and no transaction can, and then dropped where nobody knows it any more.
 *
 * It takes the login that owns the tables to do that. Where the service does not know that (`DATABASE_OWNER_URL`), a
 * function with its rights drops the week: with a lock that it waits for so shortly that no write is much later.
 */

const makeWeeks = statement("select ensure_weeks(clock_now() + interval '21 days')")

/** Weeks are made three ahead of what is written into them. */
export async function ensureWeeks(pool: pg.Pool): Promise<void> {
  await pool.query(makeWeeks())
}

/** Of the one process that drops at a time; it goes with the connection. */
const LOCK = "hashtext('plumbline.drop_weeks')"

/**
 * Weeks that are past their keeping, and those whose end a process did not see: detached only by half, or detached and
 * not dropped.
 */
const FIND = `
  with weeks as materialized (
    select week.oid, week.relname::text as name, week.relowner as owner, parent.relname::text as parent
      from pg_class parent join pg_class week on week.relnamespace = parent.relnamespace
     where parent.relname in ('signals', 'deliveries', 'attempts') and parent.relkind = 'p'
       and parent.relnamespace = 'public'::regnamespace
       and week.relkind = 'r' and week.relname ~ ('^' || parent.relname || '_[0-9]{8}$')
  )
  select name as week, parent, inhdetachpending as "isPending", pg_has_role(owner, 'usage') as "isOwned"
    from weeks left join pg_inherits on inhrelid = oid
   where inhrelid is null or inhdetachpending
      or to_timestamp(right(name, 8), 'YYYYMMDD') + interval '7 days' <= clock_now() - $1::int * interval '1 day'
   order by name`

interface Found {
  readonly week: string
  readonly parent: string
  /** Of one that is no partition any more: null. */
  readonly isPending: boolean | null
  readonly isOwned: boolean
}

const dropWithLock = statement("select drop_weeks(clock_now() - $1::int * interval '1 day')")

/** Drops the weeks that are past their keeping; where another process is at it, leaves it to that one. */
export async function dropWeeks(database: Database, retentionDays: number): Promise<void> {
  const owner = database.owner()
  owner.on('error', () => {})
  await owner.connect()
  try {
    const { rows } = await owner.query(`select pg_try_advisory_lock(${LOCK}) as mine`)
    if (!rows[0].mine) return
    const found = (await owner.query<Found>(FIND, [retentionDays])).rows
    for (const one of found.filter(({ isOwned }) => isOwned)) await drop(owner, one)
    if (found.some(({ isOwned }) => !isOwned)) await database.engine.query(dropWithLock(retentionDays))
  } finally {
    await owner.end().catch(() => {})
  }
}

async function drop(owner: pg.Client, { week, parent, isPending }: Found): Promise<void> {
  if (isPending !== null)
    await owner.query(
      `alter table ${parent} detach partition ${week} ${isPending ? 'finalize' : 'concurrently'}`,
    )
  await owner.query(`drop table ${week}`)
}
