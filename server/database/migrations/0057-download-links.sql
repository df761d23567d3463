-- A call that answers bytes, for whoever follows a link to them: once, for five minutes. A link is used up by removing
-- its row. Only the gate reads it, since whoever follows one has no organization yet.
create table download_links (
  secret_hash bytea primary key,
  organization_id text collate "C" not null references organizations (id),
  operation text not null,
  input json not null,
  started_by json not null,
  -- Where a session of the web app asked for it: no other browser follows it.
  session_id text collate "C",
  expires_at timestamptz not null
);
create index download_links_expiry on download_links (expires_at);

alter table download_links enable row level security, force row level security;
create policy gate on download_links to plumbline_gate using (true);
grant select, insert, delete on download_links to plumbline_gate;
