-- The rows of a file that somebody has left out of its import, who may want them back in.
create table bulk_change_left_out (
  organization_id text collate "C" not null,
  bulk_change_id text collate "C" not null,
  number integer not null,
  cells jsonb,
  primary key (organization_id, bulk_change_id, number),
  foreign key (organization_id, bulk_change_id) references bulk_changes (organization_id, id) on delete cascade
);
alter table bulk_change_left_out enable row level security, force row level security;
create policy tenant on bulk_change_left_out to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on bulk_change_left_out to plumbline_tenant;
