-- What an organization keeps. One table a kind, keyed by organization first; the leading and trailing
-- columns are alike in each. A principal is a pair of columns, so that foreign keys hold it. There is no
-- foreign key to the organization itself: each insert would lock that one row, and its writers would queue.

-- The last reference number given out. Drawn outside the writer's transaction (numbers may be lost),
-- so writers of one organization never queue for it.
create table reference_counters (
  organization_id text collate "C" not null references organizations (id),
  kind text not null,
  last_number integer not null,
  primary key (organization_id, kind)
) with (fillfactor = 40);

create table personnel (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  external_id text,
  full_name text not null,
  work_email text not null,
  given_name text,
  family_name text,
  preferred_name text,
  job_title text,
  department text,
  team text,
  location text,
  country text,
  manager_id text collate "C",
  employee_number text,
  employment_type text not null,
  status text not null,
  in_scope boolean not null,
  out_of_scope_reason text,
  start_date date,
  end_date date,
  user_id text collate "C",
  labels text[],
  custom_fields jsonb,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  unique (organization_id, external_id),
  foreign key (organization_id, manager_id) references personnel (organization_id, id),
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
create unique index personnel_work_email on personnel (organization_id, lower(work_email));
create unique index personnel_user on personnel (organization_id, user_id);
create index personnel_newest on personnel (organization_id, created_at desc, id desc);
create index personnel_changed on personnel (organization_id, updated_at desc, id desc);
create index personnel_manager on personnel (organization_id, manager_id);

create table controls (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  external_id text,
  code text not null,
  title text not null,
  description text,
  category text,
  function text,
  type text,
  implementation_status text not null,
  status_reason text,
  not_applicable_reason text,
  priority text not null,
  risk_level text,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  effectiveness text not null,
  automation text,
  test_procedure text,
  frequency text,
  maturity integer,
  due_date date,
  implemented_at timestamptz,
  next_test_date date,
  effort text,
  cost jsonb,
  labels text[],
  custom_fields jsonb,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  unique (organization_id, external_id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1)
);
create index controls_newest on controls (organization_id, created_at desc, id desc);
create index controls_changed on controls (organization_id, updated_at desc, id desc);
create index controls_owner_user on controls (organization_id, owner_user_id) where owner_user_id is not null;
create index controls_owner_personnel on controls (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;

create table risks (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  external_id text,
  title text not null,
  description text,
  status text not null,
  status_reason text,
  category text not null,
  likelihood text,
  impact text,
  risk_score integer,
  risk_level text,
  inherent_likelihood text,
  inherent_impact text,
  inherent_score integer,
  inherent_level text,
  residual_likelihood text,
  residual_impact text,
  residual_score integer,
  residual_level text,
  target_level text,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  due_date timestamptz,
  review_date date,
  review_frequency text,
  identified_at timestamptz,
  acceptance_expires_at timestamptz,
  treatment_strategy text not null,
  impact_areas text[],
  threat text,
  vulnerability text,
  cause text,
  consequence text,
  strength_of_knowledge text,
  quantification jsonb,
  labels text[],
  custom_fields jsonb,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  unique (organization_id, external_id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1)
);
create index risks_newest on risks (organization_id, created_at desc, id desc);
create index risks_changed on risks (organization_id, updated_at desc, id desc);
create index risks_owner_user on risks (organization_id, owner_user_id) where owner_user_id is not null;
create index risks_owner_personnel on risks (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;

do $$
declare
  kept text;
begin
  foreach kept in array array['personnel', 'controls', 'risks'] loop
    execute format('alter table %I enable row level security, force row level security', kept);
    execute format('create policy tenant on %I to plumbline_tenant using (organization_id = (select current_organization()))', kept);
    execute format('grant select, insert, update, delete on %I to plumbline_tenant', kept);
  end loop;
end $$;

alter table reference_counters enable row level security, force row level security;
create policy gate on reference_counters to plumbline_gate using (true);
grant select, insert, update on reference_counters to plumbline_gate;
