-- What happened: the audit log, which only grows, and the signals, of which each endpoint that was on
-- and subscribed has a delivery.

create table audit_entries (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  time timestamptz not null,
  actor json not null,
  channel text not null,
  action text not null,
  outcome text not null check (outcome in ('success', 'denied', 'failed')),
  subject_type text not null,
  subject_id text collate "C" not null,
  subject json,
  changes json,
  reason text,
  request_id text,
  ip text,
  user_agent text,
  hash bytea not null,
  primary key (organization_id, id)
);
create index audit_entries_time on audit_entries (organization_id, time desc, id desc);
create index audit_entries_subject on audit_entries (organization_id, subject_id, time desc, id desc);

alter table audit_entries enable row level security, force row level security;
create policy tenant on audit_entries to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on audit_entries for insert to plumbline_gate with check (true);
create policy engine on audit_entries for insert to plumbline_engine with check (true);
grant select, insert on audit_entries to plumbline_tenant;
grant insert on audit_entries to plumbline_gate, plumbline_engine;

-- The body is kept as the exact text that is signed. By the week, so that what is past its keeping
-- goes by dropping a table; no foreign key leads here, for the same reason. The id leads the key: see
-- deliveries.
create table signals (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  type text not null,
  time timestamptz not null,
  subject_type text not null,
  subject_id text collate "C" not null,
  body text not null,
  created_at timestamptz not null,
  primary key (id, organization_id, created_at)
) partition by range (created_at);

alter table signals enable row level security, force row level security;
create policy tenant on signals to plumbline_tenant using (organization_id = (select current_organization()));
create policy engine on signals to plumbline_engine using (true);
grant select, insert on signals to plumbline_tenant;
grant select, delete on signals to plumbline_engine;
