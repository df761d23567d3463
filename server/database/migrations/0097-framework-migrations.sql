-- Answers that an organization takes from one edition of a framework to another, and what it takes to undo that.
create table framework_migrations (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  from_framework_id text collate "C",
  to_framework_id text collate "C" not null,
  stage text not null check (stage in ('applying', 'applied', 'undoing', 'undone')),
  -- The plan that somebody agreed to, by its hash, and what they chose where it asked: by the id of a requirement.
  planned text not null,
  choices jsonb not null,
  -- Each fate as it was carried out, and their number.
  fates text,
  counts jsonb,
  -- What the requirements that it touched were before and became; until it cannot be undone any more.
  kept text,
  result jsonb,
  job_id text collate "C",
  created_at timestamptz not null,
  created_by jsonb not null,
  applied_at timestamptz,
  undone_at timestamptz,
  undone_by jsonb,
  undo_until timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, from_framework_id) references frameworks (organization_id, id)
    on delete set null (from_framework_id),
  foreign key (organization_id, to_framework_id) references frameworks (organization_id, id) on delete cascade
);
create index framework_migrations_from on framework_migrations (organization_id, from_framework_id)
  where from_framework_id is not null;
create index framework_migrations_to on framework_migrations (organization_id, to_framework_id);
create index framework_migrations_undo on framework_migrations (undo_until) where kept is not null;

alter table framework_migrations enable row level security, force row level security;
create policy tenant on framework_migrations to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on framework_migrations to plumbline_tenant;

-- What undoes them goes when its time is over.
create policy engine on framework_migrations to plumbline_engine using (true);
grant select, update on framework_migrations to plumbline_engine;
