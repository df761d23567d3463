-- Whom a policy is for, and what each of them has to say of its version in force.
alter table policies
  add column audience text,
  add column audience_ids text[],
  add column requires_attestation boolean,
  add column attestation_due_days integer,
  add constraint policies_audience_check check (audience in ('everyone', 'departments', 'groups', 'none'));

create table attestations (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  policy_id text collate "C" not null,
  version_id text collate "C" not null,
  -- The major number of the version: what was said of 3.0 holds for 3.1.
  round integer not null,
  personnel_id text collate "C" not null,
  status text not null check (status in ('requested', 'viewed', 'acknowledged', 'exempt', 'cancelled')),
  requested_at timestamptz not null,
  due_date date not null,
  viewed_at timestamptz,
  -- Whether the end of the text was in sight.
  reached_end boolean,
  acknowledged_at timestamptz,
  ip text,
  user_agent text,
  consent_text text,
  content_sha256 text,
  exempt_reason text,
  -- An actor: who exempted them.
  exempted_by jsonb,
  -- By which somebody reads it who does not sign in.
  pass_id text collate "C",
  -- When they are written to next, and how often they were.
  told_at timestamptz,
  last_told_at timestamptz,
  reminders integer not null default 0,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, version_id) references policy_versions (organization_id, id) on delete cascade,
  foreign key (organization_id, personnel_id) references personnel (organization_id, id) on delete cascade,
  foreign key (organization_id, pass_id) references guest_passes (organization_id, id)
    on delete set null (pass_id),
  check ((status = 'acknowledged') = (acknowledged_at is not null)),
  check (acknowledged_at is null or (content_sha256 is not null and consent_text is not null)),
  check ((status = 'exempt') = (exempt_reason is not null))
);
-- Nobody is asked twice for one version.
create unique index attestations_once on attestations (organization_id, version_id, personnel_id)
  where status <> 'cancelled';
create index attestations_policy on attestations (organization_id, policy_id, requested_at desc, id desc);
create index attestations_person on attestations (organization_id, personnel_id, status);
create index attestations_pass on attestations (organization_id, pass_id) where pass_id is not null;
create index attestations_told on attestations (told_at) where told_at is not null;

alter table attestations enable row level security, force row level security;
create policy tenant on attestations to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update on attestations to plumbline_tenant;
-- Whom to write to is found in all organizations.
create policy engine on attestations for select to plumbline_engine using (true);
grant select (organization_id, id, told_at) on attestations to plumbline_engine;
