create table evidence (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  title text not null,
  description text,
  kind text not null,
  status text not null,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  reviewer_user_id text collate "C",
  reviewer_personnel_id text collate "C",
  requested_from_user_id text collate "C",
  requested_from_personnel_id text collate "C",
  request_due_date date,
  url text,
  text text,
  collected_at timestamptz,
  collection_method text,
  valid_from date,
  expiry_date date,
  renew_frequency text,
  sensitivity text,
  external_id text,
  labels text[],
  custom_fields jsonb,
  files jsonb,
  current_revision integer,
  reviewed_by jsonb,
  reviewed_at timestamptz,
  rejection_reason text,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[title, description, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint evidence_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, reviewer_user_id) references members (organization_id, user_id),
  foreign key (organization_id, reviewer_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, requested_from_user_id) references members (organization_id, user_id),
  foreign key (organization_id, requested_from_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (num_nonnulls(reviewer_user_id, reviewer_personnel_id) <= 1),
  check (num_nonnulls(requested_from_user_id, requested_from_personnel_id) <= 1),
  check (kind in ('document', 'screenshot', 'link', 'text', 'configuration', 'log_export', 'integration_snapshot',
    'attestation', 'test_result')),
  check (status in ('requested', 'draft', 'in_review', 'approved', 'rejected', 'expired', 'archived')),
  check (collection_method in ('manual', 'integration', 'api', 'agent')),
  check (renew_frequency in ('monthly', 'quarterly', 'semiannually', 'annually')),
  check (sensitivity in ('public', 'internal', 'confidential', 'restricted')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index evidence_newest on evidence (organization_id, created_at desc, id desc);
create index evidence_changed on evidence (organization_id, updated_at desc, id desc);
create index evidence_owner_user on evidence (organization_id, owner_user_id) where owner_user_id is not null;
create index evidence_owner_personnel on evidence (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
create index evidence_reviewer_user on evidence (organization_id, reviewer_user_id) where reviewer_user_id is not null;
create index evidence_reviewer_personnel on evidence (organization_id, reviewer_personnel_id)
  where reviewer_personnel_id is not null;
create index evidence_requested_from_user on evidence (organization_id, requested_from_user_id)
  where requested_from_user_id is not null;
create index evidence_requested_from_personnel on evidence (organization_id, requested_from_personnel_id)
  where requested_from_personnel_id is not null;
alter table evidence enable row level security, force row level security;
create policy tenant on evidence to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence to plumbline_tenant;
create index evidence_custom_fields on evidence using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on evidence for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on evidence to plumbline_gate;

create table evidence_risks (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  risk_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, risk_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, risk_id) references risks (organization_id, id) on delete cascade
);
create index evidence_risks_risk on evidence_risks (organization_id, risk_id, evidence_id);
alter table evidence_risks enable row level security, force row level security;
create policy tenant on evidence_risks to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_risks to plumbline_tenant;

create table evidence_risk_treatments (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  risk_treatment_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, risk_treatment_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, risk_treatment_id) references risk_treatments (organization_id, id) on delete cascade
);
create index evidence_risk_treatments_risk_treatment on evidence_risk_treatments (organization_id, risk_treatment_id,
  evidence_id);
alter table evidence_risk_treatments enable row level security, force row level security;
create policy tenant on evidence_risk_treatments to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_risk_treatments to plumbline_tenant;

create table evidence_security_findings (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  security_finding_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, security_finding_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, security_finding_id) references security_findings (organization_id,
    id) on delete cascade
);
create index evidence_security_findings_security_finding on evidence_security_findings (organization_id,
  security_finding_id, evidence_id);
alter table evidence_security_findings enable row level security, force row level security;
create policy tenant on evidence_security_findings to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_security_findings to plumbline_tenant;

create table evidence_controls (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  control_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, control_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index evidence_controls_control on evidence_controls (organization_id, control_id, evidence_id);
alter table evidence_controls enable row level security, force row level security;
create policy tenant on evidence_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_controls to plumbline_tenant;

create table evidence_vendors (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  vendor_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, vendor_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, vendor_id) references vendors (organization_id, id) on delete cascade
);
create index evidence_vendors_vendor on evidence_vendors (organization_id, vendor_id, evidence_id);
alter table evidence_vendors enable row level security, force row level security;
create policy tenant on evidence_vendors to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_vendors to plumbline_tenant;

create table evidence_assets (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  asset_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, asset_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade
);
create index evidence_assets_asset on evidence_assets (organization_id, asset_id, evidence_id);
alter table evidence_assets enable row level security, force row level security;
create policy tenant on evidence_assets to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_assets to plumbline_tenant;

-- The files that evidence has, or had when it was sent to its reviewer: they stay as long as it does.
create table evidence_files (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  file_id text collate "C" not null,
  primary key (organization_id, evidence_id, file_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, file_id) references files (organization_id, id)
);
create index evidence_files_file on evidence_files (organization_id, file_id, evidence_id);
alter table evidence_files enable row level security, force row level security;
create policy tenant on evidence_files to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on evidence_files for select to plumbline_gate using (true);
grant select, insert, delete on evidence_files to plumbline_tenant;
grant select on evidence_files to plumbline_gate;

-- What was sent to a reviewer, as it was: nobody changes it.
create table evidence_revisions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  evidence_id text collate "C" not null,
  number integer not null,
  url text,
  text text,
  files jsonb not null,
  sha256 text collate "C" not null,
  submitted_at timestamptz not null,
  submitted_by jsonb not null,
  primary key (organization_id, id),
  unique (organization_id, evidence_id, number),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade
);
alter table evidence_revisions enable row level security, force row level security;
create policy tenant on evidence_revisions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert on evidence_revisions to plumbline_tenant;
