-- Libraries hold mappings and a risk matrix besides a framework, or in place of one: what was read of these.
alter table framework_imports add column parts jsonb;

-- Mapping sets name requirements by URNs, which are no keys: the URN of each requirement that came from a library.
create table requirement_urns (
  organization_id text collate "C" not null,
  requirement_id text collate "C" not null,
  framework_id text collate "C" not null,
  urn text collate "C" not null,
  primary key (organization_id, requirement_id),
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade
);
create index requirement_urns_framework on requirement_urns (organization_id, framework_id);
alter table requirement_urns enable row level security, force row level security;
create policy tenant on requirement_urns to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on requirement_urns to plumbline_tenant;
