-- Changes of many records at once: a file that is brought in, or one change for a selection. What each row comes to is
-- planned first and then carried out, both by jobs.
create table bulk_changes (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  -- Of the records.
  kind text collate "C" not null,
  origin text not null check (origin in ('file', 'selection')),
  -- Of a file: what it is called and what is in it, and which of its columns is taken for what.
  file_name text,
  file_hash text,
  sheets text[] not null default '{}',
  sheet text,
  columns jsonb,
  -- What tells which record a row is about, and whether an empty cell clears a field.
  identity text,
  clears_empty boolean not null default false,
  -- Of a selection: what is changed.
  change jsonb,
  row_count integer not null,
  stage text not null check (stage in ('begun', 'read', 'planning', 'planned', 'applying', 'applied')),
  -- The job that plans it, or carries it out.
  job_id text collate "C",
  created_at timestamptz not null,
  created_by jsonb not null,
  created_by_user text collate "C" not null,
  kept_until timestamptz not null,
  primary key (organization_id, id)
);
create index bulk_changes_kept on bulk_changes (kept_until);
create index bulk_changes_file on bulk_changes (organization_id, file_hash) where file_hash is not null;

create table bulk_change_rows (
  organization_id text collate "C" not null,
  bulk_change_id text collate "C" not null,
  -- As a spreadsheet shows it.
  number integer not null,
  cells jsonb,
  -- What it is about: the record, its version when it was planned, and by what other rows about the same are told.
  record_id text collate "C",
  version integer,
  identity text,
  planned text check (planned in ('create', 'change', 'leave', 'error')),
  done text check (done in ('created', 'changed', 'unchanged', 'refused')),
  problems jsonb not null default '[]',
  primary key (organization_id, bulk_change_id, number),
  foreign key (organization_id, bulk_change_id) references bulk_changes (organization_id, id) on delete cascade
) with (fillfactor = 60);
create index bulk_change_rows_about on bulk_change_rows (organization_id, bulk_change_id, identity)
  where identity is not null;

-- What the columns of files were taken for, by the words in their heads: taken for the same the next time.
create table import_columns (
  organization_id text collate "C" not null references organizations (id),
  kind text collate "C" not null,
  title text not null,
  -- The column of the kind; null where it is left out.
  key text,
  primary key (organization_id, kind, title)
);

do $$
declare
  kept text;
begin
  foreach kept in array array['bulk_changes', 'bulk_change_rows', 'import_columns'] loop
    execute format('alter table %I enable row level security, force row level security', kept);
    execute format('create policy tenant on %I to plumbline_tenant
      using (organization_id = (select current_organization()))', kept);
    execute format('grant select, insert, update, delete on %I to plumbline_tenant', kept);
  end loop;
end $$;

-- They go when their time is over.
create policy engine on bulk_changes to plumbline_engine using (true);
grant select, delete on bulk_changes to plumbline_engine;
