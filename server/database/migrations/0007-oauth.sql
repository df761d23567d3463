-- Programs that a person let in: their clients, what each was granted, and the tokens it holds for that.

-- Clients that are known by a row: those that registered themselves, and those an operator made. (A client
-- whose id is the address of its metadata has none.) They belong to no organization.
create table oauth_clients (
  id text collate "C" primary key,
  registration text not null check (registration in ('dynamic', 'preregistered')),
  metadata jsonb not null,
  secret_sealed bytea,
  -- Where a dynamic one registered itself from.
  network text,
  created_at timestamptz not null,
  last_authorized_at timestamptz
);
create index oauth_clients_unused on oauth_clients (created_at)
  where registration = 'dynamic' and last_authorized_at is null;

-- What one person granted one client in one organization. Its tokens are worth what stands here at the moment
-- of a call: its scopes, and whether it was revoked. Who grants again to the same client changes the row.
create table connected_apps (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null unique,
  user_id text collate "C" not null,
  client_id text collate "C" not null,
  client_name text not null,
  client_uri text,
  redirect_host text not null,
  registration text not null check (registration in ('dynamic', 'metadata', 'preregistered')),
  scopes text[] not null,
  created_at timestamptz not null,
  approved_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text collate "C",
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
create unique index connected_apps_live on connected_apps (organization_id, user_id, client_id)
  where revoked_at is null;
create index connected_apps_client on connected_apps (client_id) where revoked_at is null;

-- Apart from the app, because it is written on every call: see api_key_usage.
create table connected_app_usage (
  organization_id text collate "C" not null,
  app_id text collate "C" not null,
  window_started_at timestamptz,
  window_count integer not null default 0,
  last_used_at timestamptz,
  primary key (organization_id, app_id),
  foreign key (organization_id, app_id) references connected_apps (organization_id, id) on delete cascade
) with (fillfactor = 40);

-- Found by the SHA-256 of what the client holds, which stands nowhere: it is random enough to need no key.
create table oauth_tokens (
  key_hash bytea primary key,
  kind text not null check (kind in ('AccessToken', 'RefreshToken', 'AuthorizationCode')),
  organization_id text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  client_id text collate "C" not null,
  scopes text[] not null,
  audience text,
  payload jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  foreign key (organization_id, app_id) references connected_apps (organization_id, id) on delete cascade
);
create index oauth_tokens_app on oauth_tokens (organization_id, app_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);

-- What lies between a client's request and its answer, found in the same way.
create table oauth_states (
  key_hash bytea primary key,
  kind text not null check (kind in ('Session', 'Interaction', 'ReplayDetection')),
  payload jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_states_expiry on oauth_states (expires_at);

alter table oauth_clients enable row level security, force row level security;
alter table connected_apps enable row level security, force row level security;
alter table connected_app_usage enable row level security, force row level security;
alter table oauth_tokens enable row level security, force row level security;
alter table oauth_states enable row level security, force row level security;

create policy tenant on connected_apps to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on connected_app_usage to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on oauth_clients to plumbline_gate using (true);
create policy gate on connected_apps to plumbline_gate using (true);
create policy gate on connected_app_usage to plumbline_gate using (true);
create policy gate on oauth_tokens to plumbline_gate using (true);
create policy gate on oauth_states to plumbline_gate using (true);

grant select, insert, update on connected_apps to plumbline_tenant;
grant select, insert on connected_app_usage to plumbline_tenant;
grant select, update on connected_apps, connected_app_usage to plumbline_gate;
grant select, insert, update, delete on oauth_clients, oauth_tokens, oauth_states to plumbline_gate;
