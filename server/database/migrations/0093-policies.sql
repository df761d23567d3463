-- Policies, their versions, what approvers decide on these, and exceptions (model/kinds/policy.ts and its neighbours).
create table policies (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  name text not null,
  description text,
  document_type text not null,
  status text not null,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  approver_user_id text collate "C",
  approver_personnel_id text collate "C",
  extra_approver_ids text[],
  quorum text not null,
  quorum_count integer,
  review_date date,
  review_frequency text not null,
  effective_date date,
  classification text not null,
  locale text,
  external_id text,
  labels text[],
  custom_fields jsonb,
  version_label text,
  current_version_id text,
  draft_version_id text,
  origin text,
  template_key text,
  retired_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[name, description, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint policies_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, approver_user_id) references members (organization_id, user_id),
  foreign key (organization_id, approver_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (num_nonnulls(approver_user_id, approver_personnel_id) <= 1),
  check (document_type in ('policy', 'procedure', 'standard', 'guideline', 'plan', 'handbook', 'other')),
  check (status in ('draft', 'in_review', 'approved', 'published', 'retired')),
  check (quorum in ('any', 'all', 'n')),
  check (review_frequency in ('monthly', 'quarterly', 'semiannually', 'annually', 'biennially', 'custom')),
  check (classification in ('public', 'internal', 'confidential', 'restricted')),
  check (origin in ('written', 'generated', 'imported', 'uploaded')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index policies_newest on policies (organization_id, created_at desc, id desc);
create index policies_changed on policies (organization_id, updated_at desc, id desc);
create index policies_owner_user on policies (organization_id, owner_user_id) where owner_user_id is not null;
create index policies_owner_personnel on policies (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
create index policies_approver_user on policies (organization_id, approver_user_id) where approver_user_id is not null;
create index policies_approver_personnel on policies (organization_id, approver_personnel_id)
  where approver_personnel_id is not null;
alter table policies enable row level security, force row level security;
create policy tenant on policies to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on policies to plumbline_tenant;
create index policies_custom_fields on policies using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on policies for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on policies to plumbline_gate;

create table policy_requirements (
  organization_id text collate "C" not null,
  policy_id text collate "C" not null,
  requirement_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, policy_id, requirement_id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade
);
create index policy_requirements_requirement on policy_requirements (organization_id, requirement_id, policy_id);
alter table policy_requirements enable row level security, force row level security;
create policy tenant on policy_requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on policy_requirements to plumbline_tenant;

create table policy_controls (
  organization_id text collate "C" not null,
  policy_id text collate "C" not null,
  control_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, policy_id, control_id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index policy_controls_control on policy_controls (organization_id, control_id, policy_id);
alter table policy_controls enable row level security, force row level security;
create policy tenant on policy_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on policy_controls to plumbline_tenant;

create table evidence_policies (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  policy_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, policy_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade
);
create index evidence_policies_policy on evidence_policies (organization_id, policy_id, evidence_id);
alter table evidence_policies enable row level security, force row level security;
create policy tenant on evidence_policies to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_policies to plumbline_tenant;

create table policy_versions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  policy_id text collate "C" not null,
  title text,
  status text not null,
  content text,
  changelog text,
  material_change boolean not null,
  external_id text,
  labels text[],
  custom_fields jsonb,
  major integer,
  minor integer,
  label text,
  text text,
  content_sha256 text,
  author jsonb,
  author_id text,
  writer_ids text[],
  round integer,
  submitted_at timestamptz,
  submitted_by jsonb,
  rejection_reason text,
  approved_at timestamptz,
  published_at timestamptz,
  superseded_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[title, changelog, external_id] || labels)) stored,
  primary key (organization_id, id),
  constraint policy_versions_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, policy_id) references policies (organization_id, id),
  check (status in ('draft', 'pending_approval', 'approved', 'published', 'superseded', 'discarded')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create unique index policy_versions_policy_id_unique on policy_versions (organization_id, policy_id)
  where status in ('draft', 'pending_approval', 'approved');
create index policy_versions_newest on policy_versions (organization_id, created_at desc, id desc);
create index policy_versions_changed on policy_versions (organization_id, updated_at desc, id desc);
create index policy_versions_policy on policy_versions (organization_id, policy_id);
alter table policy_versions enable row level security, force row level security;
create policy tenant on policy_versions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on policy_versions to plumbline_tenant;
create index policy_versions_custom_fields on policy_versions using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on policy_versions for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on policy_versions to plumbline_gate;

create table policy_decisions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  version_id text collate "C" not null,
  title text not null,
  approver_user_id text collate "C",
  approver_personnel_id text collate "C",
  status text not null,
  comment text,
  content_sha256 text not null,
  external_id text,
  labels text[],
  custom_fields jsonb,
  round integer,
  requested_by jsonb,
  approver_name text,
  decided_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[title, comment, external_id] || labels)) stored,
  primary key (organization_id, id),
  constraint policy_decisions_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, version_id) references policy_versions (organization_id, id),
  foreign key (organization_id, approver_user_id) references members (organization_id, user_id),
  foreign key (organization_id, approver_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(approver_user_id, approver_personnel_id) = 1),
  check (status in ('pending', 'approved', 'rejected', 'voided')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index policy_decisions_newest on policy_decisions (organization_id, created_at desc, id desc);
create index policy_decisions_changed on policy_decisions (organization_id, updated_at desc, id desc);
create index policy_decisions_version on policy_decisions (organization_id, version_id);
create index policy_decisions_approver_user on policy_decisions (organization_id, approver_user_id)
  where approver_user_id is not null;
create index policy_decisions_approver_personnel on policy_decisions (organization_id, approver_personnel_id)
  where approver_personnel_id is not null;
alter table policy_decisions enable row level security, force row level security;
create policy tenant on policy_decisions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on policy_decisions to plumbline_tenant;
create index policy_decisions_custom_fields on policy_decisions using gin (organization_id,
  custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on policy_decisions for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on policy_decisions to plumbline_gate;

create table policy_exceptions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  policy_id text collate "C" not null,
  title text not null,
  justification text not null,
  compensating_controls text,
  holder_user_id text collate "C",
  holder_personnel_id text collate "C",
  approver_user_id text collate "C",
  approver_personnel_id text collate "C",
  status text not null,
  effective_date date,
  expires_at timestamptz not null,
  risk_id text collate "C",
  external_id text,
  labels text[],
  custom_fields jsonb,
  requested_by jsonb,
  approver_name text,
  decided_at timestamptz,
  status_reason text,
  ended_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[title, justification, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint policy_exceptions_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, policy_id) references policies (organization_id, id),
  foreign key (organization_id, risk_id) references risks (organization_id, id),
  foreign key (organization_id, holder_user_id) references members (organization_id, user_id),
  foreign key (organization_id, holder_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, approver_user_id) references members (organization_id, user_id),
  foreign key (organization_id, approver_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(holder_user_id, holder_personnel_id) <= 1),
  check (num_nonnulls(approver_user_id, approver_personnel_id) = 1),
  check (status in ('requested', 'approved', 'denied', 'expired', 'revoked')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index policy_exceptions_newest on policy_exceptions (organization_id, created_at desc, id desc);
create index policy_exceptions_changed on policy_exceptions (organization_id, updated_at desc, id desc);
create index policy_exceptions_policy on policy_exceptions (organization_id, policy_id);
create index policy_exceptions_risk on policy_exceptions (organization_id, risk_id);
create index policy_exceptions_holder_user on policy_exceptions (organization_id, holder_user_id)
  where holder_user_id is not null;
create index policy_exceptions_holder_personnel on policy_exceptions (organization_id, holder_personnel_id)
  where holder_personnel_id is not null;
create index policy_exceptions_approver_user on policy_exceptions (organization_id, approver_user_id)
  where approver_user_id is not null;
create index policy_exceptions_approver_personnel on policy_exceptions (organization_id, approver_personnel_id)
  where approver_personnel_id is not null;
alter table policy_exceptions enable row level security, force row level security;
create policy tenant on policy_exceptions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on policy_exceptions to plumbline_tenant;
create index policy_exceptions_custom_fields on policy_exceptions using gin (organization_id,
  custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on policy_exceptions for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on policy_exceptions to plumbline_gate;

-- Whether those who wrote a text may approve it alone.
alter table organizations add column allow_self_approval boolean not null default false;
