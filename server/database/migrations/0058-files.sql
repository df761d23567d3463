-- The bytes of files: once per organization, however many files have them. The store keeps them under a key that is
-- made of the id. A row is only there once the bytes are, and goes before them.
create table file_contents (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  sha256 text collate "C" not null,
  bytes bigint not null check (bytes > 0),
  type text collate "C" not null,
  -- What the scanner says; unscanned where there was none.
  scan text not null check (scan in ('unscanned', 'waiting', 'clean', 'infected')),
  -- What it found.
  finding text,
  -- When it was last asked for.
  scan_started_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, sha256)
);
create index file_contents_waiting on file_contents (scan_started_at) where scan = 'waiting';

-- A file as somebody sent it. Until it is finished it has no content, and its parts come one by one.
create table files (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  name text not null,
  type text collate "C" not null,
  bytes bigint not null check (bytes > 0),
  sha256 text collate "C" not null,
  part_bytes integer not null check (part_bytes > 0),
  -- The numbers of those that came.
  parts integer[] not null,
  -- Who finishes it, and until when nobody else does.
  claim_id text collate "C",
  claimed_until timestamptz,
  content_id text collate "C",
  -- It stays, whatever points at it.
  legal_hold boolean not null default false,
  -- Since when nothing points at it.
  loose_since timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  -- The user who sends its parts.
  created_by_user_id text collate "C" not null,
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, content_id) references file_contents (organization_id, id),
  foreign key (organization_id, created_by_user_id) references members (organization_id, user_id),
  check ((content_id is null) = (finished_at is null))
);
create index files_content on files (organization_id, content_id);
create index files_unfinished on files (created_at) where content_id is null;
create index files_loose on files (loose_since) where loose_since is not null;

alter table file_contents enable row level security, force row level security;
alter table files enable row level security, force row level security;
create policy tenant on file_contents to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on files to plumbline_tenant
  using (organization_id = (select current_organization()));
-- What nothing points at is found in all organizations.
create policy gate on file_contents to plumbline_gate using (true);
create policy gate on files to plumbline_gate using (true);
grant select, insert, update, delete on file_contents, files to plumbline_tenant;
grant select, update, delete on file_contents, files to plumbline_gate;
