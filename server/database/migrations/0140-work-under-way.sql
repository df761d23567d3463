-- Work of the clock is marked while it runs, so that work that ends its process again and again is found and rests.
-- A mark whose process is gone is a loss. A unit is what can be set aside by itself: a task, an organization, a record.
create table work_under_way (
  task text not null,
  unit text not null,
  worker bigint not null,
  primary key (task, unit, worker)
);

-- How often in a row a unit of work was lost with its process. It is gone when the work ends in any other way.
create table work_losses (
  task text not null,
  unit text not null,
  losses int not null check (losses > 0),
  rests_until timestamptz,
  primary key (task, unit)
);

alter table work_under_way enable row level security, force row level security;
alter table work_losses enable row level security, force row level security;
create policy gate on work_under_way to plumbline_gate using (true) with check (true);
create policy gate on work_losses to plumbline_gate using (true) with check (true);
grant select, insert, update, delete on work_under_way, work_losses to plumbline_gate;
