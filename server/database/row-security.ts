import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { ROLES } from './login.ts'
import { DatabaseUnfit } from './unfit.ts'

/*
 * Whether the database has what keeps organizations apart: roles, policies, forced row security and grants. Roles
 * belong to a server and not to a database, so a dump that is restored on another server comes without them, and
 * without every policy and grant that names them. schema.sql has what is expected; a test compares it with the
 * migrations.
 */

export interface MissingProtection {
  readonly roles: readonly string[]
  /** `tenant on risks` */
  readonly policies: readonly string[]
  /** `select on risks to plumbline_tenant` */
  readonly grants: readonly string[]
  /** Tables without forced row security. */
  readonly unforced: readonly string[]
  /** Functions that run with the rights of their owner, and whose owner is not that of the tables. */
  readonly functions: readonly string[]
}

/**
 * What a migrated database of this version lacks.
 * @returns null where it is all there
 */
export async function missingProtection(client: pg.Client): Promise<MissingProtection | null> {
  const expected = await readExpected()
  const { rows } = await client.query<Record<keyof MissingProtection, string[]>>(FOUND, [
    ROLES,
    [...expected.forced],
    [...expected.definers],
  ])
  const found = rows[0]!
  const [policies, grants] = [new Set(found.policies), new Set(found.grants)]
  const missing = {
    roles: found.roles,
    policies: expected.policies.filter((one) => !policies.has(one)).map((one) => one.replace(/ for .*/, '')),
    grants: expected.grants.filter((one) => !grants.has(one)),
    unforced: found.unforced,
    functions: found.functions,
  }
  return Object.values(missing).some((names) => names.length > 0) ? missing : null
}

/** @throws {DatabaseUnfit} where a role is missing that a database of any version needs, once it has tables */
export async function refuseMissingRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ roles: string[] }>(
    `select array(select name from unnest($1::text[]) with ordinality wanted (name, place)
                   where not exists (select from pg_roles where rolname = name) order by place) as roles
      where to_regclass('public.migrations') is not null`,
    [ROLES],
  )
  const roles = rows[0]?.roles ?? []
  if (roles.length > 0)
    throw new DatabaseUnfit(sentenceOf({ roles, policies: [], grants: [], unforced: [], functions: [] }))
}

/** What is missing, and the cure, in one line. */
export function sentenceOf({ roles, policies, grants, unforced, functions }: MissingProtection): string {
  const counted = (names: readonly string[], what: string) =>
    names.length === 0 ? [] : [`${names.length} ${what} (${names[0]}${names.length > 1 ? ' …' : ''})`]
  const what = [
    ...(roles.length > 0 ? [`the roles ${roles.join(', ')}`] : []),
    ...counted(policies, 'policies'),
    ...counted(grants, 'grants'),
    ...counted(unforced, 'tables under forced row security'),
    ...counted(functions, 'functions of the owner of the tables'),
  ]
  return `The database lacks what keeps organizations apart: ${what.join('; ')}. That happens where a dump is restored on a server without the roles: make the roles first, then restore the dump again into an empty database (docs/backup.md, “Restore with pg_restore”). \`npm run --silent plumbline -- config check\` lists everything that is missing.`
}

interface Expected {
  readonly policies: readonly string[]
  readonly grants: readonly string[]
  readonly forced: ReadonlySet<string>
  readonly definers: ReadonlySet<string>
}

let read: Promise<Expected> | undefined

function readExpected(): Promise<Expected> {
  read ??= readFile(new URL('./schema.sql', import.meta.url), 'utf8').then(expectedOf)
  return read
}

function expectedOf(text: string): Expected {
  const policies: string[] = []
  const grants: string[] = []
  const forced = new Set<string>()
  for (const line of text.split('\n')) {
    const [, policy, table, of] = /^policy (\S+) on (\S+) (for .*?) using /.exec(line) ?? []
    if (policy && table) {
      policies.push(`${policy} on ${table} ${of}`)
      forced.add(table)
    }
    const [, privileges = '', columns, on, to] =
      /^grant ([a-z, ]+?)(?: \((.*)\))? on (\S+) to (\S+)$/.exec(line) ?? []
    for (const privilege of on ? privileges.split(', ') : [])
      for (const column of columns?.split(', ') ?? [''])
        grants.push(`${privilege}${column && ` (${column})`} on ${on} to ${to}`)
  }
  const functions = text.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)\([\s\S]*?^granted to/gm)
  const definers = [...functions].flatMap(([body, name]) =>
    /^ SECURITY DEFINER$/m.test(body) ? [name!] : [],
  )
  return { policies, grants, forced, definers: new Set(definers) }
}

/** A database without tables lacks nothing of this: it has not been migrated. */
const FOUND = `
  select array(select name from unnest($1::text[]) with ordinality wanted (name, place)
                where not exists (select from pg_roles where rolname = name) order by place) as roles,
    array(select format('%s on %s for %s to %s', policyname, tablename, cmd, array_to_string(roles, ', '))
            from pg_policies where schemaname = 'public') as policies,
    array(select format('%s on %s to %s', lower(a.privilege_type), c.relname,
                  case a.grantee when 0 then 'public' else a.grantee::regrole::text end)
            from pg_class c, aclexplode(c.relacl) a where c.relnamespace = 'public'::regnamespace
          union all
          select format('%s (%s) on %s to %s', lower(g.privilege_type), a.attname, c.relname, g.grantee::regrole::text)
            from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) g
           where c.relnamespace = 'public'::regnamespace) as grants,
    array(select name from unnest($2::text[]) name
           where not exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
             and c.relname = name and c.relrowsecurity and c.relforcerowsecurity) order by 1) as unforced,
    array(select name from unnest($3::text[]) name
           where not exists (select from pg_proc p join pg_class c on c.relname = 'organizations'
               and c.relnamespace = 'public'::regnamespace
             where p.pronamespace = 'public'::regnamespace and p.proname = name and p.prosecdef
               and p.proowner = c.relowner) order by 1) as functions`
