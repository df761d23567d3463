-- Who acts without being a member: a pass lets one person, of the directory or by an address, do one thing at one record.
create table guest_passes (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  purpose text not null check (purpose in ('attest', 'answer', 'upload', 'review')),
  record_id text collate "C" not null,
  person_id text collate "C",
  -- Of whom the directory does not have; who stands there is written to at the address that it has.
  address text,
  name text,
  expires_at timestamptz not null,
  -- How often it was opened, and may be.
  uses integer not null default 0,
  uses_at_most integer check (uses_at_most > 0),
  -- The codes that were mailed, so that nobody guesses for ever: since the last link, and within the hour.
  codes integer not null default 0,
  codes_in_hour integer not null default 0,
  codes_since timestamptz,
  created_at timestamptz not null,
  -- An actor.
  created_by jsonb not null,
  revoked_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, record_id) references known_records (organization_id, id) on delete cascade,
  foreign key (organization_id, person_id) references personnel (organization_id, id) on delete cascade,
  check ((person_id is null) <> (address is null))
);
create index guest_passes_record on guest_passes (organization_id, record_id, created_at, id);
create index guest_passes_person on guest_passes (organization_id, person_id) where person_id is not null;

-- The links of a pass, each mailed once: of a secret that stands in no log and no request but the one that opens it.
create table guest_links (
  organization_id text collate "C" not null,
  pass_id text collate "C" not null,
  secret_hash bytea not null unique,
  -- The master key that hashed it.
  hashed_with text,
  -- Where it was sent. Of a person whose address is another by now it opens nothing.
  address text not null,
  created_at timestamptz not null,
  primary key (organization_id, pass_id, secret_hash),
  foreign key (organization_id, pass_id) references guest_passes (organization_id, id) on delete cascade
);

create table guest_sessions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  pass_id text collate "C" not null,
  secret_hash bytea not null unique,
  hashed_with text,
  -- That of the link it was begun with.
  address text not null,
  -- When it was shown that the mailbox is theirs who sit there.
  confirmed_at timestamptz,
  code_hash bytea,
  code_tries integer not null default 0,
  code_expires_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, pass_id) references guest_passes (organization_id, id) on delete cascade
);
create index guest_sessions_pass on guest_sessions (organization_id, pass_id);
create index guest_sessions_last_seen on guest_sessions (last_seen_at);

alter table guest_passes enable row level security, force row level security;
alter table guest_links enable row level security, force row level security;
alter table guest_sessions enable row level security, force row level security;
create policy tenant on guest_passes to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on guest_links to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on guest_sessions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update on guest_passes to plumbline_tenant;
grant select, insert, delete on guest_links to plumbline_tenant;
grant select, insert, update, delete on guest_sessions to plumbline_tenant;

-- Whoever comes by a link or a cookie has no organization yet, so the gate finds that; the pass itself is read in it.
create policy gate on guest_passes for select to plumbline_gate using (true);
create policy gate on guest_links to plumbline_gate using (true);
create policy gate on guest_sessions to plumbline_gate using (true);
grant select on guest_passes to plumbline_gate;
grant select, update (secret_hash, hashed_with), delete on guest_links to plumbline_gate;
grant select, update (secret_hash, hashed_with), delete on guest_sessions to plumbline_gate;
