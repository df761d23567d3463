create table security_findings (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  title text not null,
  description text,
  status text not null,
  status_reason text,
  severity text not null,
  category text,
  origin text not null,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  due_date date,
  detected_at timestamptz,
  linked_risk_id text collate "C",
  duplicate_of_id text collate "C",
  cve_ids text[],
  cwe_ids text[],
  cvss_vector text,
  external_url text,
  remediation text,
  resolution text,
  external_id text,
  labels text[],
  custom_fields jsonb,
  due_date_source text,
  resolved_at timestamptz,
  regression_of jsonb,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[title, description, remediation,
      external_id] || cve_ids || cwe_ids || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint security_findings_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, linked_risk_id) references risks (organization_id, id),
  foreign key (organization_id, duplicate_of_id) references security_findings (organization_id, id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (status in ('open', 'triaged', 'in_progress', 'ready_for_verification', 'resolved', 'risk_accepted',
    'false_positive', 'duplicate')),
  check (severity in ('informational', 'low', 'medium', 'high', 'critical')),
  check (category in ('vulnerability', 'misconfiguration', 'access', 'data_protection', 'process', 'supplier', 'code',
    'other')),
  check (origin in ('manual', 'scan', 'supplier_review', 'internal_audit', 'integration', 'inbound_hook', 'ci',
    'disclosure')),
  check (due_date_source in ('sla', 'manual')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index security_findings_newest on security_findings (organization_id, created_at desc, id desc);
create index security_findings_changed on security_findings (organization_id, updated_at desc, id desc);
create index security_findings_linked_risk on security_findings (organization_id, linked_risk_id);
create index security_findings_duplicate_of on security_findings (organization_id, duplicate_of_id);
create index security_findings_owner_user on security_findings (organization_id, owner_user_id)
  where owner_user_id is not null;
create index security_findings_owner_personnel on security_findings (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
alter table security_findings enable row level security, force row level security;
create policy tenant on security_findings to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on security_findings to plumbline_tenant;

create table security_finding_controls (
  organization_id text collate "C" not null,
  security_finding_id text collate "C" not null,
  control_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, security_finding_id, control_id),
  foreign key (organization_id, security_finding_id) references security_findings (organization_id,
    id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index security_finding_controls_control on security_finding_controls (organization_id, control_id,
  security_finding_id);
alter table security_finding_controls enable row level security, force row level security;
create policy tenant on security_finding_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on security_finding_controls to plumbline_tenant;

create table security_finding_assets (
  organization_id text collate "C" not null,
  security_finding_id text collate "C" not null,
  asset_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, security_finding_id, asset_id),
  foreign key (organization_id, security_finding_id) references security_findings (organization_id,
    id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade
);
create index security_finding_assets_asset on security_finding_assets (organization_id, asset_id, security_finding_id);
alter table security_finding_assets enable row level security, force row level security;
create policy tenant on security_finding_assets to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on security_finding_assets to plumbline_tenant;
