-- What people prove beside their password, or in its place.

-- Kept with each change of a factor, so that an organization sees who has one and nothing of it.
alter table users add column has_second_factor boolean not null default false;
grant select (has_second_factor) on users to plumbline_tenant;

-- At most one that counts, and one that waits for its first code. The secret is sealed for its person and row.
create table totp_secrets (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The latest time step whose code was taken: no code counts twice (RFC 6238 5.2).
  last_step bigint
);
create unique index totp_secrets_user on totp_secrets (user_id, (confirmed_at is null));

-- A code is used up by removing its row.
create table recovery_codes (
  user_id text collate "C" not null references users (id),
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  -- As the authenticator made it, base64url.
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- Between the password and the second factor.
create table sign_in_tickets (
  secret_hash bytea primary key,
  user_id text collate "C" not null,
  organization_id text collate "C" not null,
  method text not null check (method in ('password', 'link')),
  tries integer not null default 0,
  expires_at timestamptz not null,
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
create index sign_in_tickets_user on sign_in_tickets (user_id);

-- A challenge that waits for an authenticator's answer; any answer removes the row.
create table passkey_ceremonies (
  secret_hash bytea primary key,
  purpose text not null check (purpose in ('create', 'sign_in', 'second_factor', 'confirm')),
  challenge_hash bytea not null,
  -- Null where whoever signs in has yet to say who they are.
  user_id text collate "C" references users (id),
  ticket_hash bytea,
  expires_at timestamptz not null,
  check ((purpose = 'sign_in') = (user_id is null)),
  check ((purpose = 'second_factor') = (ticket_hash is not null))
);
create index passkey_ceremonies_user on passkey_ceremonies (user_id);

alter table totp_secrets enable row level security, force row level security;
alter table recovery_codes enable row level security, force row level security;
alter table passkeys enable row level security, force row level security;
alter table sign_in_tickets enable row level security, force row level security;
alter table passkey_ceremonies enable row level security, force row level security;

create policy gate on totp_secrets to plumbline_gate using (true);
create policy gate on recovery_codes to plumbline_gate using (true);
create policy gate on passkeys to plumbline_gate using (true);
create policy gate on sign_in_tickets to plumbline_gate using (true);
create policy gate on passkey_ceremonies to plumbline_gate using (true);

grant select, insert, update, delete
  on totp_secrets, recovery_codes, passkeys, sign_in_tickets, passkey_ceremonies to plumbline_gate;
