import type pg from 'pg'
import { type Row, statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { keyOfContent, keyOfInfected, readKey } from './keys.ts'

/**
 * What becomes of bytes that nobody needs. A file that nothing points at goes a day after that was first seen, one that
 * was never finished a day after it was begun; the bytes go when no file has them. Rows go first and bytes afterwards:
 * whatever ends the process between, what is left is bytes that no row knows, and these are looked for as well.
 *
 * Whoever points at a file holds its row, by the foreign key, and a row that somebody holds is passed over; whoever comes
 * later finds that there is no such file.
 */
export async function sweepFiles({ database, files }: Parts): Promise<void> {
  await database.gate.query(markLoose())
  await database.gate.query(removeFiles())
  const { rows } = await database.gate.query<Row>(removeContents())
  for (const { organizationId, id, scan } of rows as unknown as Gone[])
    await files.remove((scan === 'infected' ? keyOfInfected : keyOfContent)(organizationId, id))
}

const SWEEP_LOCK = "hashtext('plumbline.sweep-files')"

/** Keeps files from being removed until the session ends: a backup copies the bytes of every row that it has seen. */
export async function holdSweeps(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${SWEEP_LOCK})`)
}

/** False while a backup is made; the next sweep then removes what this one would have. */
const MAY_REMOVE = `(select pg_try_advisory_xact_lock(${SWEEP_LOCK}))`

interface Gone {
  readonly organizationId: string
  readonly id: string
  readonly scan: string
}

/**
 * Removes bytes that no row knows and that have been there for a day: what a kill left. Those that a call is about to
 * write the row of are younger.
 */
export async function sweepStore({ database, files, log }: Parts): Promise<void> {
  const { rows } = await database.gate.query<{ before: Date }>(aDayAgo())
  const before = new Date(rows[0]!.before)
  let old: string[] = []
  const removeUnknown = async () => {
    const keys = old.map((key) => ({ key, told: readKey(key) }))
    const { rows } = await database.gate.query<Row>(
      known(
        keys.map(({ told }) => told?.fileId ?? ''),
        keys.map(({ told }) => told?.place ?? ''),
      ),
    )
    const isKnown = new Set(rows.map(({ id, place }) => `${id} ${place}`))
    for (const { key, told } of keys)
      if (!told || !isKnown.has(`${told.fileId} ${told.place}`)) {
        await files.remove(key)
        log.info({ key }, 'bytes that no file has were removed')
      }
    old = []
  }
  for await (const { key, at } of files.list()) {
    if (at < before) old.push(key)
    if (old.length >= 500) await removeUnknown()
  }
  if (old.length > 0) await removeUnknown()
}

const POINTED_AT = `(exists (
  select from evidence_files e where e.organization_id = f.organization_id and e.file_id = f.id)
  or exists (select from comment_files m where m.organization_id = f.organization_id and m.file_id = f.id)
  or exists (select from policy_version_files v where v.organization_id = f.organization_id and v.file_id = f.id))`

const markLoose = statement(`
  update files f set loose_since = case when ${POINTED_AT} then null else clock_now() end
   where f.content_id is not null and (f.loose_since is null) <> ${POINTED_AT}`)

const removeFiles = statement(`
  delete from files f using (
    select f.organization_id, f.id from files f
     where ${MAY_REMOVE} and not f.legal_hold and not ${POINTED_AT}
       and (f.loose_since <= clock_now() - interval '1 day'
         or f.content_id is null and f.created_at <= clock_now() - interval '1 day'
            and (f.claimed_until is null or f.claimed_until <= clock_now()))
       for update skip locked) gone
   where f.organization_id = gone.organization_id and f.id = gone.id`)

const removeContents = statement(`
  delete from file_contents c using (
    select c.organization_id, c.id from file_contents c
     where ${MAY_REMOVE} and not exists (select from files f where f.organization_id = c.organization_id and f.content_id = c.id)
       for update skip locked) gone
   where c.organization_id = gone.organization_id and c.id = gone.id
  returning c.organization_id as "organizationId", c.id, c.scan`)

const aDayAgo = statement("select clock_now() - interval '1 day' as before")

/** Of ids, each of bytes in a place: those that a row knows there. */
const known = statement(`
  select asked.id, asked.place
    from unnest($1::text[], $2::text[]) as asked (id, place)
   where case asked.place
     when 'incoming' then exists (select from files f where f.id = asked.id and f.content_id is null)
     else exists (select from file_contents c
       where c.id = asked.id and (c.scan = 'infected') = (asked.place = 'infected')) end`)
