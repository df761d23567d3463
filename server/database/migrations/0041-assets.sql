-- What the organization owns or runs, what is part of what, and the links with risks and controls.

create table assets (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  name text not null,
  type text not null,
  asset_class text,
  description text,
  status text not null,
  environment text,
  criticality text,
  classification text,
  confidentiality integer,
  integrity integer,
  availability integer,
  privacy integer,
  safety integer,
  rto_hours integer,
  rpo_hours integer,
  mtd_hours integer,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  custodian_user_id text collate "C",
  custodian_personnel_id text collate "C",
  location text,
  region text,
  provider text,
  hostname text,
  ip_addresses text[],
  os_version text,
  serial_number text,
  purchase_date date,
  end_of_support date,
  contains_personal_data boolean,
  internet_exposed boolean,
  encrypted boolean,
  backup_enabled boolean,
  in_scope boolean not null,
  external_id text,
  labels text[],
  custom_fields jsonb,
  last_seen_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[name, description, hostname, serial_number, provider,
      external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint assets_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, custodian_user_id) references members (organization_id, user_id),
  foreign key (organization_id, custodian_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (num_nonnulls(custodian_user_id, custodian_personnel_id) <= 1),
  check (type in ('application', 'service', 'database', 'data_store', 'server', 'virtual_machine', 'container',
    'cloud_account', 'network', 'endpoint', 'mobile_device', 'saas_account', 'repository', 'domain', 'certificate',
    'facility', 'people_role', 'information', 'process', 'ai_model', 'other')),
  check (asset_class in ('primary', 'supporting')),
  check (status in ('planned', 'active', 'maintenance', 'retired', 'disposed')),
  check (environment in ('production', 'staging', 'development', 'corporate', 'other')),
  check (criticality in ('low', 'medium', 'high', 'critical')),
  check (classification in ('public', 'internal', 'confidential', 'restricted')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index assets_newest on assets (organization_id, created_at desc, id desc);
create index assets_changed on assets (organization_id, updated_at desc, id desc);
create index assets_owner_user on assets (organization_id, owner_user_id) where owner_user_id is not null;
create index assets_owner_personnel on assets (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
create index assets_custodian_user on assets (organization_id, custodian_user_id) where custodian_user_id is not null;
create index assets_custodian_personnel on assets (organization_id, custodian_personnel_id)
  where custodian_personnel_id is not null;
alter table assets enable row level security, force row level security;
create policy tenant on assets to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on assets to plumbline_tenant;

create table risk_assets (
  organization_id text collate "C" not null,
  risk_id text collate "C" not null,
  asset_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, risk_id, asset_id),
  foreign key (organization_id, risk_id) references risks (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade
);
create index risk_assets_asset on risk_assets (organization_id, asset_id, risk_id);
alter table risk_assets enable row level security, force row level security;
create policy tenant on risk_assets to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_assets to plumbline_tenant;

create table asset_controls (
  organization_id text collate "C" not null,
  asset_id text collate "C" not null,
  control_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, asset_id, control_id),
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index asset_controls_control on asset_controls (organization_id, control_id, asset_id);
alter table asset_controls enable row level security, force row level security;
create policy tenant on asset_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on asset_controls to plumbline_tenant;

create table asset_parents (
  organization_id text collate "C" not null,
  part_id text collate "C" not null,
  parent_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, part_id, parent_id),
  foreign key (organization_id, part_id) references assets (organization_id, id) on delete cascade,
  foreign key (organization_id, parent_id) references assets (organization_id, id) on delete cascade
);
create index asset_parents_parent on asset_parents (organization_id, parent_id, part_id);
alter table asset_parents enable row level security, force row level security;
create policy tenant on asset_parents to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on asset_parents to plumbline_tenant;
