-- How people get in: their sessions, the links that let them in once, and the guesses that were made.

alter table users
  add column last_organization_id text collate "C",
  -- When a link that only their mailbox had was last used: until then the address is what somebody typed.
  add column email_proven_at timestamptz;

-- Read before any organization is known, so by the gate alone. A session belongs to one organization; what
-- ends one removes its row.
create table sessions (
  id text collate "C" primary key,
  secret_hash bytea not null unique,
  user_id text collate "C" not null,
  organization_id text collate "C" not null,
  method text not null check (method in ('password', 'passkey', 'provider', 'link')),
  second_factor text check (second_factor in ('totp', 'recovery_code', 'passkey')),
  -- Set where an organization's own provider vouched for the person: it vouches for nothing elsewhere.
  provider_id text collate "C",
  authenticated_at timestamptz not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  network text,
  ip text,
  user_agent text,
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- A link is used up by removing its row; its secret is kept as a keyed hash.
create table one_time_links (
  secret_hash bytea primary key,
  purpose text not null check (purpose in ('set_up', 'invitation', 'password_reset')),
  user_id text collate "C" references users (id),
  organization_id text collate "C" references organizations (id),
  -- Whether it went to the person's mailbox and nowhere else.
  by_mail boolean not null default false,
  created_by text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index one_time_links_user on one_time_links (user_id);

-- Attempts to get in, by keyed hash of an account, a network, or both.
create table sign_in_counts (
  key bytea primary key,
  count integer not null,
  expires_at timestamptz not null
) with (fillfactor = 60);

alter table sessions enable row level security, force row level security;
alter table one_time_links enable row level security, force row level security;
alter table sign_in_counts enable row level security, force row level security;

create policy gate on sessions to plumbline_gate using (true);
create policy gate on one_time_links to plumbline_gate using (true);
create policy gate on sign_in_counts to plumbline_gate using (true);

grant select, insert, update, delete on sessions, one_time_links, sign_in_counts to plumbline_gate;
