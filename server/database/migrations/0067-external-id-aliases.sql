-- The external ids of records that were merged into others: whoever knows one of these by it is led to the one that
-- stayed, and nobody else takes it as long as that is there.

create table external_id_aliases (
  organization_id text collate "C" not null,
  kind text collate "C" not null,
  external_id text collate "C" not null,
  record_id text collate "C" not null,
  primary key (organization_id, kind, external_id),
  foreign key (organization_id, record_id) references known_records (organization_id, id) on delete cascade
);
create index external_id_aliases_record on external_id_aliases (organization_id, record_id);
alter table external_id_aliases enable row level security, force row level security;
create policy tenant on external_id_aliases to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on external_id_aliases to plumbline_tenant;
