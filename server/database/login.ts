import type pg from 'pg'

/** The roles that a login of the service becomes, one at a time. */
export const ROLES = ['plumbline_tenant', 'plumbline_gate', 'plumbline_engine']

/** Membership that allows SET ROLE; before PostgreSQL 16 every membership did. */
const BECOMING = "case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end"

export interface Login {
  readonly name: string
  readonly superuser: boolean
  readonly bypassesRowSecurity: boolean
  readonly mayCreateRoles: boolean
  /** Roles of the service that are not there, or that this login may not become. */
  readonly missingRoles: readonly string[]
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
       current_setting('server_version') as "serverVersion",
       current_setting('server_version_num')::int as "serverVersionNumber"
     from pg_roles where rolname = current_user`,
    [ROLES],
  )
  return rows[0]!
}
