-- Seals of the audit log: a chain of hashes for each organization, made behind the writers by the sealer
-- (journal/sealer.ts), and checkpoints of it, signed by a key of the instance.

-- By which transaction an entry was written: how the sealer finds what is new without walking over what is old.
-- Entries that were there before are found by the walk that the sealer makes first.
alter table audit_entries add column xact xid8 not null default '0';
alter table audit_entries alter column xact set default pg_current_xact_id();
create index audit_entries_xact on audit_entries (xact);
-- Another value would hide an entry from the sealer.
create policy own_xact on audit_entries as restrictive for insert
  to plumbline_tenant, plumbline_gate, plumbline_engine with check (xact = pg_current_xact_id());
create policy engine_reads on audit_entries for select to plumbline_engine using (true);
grant select (organization_id, id, time, hash, xact) on audit_entries to plumbline_engine;

create table audit_seals (
  organization_id text collate "C" not null,
  seq bigint not null check (seq > 0),
  entry_id text collate "C" not null,
  prev_hash bytea not null check (length(prev_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  sealed_at timestamptz not null,
  primary key (organization_id, seq),
  unique (organization_id, entry_id)
);

-- The keys that sign checkpoints: the newest signs, the older ones stay to be verified with.
create table audit_signing_keys (
  id text collate "C" primary key,
  public_key bytea not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null
);

create table audit_checkpoints (
  organization_id text collate "C" not null,
  seq bigint not null,
  key_id text collate "C" not null,
  hash bytea not null,
  time timestamptz not null,
  signature bytea not null,
  primary key (organization_id, seq, key_id)
);

-- One row: whoever seals holds its lock, and everything written by a transaction before `before` is sealed. A
-- transaction's number means nothing in another cluster, and a dump that is restored takes the row there; so the
-- row says who wrote it, which PostgreSQL says of it too, and after a restore the two differ.
create table audit_sealing (
  one boolean primary key default true check (one),
  before xid8 not null,
  written_by xid8 not null
);
insert into audit_sealing (before, written_by) values ('0', '0');

alter table audit_seals enable row level security, force row level security;
alter table audit_signing_keys enable row level security, force row level security;
alter table audit_checkpoints enable row level security, force row level security;
alter table audit_sealing enable row level security, force row level security;
create policy tenant on audit_seals to plumbline_tenant using (organization_id = (select current_organization()));
create policy tenant on audit_checkpoints to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy engine on audit_seals to plumbline_engine using (true);
create policy engine on audit_checkpoints to plumbline_engine using (true);
create policy engine on audit_signing_keys to plumbline_engine using (true);
create policy engine on audit_sealing to plumbline_engine using (true);
grant select on audit_seals, audit_checkpoints to plumbline_tenant;
grant select, insert on audit_seals, audit_checkpoints, audit_signing_keys to plumbline_engine;
-- For a change of the master key.
grant update (private_key_sealed) on audit_signing_keys to plumbline_engine;
grant select, update on audit_sealing to plumbline_engine;
