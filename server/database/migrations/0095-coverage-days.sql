-- How far each framework that is followed was as each day began, by the figures of its progress.
create table coverage_days (
  organization_id text collate "C" not null,
  framework_id text collate "C" not null,
  day date not null,
  in_scope integer not null,
  met integer not null,
  partially_met integer not null,
  not_met integer not null,
  not_assessed integer not null,
  primary key (organization_id, framework_id, day),
  foreign key (organization_id, framework_id) references frameworks (organization_id, id) on delete cascade
);
alter table coverage_days enable row level security, force row level security;
create policy tenant on coverage_days to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on coverage_days to plumbline_tenant;

-- The last day that was written of each organization that has followed a framework: the clock finds those that wait.
create table coverage_days_written (
  organization_id text collate "C" primary key references organizations (id) on delete cascade,
  day date not null
);
insert into coverage_days_written (organization_id, day)
select distinct organization_id, date '2000-01-01' from frameworks where status in ('active', 'retiring');
alter table coverage_days_written enable row level security, force row level security;
create policy tenant on coverage_days_written to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update on coverage_days_written to plumbline_tenant;
create policy engine on coverage_days_written for select to plumbline_engine using (true);
grant select on coverage_days_written to plumbline_engine;
