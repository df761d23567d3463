-- The files of a comment: each is held by it, and goes once nothing has it.
create table comment_files (
  organization_id text collate "C" not null,
  comment_id text collate "C" not null,
  file_id text collate "C" not null,
  -- In which order they were given.
  place integer not null,
  primary key (organization_id, comment_id, file_id),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade,
  foreign key (organization_id, file_id) references files (organization_id, id)
);
create index comment_files_file on comment_files (organization_id, file_id);

alter table comment_files enable row level security, force row level security;
create policy tenant on comment_files to plumbline_tenant
  using (organization_id = (select current_organization()));
-- What nothing points at is found in all organizations.
create policy gate on comment_files for select to plumbline_gate using (true);
grant select, insert, delete on comment_files to plumbline_tenant;
grant select on comment_files to plumbline_gate;
