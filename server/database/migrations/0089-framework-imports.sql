-- Catalogs of frameworks that are brought in: read and planned first, then carried out by a job.
create table framework_imports (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  -- One of the library, or the name of a file.
  library text collate "C",
  file_name text,
  -- Of a file: what is said of it beside its bytes, the SHA-256 of these, and what was read of it but for its requirements.
  options jsonb not null default '{}',
  hash text collate "C",
  about jsonb,
  stage text not null check (stage in ('begun', 'planned', 'applying', 'applied')),
  -- What it would come to, and what it came to.
  plan jsonb,
  result jsonb,
  framework_id text collate "C",
  job_id text collate "C",
  created_at timestamptz not null,
  created_by jsonb not null,
  kept_until timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, framework_id) references known_records (organization_id, id)
    on delete set null (framework_id),
  check (num_nonnulls(library, file_name) = 1)
);
create index framework_imports_kept on framework_imports (kept_until);
create index framework_imports_framework on framework_imports (organization_id, framework_id)
  where framework_id is not null;

-- The requirements of a file, some in each row, in their order.
create table framework_import_stretches (
  organization_id text collate "C" not null,
  import_id text collate "C" not null,
  number integer not null,
  requirements text not null,
  primary key (organization_id, import_id, number),
  foreign key (organization_id, import_id) references framework_imports (organization_id, id) on delete cascade
);

do $$
declare
  kept text;
begin
  foreach kept in array array['framework_imports', 'framework_import_stretches'] loop
    execute format('alter table %I enable row level security, force row level security', kept);
    execute format('create policy tenant on %I to plumbline_tenant
      using (organization_id = (select current_organization()))', kept);
    execute format('grant select, insert, update, delete on %I to plumbline_tenant', kept);
  end loop;
end $$;

-- They go when their time is over.
create policy engine on framework_imports to plumbline_engine using (true);
grant select, delete on framework_imports to plumbline_engine;
