import pg from 'pg'
import { DatabaseUnfit } from './unfit.ts'

/*
 * How the owner of the tables reads them for a backup. Row security is forced, so the owner sees no row by accident,
 * and an ordinary login has neither SUPERUSER nor BYPASSRLS. Each table therefore has a policy named `backup`: its
 * owner may read every row, but only in a session that asks for it with the setting below. The roles of the service
 * are no members of the owner, so the policy gives them nothing, and it gives the owner no right that it could not
 * take by altering its own tables.
 */

const POLICY = 'backup'

/** What a session sets to read for a backup; also the way for `pg_dump --enable-row-security` as the owner. */
const SETTING = 'plumbline.backup'

/** The second condition keeps out functions that run with the rights of the owner for another login. */
const CONDITION = `current_setting('${SETTING}', true) = 'on' and pg_has_role(session_user, current_user, 'MEMBER')`

interface Unreadable {
  readonly name: string
  readonly owner: string
  readonly mine: boolean
}

/**
 * Tables under forced row security whose owner cannot read them for a backup.
 * A partition counts as well: pg_dump reads each by its own name.
 */
const UNREADABLE = `
  select c.relname as name, c.relowner::regrole::text as owner, pg_has_role(c.relowner, 'USAGE') as mine
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity
     and not exists (select from pg_policy p
       where p.polrelid = c.oid and p.polname = '${POLICY}' and p.polroles = array[c.relowner])
   order by 1`

/** Gives each table of this login that lacks it the policy for backups. Any number of processes may do it. */
export async function allowBackups(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Unreadable>(UNREADABLE)
  for (const { name, owner } of rows.filter(({ mine }) => mine)) {
    const table = pg.escapeIdentifier(name)
    await client.query(`drop policy if exists ${POLICY} on ${table}`)
    await client.query(`create policy ${POLICY} on ${table} for select to ${owner} using (${CONDITION})`)
  }
}

/**
 * Lets this session read every row, and makes sure that it does: a backup without rows must not pass for one.
 * @throws {DatabaseUnfit} where the login is not the owner, or a table has no policy for it
 */
export async function readForBackup(client: pg.Client): Promise<void> {
  await client.query(`set ${SETTING} = 'on'`)
  const { rows } = await client.query<{ login: string; strangers: string[] }>(`
    select current_user as login,
      array(select c.relname::text from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and (not has_table_privilege(c.oid, 'select') or row_security_active(c.oid) and not exists (
            select from pg_policy p where p.polrelid = c.oid and p.polname = '${POLICY}'
               and p.polroles = array[c.relowner] and pg_has_role(c.relowner, 'USAGE')
               and pg_has_role(session_user, current_user, 'MEMBER')))
        order by 1) as strangers`)
  const { login, strangers } = rows[0]!
  if (strangers.length > 0)
    throw new DatabaseUnfit(
      `The login ${login} cannot read every row (${strangers.slice(0, 3).join(', ')}${strangers.length > 3 ? ' …' : ''}): make the backup as the login that owns the tables, set as DATABASE_OWNER_URL or DATABASE_URL.`,
    )
}
