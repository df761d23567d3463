-- Telling others. A delivery is one signal to one endpoint; its row is both the log and the queue.

create table webhook_endpoints (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  address text not null,
  description text,
  signal_types text[] not null,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('turned_off', 'failures')),
  disabled_at timestamptz,
  -- Grows at each turn of the switch. A delivery carries the epoch it was made in, and only deliveries
  -- of the current one are ever sent by themselves: off means off, whatever is turned on later.
  epoch integer not null default 1,
  secret_cipher bytea,
  secret_version integer not null default 1,
  -- The ten failures that turned it off.
  tripped_by jsonb,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index webhook_endpoints_id on webhook_endpoints (id);

-- The hot half of an endpoint: written by the engine for each batch that failed, never by a success
-- that follows a success.
create table webhook_endpoint_states (
  organization_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  epoch integer not null default 1,
  failures integer not null default 0,
  last_failures jsonb not null default '[]',
  tripped_epoch integer,
  primary key (endpoint_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade
) with (fillfactor = 40);

-- The id leads the key, and the engine looks a delivery up by its id and week without naming the
-- organization. A week begins empty, and a planner that knows nothing of it takes any index that begins with
-- the organization as good for finding one row: kept in a prepared statement, that plan read all deliveries
-- of the organization for each result.
create table deliveries (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  signal_id text collate "C",
  type text not null,
  body text,
  run jsonb,
  purpose text not null default 'signal' check (purpose in ('signal', 'test', 'workflow')),
  epoch integer not null,
  status text not null default 'pending'
    check (status in ('pending', 'waiting_for_retry', 'delivered', 'failed', 'not_sent')),
  attempt_count integer not null default 0,
  attempt_number integer not null default 0,
  claims integer not null default 0,
  -- When it is due; while it is being sent, when whoever sends it is given up for lost.
  due_at timestamptz,
  -- Whose it is while it is being sent: a result under another claim comes too late and changes nothing.
  claim_id uuid,
  -- Set while it is sent by hand, once and outside of its schedule: what it is again if nothing comes of it.
  status_before text check (status_before in ('delivered', 'failed', 'not_sent')),
  created_at timestamptz not null,
  primary key (id, organization_id, created_at)
) partition by range (created_at);
-- The claim's index. It leads with the endpoint's epoch, so that what an off-and-on left behind is
-- never walked over.
create index deliveries_due on deliveries (endpoint_id, epoch, due_at)
  where status in ('pending', 'waiting_for_retry');
-- What was lost with its sender three times in a row: claimed alone, so almost always empty.
create index deliveries_suspect on deliveries (due_at)
  where status in ('pending', 'waiting_for_retry') and claims >= 3;
-- A row is written three times in its life, and each index costs that many entries: so the log is read
-- endpoint by endpoint (an organization has ten at most), and only what ended badly has an index by status.
create index deliveries_newest on deliveries (organization_id, endpoint_id, created_at desc, id desc);
create index deliveries_unsuccessful on deliveries (organization_id, endpoint_id, status, created_at desc, id desc)
  where status in ('failed', 'not_sent');

-- Written as `sending` before the request leaves. Partitioned by the delivery's day of creation, so
-- that both go together.
create table attempts (
  organization_id text collate "C" not null,
  delivery_id text collate "C" not null,
  number integer not null,
  endpoint_id text collate "C" not null,
  created_at timestamptz not null,
  claim_id uuid not null,
  claimed_at timestamptz not null,
  sent_at timestamptz,
  outcome text not null default 'sending',
  counted boolean not null default false,
  address text,
  -- Not jsonb: in the order in which they were sent.
  headers json,
  status_code integer,
  duration_ms integer,
  response_body bytea,
  response_truncated boolean not null default false,
  primary key (organization_id, delivery_id, number, created_at)
) partition by range (created_at);

alter table webhook_endpoints enable row level security, force row level security;
alter table webhook_endpoint_states enable row level security, force row level security;
alter table deliveries enable row level security, force row level security;
alter table attempts enable row level security, force row level security;

create policy tenant on webhook_endpoints to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on webhook_endpoint_states to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on deliveries to plumbline_tenant using (organization_id = (select current_organization()));
create policy tenant on attempts to plumbline_tenant using (organization_id = (select current_organization()));
create policy engine on webhook_endpoints to plumbline_engine using (true);
create policy engine on webhook_endpoint_states to plumbline_engine using (true);
create policy engine on deliveries to plumbline_engine using (true);
create policy engine on attempts to plumbline_engine using (true);

grant select, insert, update on webhook_endpoints, webhook_endpoint_states, deliveries to plumbline_tenant;
grant select, insert, update on attempts to plumbline_tenant;
grant select, update, delete on webhook_endpoints to plumbline_engine;
grant select, insert, update, delete on webhook_endpoint_states, deliveries, attempts to plumbline_engine;

-- Weekly partitions of what is kept for a while. Made ahead by whoever runs; the owner's rights are
-- borrowed, because a partition is a table. There is no default partition: one row in it would stand in
-- the way of every later week.
create function ensure_weeks(until timestamptz) returns void
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
        -- An attempt is written small, before it is sent, and once more with its outcome: room for both on a page.
        execute format('create table %I partition of %I for values from (%L) to (%L)%s', name, parent, week,
          week + interval '7 days', case parent
            when 'deliveries' then ' with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
              autovacuum_vacuum_insert_scale_factor = 0.05)'
            when 'attempts' then ' with (fillfactor = 25)'
            else '' end);
        execute format('alter table %I enable row level security, force row level security', name);
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;

-- Drops the weeks that ended before `before`. Gives up at once where a lock is not to be had, so that
-- readers never queue behind it; the next hour tries again.
create function drop_weeks(before timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
  dropped integer := 0;
begin
  set local lock_timeout = '500ms';
  for part in
    select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relname in ('signals', 'deliveries', 'attempts') and p.relnamespace = 'public'::regnamespace
       and to_timestamp(right(c.relname, 8), 'YYYYMMDD') + interval '7 days' <= before
  loop
    begin
      execute format('drop table %I', part.name);
      dropped := dropped + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  return dropped;
end $$;

revoke all on function ensure_weeks(timestamptz), drop_weeks(timestamptz) from public;
grant execute on function ensure_weeks(timestamptz), drop_weeks(timestamptz) to plumbline_engine;

select ensure_weeks(clock_now() + interval '21 days');
