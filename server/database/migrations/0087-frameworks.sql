create table frameworks (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  key text not null,
  edition text not null,
  name text not null,
  short_name text,
  publisher text,
  description text,
  locale text,
  jurisdiction text,
  category text not null,
  license text,
  levels jsonb,
  status text not null,
  implementation_group text,
  scope_statement text,
  target_date date,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  supersedes_framework_id text collate "C",
  external_id text,
  labels text[],
  custom_fields jsonb,
  kind text,
  source_format text,
  source_hash text,
  activated_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[key, name, short_name, publisher, description,
      external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint frameworks_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, supersedes_framework_id) references frameworks (organization_id, id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (category in ('security', 'privacy', 'ai_governance', 'quality', 'financial', 'continuity', 'sector',
    'custom')),
  check (status in ('available', 'active', 'retiring', 'retired')),
  check (kind in ('catalog', 'custom')),
  check (source_format in ('oscal', 'ca_library', 'csv', 'xlsx', 'builtin')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create unique index frameworks_edition_unique on frameworks (organization_id, key, edition);
create index frameworks_newest on frameworks (organization_id, created_at desc, id desc);
create index frameworks_changed on frameworks (organization_id, updated_at desc, id desc);
create index frameworks_supersedes_framework on frameworks (organization_id, supersedes_framework_id);
create index frameworks_owner_user on frameworks (organization_id, owner_user_id) where owner_user_id is not null;
create index frameworks_owner_personnel on frameworks (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
alter table frameworks enable row level security, force row level security;
create policy tenant on frameworks to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on frameworks to plumbline_tenant;
create index frameworks_custom_fields on frameworks using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on frameworks for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on frameworks to plumbline_gate;

create table requirements (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  framework_id text collate "C" not null,
  key text not null,
  title text not null,
  text text,
  guidance text,
  parent_id text collate "C",
  sort_order integer,
  assessable boolean not null,
  kind text not null,
  implementation_groups text[],
  weight double precision not null,
  importance text not null,
  typical_evidence text,
  annotation text,
  applicability text not null,
  justification text,
  inclusion_reasons text[],
  result text not null,
  result_reason text,
  result_pinned boolean not null,
  maturity integer,
  score integer,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  note text,
  assessed_at timestamptz,
  external_id text,
  labels text[],
  custom_fields jsonb,
  depth integer,
  unproven boolean,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[key, title, text, external_id] || labels)) stored,
  primary key (organization_id, id),
  constraint requirements_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, framework_id) references frameworks (organization_id, id),
  foreign key (organization_id, parent_id) references requirements (organization_id, id) deferrable initially deferred,
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (kind in ('group', 'requirement', 'statement', 'question')),
  check (importance in ('optional', 'recommended', 'mandatory')),
  check (applicability in ('applicable', 'not_applicable', 'inherited')),
  check (inclusion_reasons <@ array['risk_assessment', 'legal', 'contractual', 'best_practice']::text[]),
  check (result in ('not_assessed', 'non_compliant', 'partially_compliant', 'compliant', 'not_applicable')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create unique index requirements_key_unique on requirements (organization_id, framework_id, key);
create index requirements_newest on requirements (organization_id, created_at desc, id desc);
create index requirements_changed on requirements (organization_id, updated_at desc, id desc);
create index requirements_parent on requirements (organization_id, parent_id);
create index requirements_owner_user on requirements (organization_id, owner_user_id) where owner_user_id is not null;
create index requirements_owner_personnel on requirements (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
alter table requirements enable row level security, force row level security;
create policy tenant on requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on requirements to plumbline_tenant;
create index requirements_custom_fields on requirements using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;
create policy gate on requirements for select to plumbline_gate using (true);
grant select (organization_id, id, custom_fields) on requirements to plumbline_gate;

create table control_requirements (
  organization_id text collate "C" not null,
  requirement_id text collate "C" not null,
  control_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, requirement_id, control_id),
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index control_requirements_control on control_requirements (organization_id, control_id, requirement_id);
alter table control_requirements enable row level security, force row level security;
create policy tenant on control_requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on control_requirements to plumbline_tenant;

create table requirement_mappings (
  organization_id text collate "C" not null,
  mapping_source_id text collate "C" not null,
  mapping_target_id text collate "C" not null,
  relationship text not null check (relationship in ('equal', 'equivalent', 'subset_of', 'superset_of', 'intersects',
    'no_relationship')),
  strength integer,
  rationale text check (rationale in ('syntactic', 'semantic', 'functional')),
  origin text not null check (origin in ('official', 'community', 'own', 'suggested')),
  confidence double precision,
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, mapping_source_id, mapping_target_id),
  foreign key (organization_id, mapping_source_id) references requirements (organization_id, id) on delete cascade,
  foreign key (organization_id, mapping_target_id) references requirements (organization_id, id) on delete cascade
);
create index requirement_mappings_mapping_target on requirement_mappings (organization_id, mapping_target_id,
  mapping_source_id);
alter table requirement_mappings enable row level security, force row level security;
create policy tenant on requirement_mappings to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on requirement_mappings to plumbline_tenant;

create table evidence_requirements (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  requirement_id text collate "C" not null,
  coverage text not null check (coverage in ('full', 'partial')),
  note text,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, evidence_id, requirement_id),
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade,
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade
);
create index evidence_requirements_requirement on evidence_requirements (organization_id, requirement_id, evidence_id);
alter table evidence_requirements enable row level security, force row level security;
create policy tenant on evidence_requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on evidence_requirements to plumbline_tenant;

create table task_requirements (
  organization_id text collate "C" not null,
  task_id text collate "C" not null,
  requirement_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, task_id, requirement_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade
);
create index task_requirements_requirement on task_requirements (organization_id, requirement_id, task_id);
alter table task_requirements enable row level security, force row level security;
create policy tenant on task_requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on task_requirements to plumbline_tenant;

create table compliance_plan_frameworks (
  organization_id text collate "C" not null,
  compliance_plan_id text collate "C" not null,
  framework_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, compliance_plan_id, framework_id),
  foreign key (organization_id, compliance_plan_id) references compliance_plans (organization_id, id) on delete cascade,
  foreign key (organization_id, framework_id) references frameworks (organization_id, id) on delete cascade
);
create index compliance_plan_frameworks_framework on compliance_plan_frameworks (organization_id, framework_id,
  compliance_plan_id);
alter table compliance_plan_frameworks enable row level security, force row level security;
create policy tenant on compliance_plan_frameworks to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on compliance_plan_frameworks to plumbline_tenant;

-- A requirement is called by the key that it is printed with, which others of other frameworks have as well.
alter table known_records drop constraint known_records_organization_id_reference_key;
create index known_records_reference on known_records (organization_id, reference);
