create table tasks (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  title text not null,
  description text,
  status text not null,
  status_reason text,
  dismiss_reason text,
  priority text not null,
  assignee_user_id text collate "C",
  assignee_personnel_id text collate "C",
  due_date date,
  plan_id text collate "C",
  phase_key text,
  checklist jsonb,
  recurrence jsonb,
  estimate_hours double precision,
  rationale text,
  external_id text,
  labels text[],
  custom_fields jsonb,
  suggested_by jsonb,
  accepted_by jsonb,
  has_next boolean,
  completed_at timestamptz,
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
  constraint tasks_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, plan_id) references compliance_plans (organization_id, id),
  foreign key (organization_id, assignee_user_id) references members (organization_id, user_id),
  foreign key (organization_id, assignee_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(assignee_user_id, assignee_personnel_id) <= 1),
  check (status in ('suggested', 'open', 'in_progress', 'blocked', 'done', 'dismissed')),
  check (priority in ('low', 'medium', 'high', 'urgent')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index tasks_newest on tasks (organization_id, created_at desc, id desc);
create index tasks_changed on tasks (organization_id, updated_at desc, id desc);
create index tasks_plan on tasks (organization_id, plan_id);
create index tasks_assignee_user on tasks (organization_id, assignee_user_id) where assignee_user_id is not null;
create index tasks_assignee_personnel on tasks (organization_id, assignee_personnel_id)
  where assignee_personnel_id is not null;
alter table tasks enable row level security, force row level security;
create policy tenant on tasks to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on tasks to plumbline_tenant;
create index tasks_custom_fields on tasks using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on tasks for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on tasks to plumbline_gate;

create table task_risks (
  organization_id text collate "C" not null,
  task_id text collate "C" not null,
  risk_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, task_id, risk_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, risk_id) references risks (organization_id, id) on delete cascade
);
create index task_risks_risk on task_risks (organization_id, risk_id, task_id);
alter table task_risks enable row level security, force row level security;
create policy tenant on task_risks to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on task_risks to plumbline_tenant;

create table task_security_findings (
  organization_id text collate "C" not null,
  task_id text collate "C" not null,
  security_finding_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, task_id, security_finding_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, security_finding_id) references security_findings (organization_id,
    id) on delete cascade
);
create index task_security_findings_security_finding on task_security_findings (organization_id, security_finding_id,
  task_id);
alter table task_security_findings enable row level security, force row level security;
create policy tenant on task_security_findings to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on task_security_findings to plumbline_tenant;

create table task_controls (
  organization_id text collate "C" not null,
  task_id text collate "C" not null,
  control_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, task_id, control_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index task_controls_control on task_controls (organization_id, control_id, task_id);
alter table task_controls enable row level security, force row level security;
create policy tenant on task_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on task_controls to plumbline_tenant;

create table evidence_tasks (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  task_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, task_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);
create index evidence_tasks_task on evidence_tasks (organization_id, task_id, evidence_id);
alter table evidence_tasks enable row level security, force row level security;
create policy tenant on evidence_tasks to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_tasks to plumbline_tenant;

create table task_vendors (
  organization_id text collate "C" not null,
  task_id text collate "C" not null,
  vendor_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, task_id, vendor_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, vendor_id) references vendors (organization_id, id) on delete cascade
);
create index task_vendors_vendor on task_vendors (organization_id, vendor_id, task_id);
alter table task_vendors enable row level security, force row level security;
create policy tenant on task_vendors to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on task_vendors to plumbline_tenant;

create table task_assets (
  organization_id text collate "C" not null,
  task_id text collate "C" not null,
  asset_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, task_id, asset_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade
);
create index task_assets_asset on task_assets (organization_id, asset_id, task_id);
alter table task_assets enable row level security, force row level security;
create policy tenant on task_assets to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on task_assets to plumbline_tenant;
