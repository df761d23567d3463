-- A version of a policy may be a file in place of a text. What it is stands with the version; the row here holds it.
alter table policy_versions
  add column content_format text check (content_format in ('markdown', 'file')),
  add column file jsonb;

create table policy_version_files (
  organization_id text collate "C" not null,
  version_id text collate "C" not null,
  file_id text collate "C" not null,
  primary key (organization_id, version_id),
  foreign key (organization_id, version_id) references policy_versions (organization_id, id) on delete cascade,
  foreign key (organization_id, file_id) references files (organization_id, id)
);
create index policy_version_files_file on policy_version_files (organization_id, file_id);
alter table policy_version_files enable row level security, force row level security;
create policy tenant on policy_version_files to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on policy_version_files for select to plumbline_gate using (true);
grant select, insert, update, delete on policy_version_files to plumbline_tenant;
grant select on policy_version_files to plumbline_gate;
