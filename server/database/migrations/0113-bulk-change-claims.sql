-- What the rows of a bulk change would give their records that only one record can have, and the first row that would.
create table bulk_change_claims (
  organization_id text collate "C" not null,
  bulk_change_id text collate "C" not null,
  claim text collate "C" not null,
  number integer not null,
  primary key (organization_id, bulk_change_id, claim),
  foreign key (organization_id, bulk_change_id) references bulk_changes (organization_id, id) on delete cascade
);
alter table bulk_change_claims enable row level security, force row level security;
create policy tenant on bulk_change_claims to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on bulk_change_claims to plumbline_tenant;
