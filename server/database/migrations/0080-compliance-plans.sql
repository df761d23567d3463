create table compliance_plans (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  title text not null,
  goal text,
  description text,
  status text not null,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  start_date date,
  target_date date,
  phases jsonb,
  rationale text,
  external_id text,
  labels text[],
  custom_fields jsonb,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[title, goal, description, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint compliance_plans_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (status in ('draft', 'active', 'on_hold', 'completed', 'cancelled')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index compliance_plans_newest on compliance_plans (organization_id, created_at desc, id desc);
create index compliance_plans_changed on compliance_plans (organization_id, updated_at desc, id desc);
create index compliance_plans_owner_user on compliance_plans (organization_id, owner_user_id)
  where owner_user_id is not null;
create index compliance_plans_owner_personnel on compliance_plans (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
alter table compliance_plans enable row level security, force row level security;
create policy tenant on compliance_plans to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on compliance_plans to plumbline_tenant;
create index compliance_plans_custom_fields on compliance_plans using gin (organization_id,
  custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on compliance_plans for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on compliance_plans to plumbline_gate;
