-- Work that takes longer than a call. A row is the job that people see, and its own queue while it is due.
create table jobs (
  id text collate "C" primary key,
  -- Null for what the service does for no organization.
  organization_id text collate "C" references organizations (id),
  kind text collate "C" not null,
  -- What is worked in turn, and bounded together.
  lane text collate "C" not null generated always as (coalesce(organization_id, '') || ':' || kind) stored,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'succeeded', 'failed', 'cancelled')),
  -- One of the two; what is sealed is wiped when the job is over.
  input jsonb,
  sealed_input bytea,
  -- Whom it acts as, and what they were granted; null for the service.
  started_by jsonb,
  -- How far it has come, in words of its kind, and for people.
  place jsonb,
  done integer not null default 0,
  total integer,
  errors jsonb not null default '[]',
  error_count integer not null default 0,
  -- Why it failed, in a sentence.
  failure text,
  result bytea,
  result_name text,
  result_type text,
  -- When it is to be worked, or its lease ends; null once it is over.
  due_at timestamptz,
  claim_id uuid,
  -- How often in a row it was lost with its worker, and how often a fault of ours broke it off.
  losses integer not null default 0,
  faults integer not null default 0,
  cancel_asked_at timestamptz,
  created_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  kept_days integer not null,
  -- It goes then; null while it is not over.
  kept_until timestamptz
  -- A piece moves the place and no index: half-empty pages keep those writes in place.
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index jobs_due on jobs (lane, due_at) where due_at is not null;
create index jobs_claimed on jobs (lane, claim_id) where claim_id is not null;
create index jobs_suspect on jobs (due_at) where losses >= 3 and due_at is not null;
create index jobs_listed on jobs (organization_id, created_at desc, id desc);
create index jobs_kept on jobs (kept_until) where kept_until is not null;

alter table jobs enable row level security, force row level security;
create policy tenant on jobs to plumbline_tenant using (organization_id = (select current_organization()));
-- Those of no organization alone.
create policy gate on jobs to plumbline_gate using (organization_id is null);
create policy engine on jobs to plumbline_engine using (true);
grant select, insert, update on jobs to plumbline_tenant, plumbline_gate;
grant select, update, delete on jobs to plumbline_engine;
