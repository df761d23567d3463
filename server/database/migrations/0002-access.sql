-- Credentials of programs, and what each has used of its window.

create table api_keys (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  name text not null,
  prefix text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  created_by text collate "C" not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text collate "C",
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, created_by) references members (organization_id, user_id)
);

-- Apart from the key, because it is written on every call: half-empty pages keep those writes in place.
create table api_key_usage (
  organization_id text collate "C" not null,
  key_id text collate "C" not null,
  window_started_at timestamptz,
  window_count integer not null default 0,
  last_used_at timestamptz,
  primary key (organization_id, key_id),
  foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade
) with (fillfactor = 40);

-- First answers, kept to be given again to the same request (24 hours).
create table idempotency_answers (
  organization_id text collate "C" not null,
  credential_id text collate "C" not null,
  key text collate "C" not null,
  operation text not null,
  body_hash bytea not null,
  status integer not null,
  body jsonb,
  location text,
  created_at timestamptz not null,
  primary key (organization_id, credential_id, key)
);
create index idempotency_answers_age on idempotency_answers (created_at);

alter table api_keys enable row level security, force row level security;
alter table api_key_usage enable row level security, force row level security;
alter table idempotency_answers enable row level security, force row level security;

create policy tenant on api_keys to plumbline_tenant using (organization_id = (select current_organization()));
create policy tenant on api_key_usage to plumbline_tenant using (organization_id = (select current_organization()));
create policy tenant on idempotency_answers to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on api_keys to plumbline_gate using (true);
create policy gate on api_key_usage to plumbline_gate using (true);
create policy gate on idempotency_answers to plumbline_gate using (true);

grant select, insert, update on api_keys to plumbline_tenant;
grant select, insert on api_key_usage to plumbline_tenant;
grant select, insert, update, delete on idempotency_answers to plumbline_tenant;
grant select, delete on api_keys, idempotency_answers to plumbline_gate;
grant select, update on api_key_usage to plumbline_gate;
