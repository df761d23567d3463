import type pg from 'pg'

/**
 * The schema as text, for review: every change of it shows as a difference of the whole result. Made from
 * the catalogue, because the embedded PostgreSQL brings no pg_dump. Partitions are left out: which weeks
 * there are depends on the day. So is the policy `backup`, which every table has (server/database/backup-policy.ts).
 */
export async function dumpSchema(client: pg.Client): Promise<string> {
  await client.query("set search_path = 'public'")
  const parts = []
  for (const query of PARTS) parts.push((await client.query(query)).rows.map((row) => row.line).join('\n'))
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const TABLES = `
  select c.oid, c.relname as name, c.relkind as kind, c.reloptions as options, pg_get_partkeydef(c.oid) as partition
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

const PARTS = [
  `with tables as (${TABLES})
   select format(E'table %s%s%s\\n%s\\n%s', t.name, coalesce(' partition by ' || t.partition, ''),
       coalesce(' with (' || array_to_string(t.options, ', ') || ')', ''),
       (select string_agg(format('  %s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                 case when co.collname <> 'default' then format(' collate "%s"', co.collname) else '' end,
                 case when a.attnotnull then ' not null' else '' end,
                 coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')), E'\\n' order by a.attnum)
          from pg_attribute a
          left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          left join pg_collation co on co.oid = a.attcollation
         where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
       (select string_agg(format('  %s %s', con.conname, pg_get_constraintdef(con.oid)), E'\\n' order by con.conname)
          from pg_constraint con where con.conrelid = t.oid and con.contype <> 'n')) as line
   from tables t order by t.name`,
  `with tables as (${TABLES})
   select pg_get_indexdef(i.indexrelid) as line
     from pg_index i join tables t on t.oid = i.indrelid
    where not exists (select from pg_constraint con where con.conindid = i.indexrelid)
    order by t.name, line`,
  `select format(E'view %s with (%s)\\n%s\\ngranted to %s', c.relname, array_to_string(c.reloptions, ', '),
            pg_get_viewdef(c.oid, true),
            (select string_agg(distinct a.grantee::regrole::text, ', ') from aclexplode(c.relacl) a
              where a.grantee <> c.relowner)) as line
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by c.relname`,
  `select format('policy %s on %s for %s to %s using %s check %s', policyname, tablename, cmd,
            array_to_string(roles, ', '), coalesce(qual, '-'), coalesce(with_check, '-')) as line
     from pg_policies where schemaname = 'public' and policyname <> 'backup' order by tablename, policyname`,
  `with tables as (${TABLES})
   select format('grant %s on %s to %s', string_agg(lower(a.privilege_type), ', ' order by a.privilege_type), t.name,
            case a.grantee when 0 then 'public' else a.grantee::regrole::text end) as line
     from tables t join pg_class c on c.oid = t.oid, aclexplode(c.relacl) a
    where a.grantee <> c.relowner group by t.name, a.grantee order by t.name, a.grantee::regrole::text`,
  `with tables as (${TABLES})
   select format('grant %s (%s) on %s to %s', lower(g.privilege_type), string_agg(a.attname, ', ' order by a.attnum),
            t.name, g.grantee::regrole::text) as line
     from tables t join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) g
    group by t.name, g.privilege_type, g.grantee order by t.name, g.grantee::regrole::text`,
  `select pg_get_functiondef(p.oid) || coalesce(E'granted to ' ||
            (select string_agg(case a.grantee when 0 then 'public' else a.grantee::regrole::text end, ', '
                      order by a.grantee::regrole::text)
               from aclexplode(p.proacl) a where a.grantee <> p.proowner), 'granted to public') as line
     from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by p.proname`,
  `select format('collation %s provider %s locale %s deterministic %s', c.collname, c.collprovider,
            to_jsonb(c) ->> case when to_jsonb(c) ? 'colllocale' then 'colllocale' else 'colliculocale' end, c.collisdeterministic) as line
     from pg_collation c where c.collnamespace = 'public'::regnamespace order by 1`,
  `select 'extension ' || extname as line from pg_extension where extname <> 'plpgsql' order by 1`,
]
