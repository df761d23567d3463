-- What an organization says of the custom fields of its records: which values a name takes, and of which kinds.
create table custom_fields (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  -- The key in the custom fields of a record.
  name text collate "C" not null,
  label text not null,
  description text,
  type text not null,
  -- Of a choice: each with its key and its label, in the order in which they are offered.
  choices jsonb not null,
  kinds text[] not null,
  required boolean not null,
  retired boolean not null,
  version integer not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  primary key (organization_id, id),
  check (type in ('text', 'number', 'date', 'boolean', 'choice', 'choices', 'url'))
);
-- Capitals are no difference between two names: nobody could tell which is meant.
create unique index custom_fields_name_unique on custom_fields (organization_id, lower(name));

alter table custom_fields enable row level security, force row level security;
create policy tenant on custom_fields to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on custom_fields to plumbline_tenant;

-- Lists are filtered by the values. Under the policy of the tenant none of them could use an index, since what compares
-- jsonb is not leakproof: so it is the gate that finds the ids, by statements which take the organization from the
-- setting (server/records/custom-fields/filters.ts), and of a record it sees nothing else. A record without custom
-- fields is not in the index and costs its writer nothing.
do $$
declare
  kept record;
begin
  for kept in
    select c.relname as records from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'custom_fields'
     order by c.relname
  loop
    execute format('create index %I on %I using gin (organization_id, custom_fields jsonb_path_ops)
      where custom_fields is not null', kept.records || '_custom_fields', kept.records);
    execute format('create policy gate on %I for select to plumbline_gate using (true)', kept.records);
    execute format('grant select (organization_id, id, custom_fields) on %I to plumbline_gate', kept.records);
  end loop;
end $$;
