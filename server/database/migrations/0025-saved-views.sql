-- Views of a register under a name: of one person, or of everybody in the organization.
create table saved_views (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  name text not null,
  -- The query of the register's address.
  query text not null,
  -- Whose alone it is; null for everybody's.
  user_id text collate "C",
  created_at timestamptz not null,
  created_by jsonb not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
create unique index saved_views_name on saved_views (organization_id, kind, coalesce(user_id, ''), lower(name));

alter table saved_views enable row level security, force row level security;
create policy tenant on saved_views to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on saved_views to plumbline_tenant;
