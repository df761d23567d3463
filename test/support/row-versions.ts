import type pg from 'pg'

/*
 * What was written, told without reading what stands there: each row says which transaction wrote it (xmin), and a
 * table that has as many rows of as many transactions as before has not changed. An update leaves a later one, also
 * where it wrote what was there already.
 */

/** The tables to look at: all, or what one organization has in those that know organizations. */
export interface Looked {
  readonly organizationId?: string
  /** Tables that may change. */
  readonly but: readonly string[]
}

/** @returns how many rows each table has, and of which transactions: the same as before, if nothing was written */
export async function rowVersions(
  administrator: pg.Client,
  { organizationId, but }: Looked,
): Promise<Record<string, string>> {
  const ofAll = organizationId === undefined
  const looked = `${ofAll} ${but.join()}`
  const statements = kept.get(administrator) ?? new Map<string, pg.QueryConfig>()
  kept.set(administrator, statements)
  const statement = statements.get(looked) ?? {
    // Under a name it is planned once: that costs more than to count.
    name: `row versions ${statements.size}`,
    text: await statementFor(administrator, ofAll, but),
  }
  statements.set(looked, statement)
  const values = ofAll ? [] : [organizationId]
  const { rows } = await administrator.query<{ name: string; rows: string }>({ ...statement, values })
  return Object.fromEntries(rows.map((one) => [one.name, one.rows]))
}

/** The statements of each connection: tables neither come nor go while a test runs. */
const kept = new WeakMap<pg.Client, Map<string, pg.QueryConfig>>()

async function statementFor(
  administrator: pg.Client,
  ofAll: boolean,
  but: readonly string[],
): Promise<string> {
  const { rows: tables } = await administrator.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> all($1)
        and ($2 or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id'))
      order by 1`,
    [but, ofAll],
  )
  const where = ofAll ? '' : 'where organization_id = $1'
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, concat_ws(' ', count(*), sum(xmin::text::bigint)) as rows from ${name} ${where}`,
  )
  return counts.join(' union all ')
}
