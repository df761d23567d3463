-- What waits is told apart from what is told. The log of deliveries was its own queue: each step of a delivery moved
-- three of its indexes, and rows that several processes claim at once were locked in a partitioned table. Now a
-- delivery that waits has a row in the queue, and those that are under way are named by a lease, one row for all that
-- one claim took. Rows of both are inserted and deleted, and never updated. The log keeps everything else, and an
-- update of it touches no index.
create table delivery_queue (
  organization_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- Of the endpoint's switch, when the delivery was made; only those of the present one are sent.
  epoch integer not null,
  due_at timestamptz not null,
  delivery_id text collate "C" not null,
  -- Of the delivery; with it, only one week's partition is touched.
  created_at timestamptz not null,
  -- Never tried.
  is_first boolean not null default true,
  -- How often it was lost with its sender, in a row.
  losses integer not null default 0,
  -- In the order of the log, which lists what waits by it.
  primary key (organization_id, endpoint_id, created_at, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index delivery_queue_due on delivery_queue (endpoint_id, epoch, due_at);
create index delivery_queue_suspect on delivery_queue (due_at) where losses >= 3;

create table delivery_leases (
  claim_id uuid not null,
  organization_id text collate "C" not null,
  ends_at timestamptz not null,
  delivery_ids text[] not null,
  -- Of the deliveries, in the same order.
  created_ats timestamptz[] not null,
  primary key (claim_id, organization_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

alter table delivery_queue enable row level security, force row level security;
alter table delivery_leases enable row level security, force row level security;
create policy tenant on delivery_queue to plumbline_tenant using (organization_id = (select current_organization()));
create policy tenant on delivery_leases to plumbline_tenant using (organization_id = (select current_organization()));
create policy engine on delivery_queue to plumbline_engine using (true);
create policy engine on delivery_leases to plumbline_engine using (true);
grant select, insert, delete on delivery_queue to plumbline_tenant;
grant select, insert on delivery_leases to plumbline_tenant;
-- Row locks need the right to update.
grant select, insert, update, delete on delivery_queue, delivery_leases to plumbline_engine;

-- Of every organization, so the owner looks past the policies for a moment.
alter table deliveries no force row level security;
alter table delivery_queue no force row level security;
alter table delivery_leases no force row level security;
insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at, is_first, losses)
select organization_id, endpoint_id, epoch, due_at, id, created_at, attempt_number = 0, claims from deliveries
 where status in ('pending', 'waiting_for_retry') and claim_id is null;
insert into delivery_leases (claim_id, organization_id, ends_at, delivery_ids, created_ats)
select claim_id, organization_id, max(due_at), array_agg(id), array_agg(created_at) from deliveries
 where status in ('pending', 'waiting_for_retry') and claim_id is not null
 group by claim_id, organization_id;

-- A process of an older version that still runs would write deliveries without their row in the queue, and nobody
-- would ever send them. So its writes fail, and lose nothing.
alter table deliveries alter column purpose drop default;

drop index deliveries_due;
drop index deliveries_suspect;
drop index deliveries_unsuccessful;
-- In no step of a delivery that arrives: an index on the status itself would be moved by each.
alter table deliveries add column unsuccessful text
  generated always as (case when status in ('failed', 'not_sent') then status end) stored;
create index deliveries_unsuccessful on deliveries
  (organization_id, endpoint_id, unsuccessful, created_at desc, id desc) where unsuccessful is not null;
alter table deliveries force row level security;
alter table delivery_queue force row level security;
alter table delivery_leases force row level security;

-- Room on each page for what becomes of its rows.
create or replace function ensure_weeks(until timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  week timestamptz := date_trunc('week', clock_now() - interval '7 days', 'UTC');
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('plumbline.ensure_weeks'));
  while week <= until loop
    foreach parent in array array['signals', 'deliveries', 'attempts'] loop
      name := parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
      if to_regclass(name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)%s', name, parent, week,
          week + interval '7 days', case parent
            when 'deliveries' then ' with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02,
              autovacuum_vacuum_insert_scale_factor = 0.05)'
            else '' end);
        execute format('alter table %I enable row level security, force row level security', name);
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;

do $$
declare
  week regclass;
begin
  for week in select inhrelid from pg_inherits where inhparent = 'deliveries'::regclass loop
    execute format('alter table %s set (fillfactor = 60)', week);
  end loop;
end $$;
