-- Browsers in which a person has signed in: what strangers try on an account is not counted against them. A device
-- is of one person; its secret is kept as a keyed hash.
create table known_devices (
  secret_hash bytea primary key,
  -- The master key of the hash.
  hashed_with text collate "C" not null,
  user_id text collate "C" not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index known_devices_user on known_devices (user_id, created_at);

alter table known_devices enable row level security, force row level security;
create policy gate on known_devices to plumbline_gate using (true);
grant select, insert, update, delete on known_devices to plumbline_gate;

-- A link by which a sign-in is finished in the mailbox.
alter table one_time_links drop constraint one_time_links_purpose_check,
  add constraint one_time_links_purpose_check
    check (purpose in ('set_up', 'invitation', 'password_reset', 'sign_in'));
