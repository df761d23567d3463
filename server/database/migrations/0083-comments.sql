-- What people say about a record of whatever kind, beside it: it is no part of its versions, and goes with it.
create table comments (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  record_id text collate "C" not null,
  -- Markdown, with mentions (model/mentions.ts).
  text text not null,
  version integer not null default 1,
  created_by jsonb not null,
  -- The user who wrote it, by themselves or through a program.
  created_by_user text collate "C",
  created_at timestamptz not null,
  edited_at timestamptz,
  resolved_at timestamptz,
  resolved_by jsonb,
  primary key (organization_id, id),
  foreign key (organization_id, record_id) references known_records (organization_id, id) on delete cascade,
  foreign key (organization_id, created_by_user) references members (organization_id, user_id)
);
create index comments_of_record on comments (organization_id, record_id, created_at, id);

-- What a comment said before it was edited.
create table comment_versions (
  organization_id text collate "C" not null,
  comment_id text collate "C" not null,
  version integer not null,
  text text not null,
  replaced_at timestamptz not null,
  primary key (organization_id, comment_id, version),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade
);

alter table comments enable row level security, force row level security;
create policy tenant on comments to plumbline_tenant using (organization_id = (select current_organization()));
grant select, insert, update, delete on comments to plumbline_tenant;
alter table comment_versions enable row level security, force row level security;
create policy tenant on comment_versions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on comment_versions to plumbline_tenant;
