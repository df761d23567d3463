create table risk_treatments (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  risk_id text collate "C" not null,
  action text not null,
  description text,
  strategy text not null,
  status text not null,
  status_reason text,
  expected_likelihood text,
  expected_impact text,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  due_date date,
  start_date date,
  verified_by_user_id text collate "C",
  verified_by_personnel_id text collate "C",
  progress_percent integer,
  cost jsonb,
  external_id text,
  labels text[],
  custom_fields jsonb,
  rating text,
  completed_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[action, description, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint risk_treatments_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, risk_id) references risks (organization_id, id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, verified_by_user_id) references members (organization_id, user_id),
  foreign key (organization_id, verified_by_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (num_nonnulls(verified_by_user_id, verified_by_personnel_id) <= 1),
  check (strategy in ('mitigate', 'accept', 'transfer', 'avoid')),
  check (status in ('planned', 'in_progress', 'blocked', 'implemented', 'verified', 'cancelled')),
  check (expected_likelihood in ('rare', 'unlikely', 'possible', 'likely', 'almost_certain')),
  check (expected_impact in ('insignificant', 'minor', 'moderate', 'major', 'severe')),
  check (rating in ('low', 'medium', 'high', 'critical')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index risk_treatments_newest on risk_treatments (organization_id, created_at desc, id desc);
create index risk_treatments_changed on risk_treatments (organization_id, updated_at desc, id desc);
create index risk_treatments_risk on risk_treatments (organization_id, risk_id);
create index risk_treatments_owner_user on risk_treatments (organization_id, owner_user_id)
  where owner_user_id is not null;
create index risk_treatments_owner_personnel on risk_treatments (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
create index risk_treatments_verified_by_user on risk_treatments (organization_id, verified_by_user_id)
  where verified_by_user_id is not null;
create index risk_treatments_verified_by_personnel on risk_treatments (organization_id, verified_by_personnel_id)
  where verified_by_personnel_id is not null;
alter table risk_treatments enable row level security, force row level security;
create policy tenant on risk_treatments to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_treatments to plumbline_tenant;
