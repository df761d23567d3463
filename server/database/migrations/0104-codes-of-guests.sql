-- How many codes were asked for from one place, so that whoever holds a forwarded link spends none of its owner's.
create table guest_code_counts (
  organization_id text collate "C" not null,
  pass_id text collate "C" not null,
  -- Empty where nobody knows.
  ip text not null,
  codes integer not null,
  codes_in_hour integer not null,
  codes_since timestamptz not null,
  primary key (organization_id, pass_id, ip),
  foreign key (organization_id, pass_id) references guest_passes (organization_id, id) on delete cascade
);
alter table guest_code_counts enable row level security, force row level security;
create policy tenant on guest_code_counts to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on guest_code_counts to plumbline_tenant;
