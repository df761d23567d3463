import pg from 'pg'

/**
 * The roles that a login of the service becomes, one at a time. It may become them and has nothing of theirs before:
 * a statement that was sent without `SET ROLE` sees no row.
 */
export const ROLES = ['plumbline_tenant', 'plumbline_gate', 'plumbline_engine']

/** PostgreSQL 16: whether a member inherits stands with each membership, and no longer with the role. */
const MEMBERSHIPS_HAVE_OPTIONS = 160_000

const INSUFFICIENT_PRIVILEGE = '42501'

/** Membership that allows SET ROLE; before PostgreSQL 16 every membership did. */
const BECOMING = "case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end"

export interface Login {
  readonly name: string
  readonly superuser: boolean
  readonly bypassesRowSecurity: boolean
  readonly mayCreateRoles: boolean
  /** Roles of the service that are not there, or that this login may not become. */
  readonly missingRoles: readonly string[]
  /** Roles of the service whose rights this login has without becoming them. */
  readonly inheritedRoles: readonly string[]
  readonly serverVersion: string
  readonly serverVersionNumber: number
}

/** What a login is to the server it has reached. */
export async function inspectLogin(client: pg.Client): Promise<Login> {
  const { rows } = await client.query<Login & pg.QueryResultRow>(
    `select current_user as name, rolsuper as superuser, rolbypassrls as "bypassesRowSecurity",
       rolsuper or rolcreaterole as "mayCreateRoles",
       array(select name from unnest($1::text[]) with ordinality wanted (name, place)
              where not exists (select from pg_roles r where r.rolname = name
                                  and pg_has_role(current_user, r.oid, ${BECOMING}))
              order by place) as "missingRoles",
       array(select name from unnest($1::text[]) with ordinality wanted (name, place)
              join pg_roles r on r.rolname = name
              where pg_has_role(current_user, r.oid, 'USAGE') order by place) as "inheritedRoles",
       current_setting('server_version') as "serverVersion",
       current_setting('server_version_num')::int as "serverVersionNumber"
     from pg_roles where rolname = current_user`,
    [ROLES],
  )
  return rows[0]!
}

/** The statement that ends inheritance, for whoever granted the roles. */
export const withoutInheritance = ({ name, inheritedRoles, serverVersionNumber }: Login): string =>
  serverVersionNumber >= MEMBERSHIPS_HAVE_OPTIONS
    ? `grant ${inheritedRoles.join(', ')} to ${pg.escapeIdentifier(name)} with inherit false, set true`
    : `alter role ${pg.escapeIdentifier(name)} noinherit`

/**
 * Lets the owner of the database make tables in it. That right comes with owning it, but is inherited: a login that
 * inherits nothing at all, as is needed before PostgreSQL 16, takes it up once and keeps it.
 */
export async function takeRightToCreate(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; owns: boolean }>(
    `select current_user as login, pg_has_role('pg_database_owner', 'MEMBER') as owns
      where not has_schema_privilege('public', 'create')`,
  )
  if (!rows[0]?.owns) return
  await client.query('set role pg_database_owner')
  await client.query(`grant usage, create on schema public to ${pg.escapeIdentifier(rows[0].login)}`)
  await client.query('reset role')
}

/**
 * Ends what the login inherits from the roles, where it may. Where it may not, somebody else granted them, and
 * `refuseUnfit` tells what to ask them for.
 */
export async function endInheritance(client: pg.Client): Promise<void> {
  const login = await inspectLogin(client)
  if (login.superuser || login.inheritedRoles.length === 0) return
  try {
    await client.query(withoutInheritance(login))
    await takeRightToCreate(client)
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
  }
}
