-- Which master keys this database was written with, so that another one is noticed before anything is done with
-- it. A proof is a value that the key has sealed; nothing here opens anything.
create table master_key_proofs (
  key_id text collate "C" primary key,
  proof bytea not null,
  created_at timestamptz not null
);
alter table master_key_proofs enable row level security, force row level security;
create policy gate on master_key_proofs to plumbline_gate using (true);
grant select, insert, delete on master_key_proofs to plumbline_gate;

-- With which key a credential was hashed: what an operator has to know before an old key goes. Rows that were
-- there before have none until they are used.
alter table api_keys add column hashed_with text collate "C";
alter table sessions add column hashed_with text collate "C";
alter table one_time_links add column hashed_with text collate "C";
alter table recovery_codes add column hashed_with text collate "C";

-- A credential moves to the first key when it is used, and a sealed secret with `keyring reseal`.
grant update (secret_hash, hashed_with) on api_keys to plumbline_gate;
grant update (client_secret_cipher) on sign_in_providers to plumbline_gate;
