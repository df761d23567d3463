-- A partition that is made as one locks its parent against everybody, and whoever writes waits behind it. One that is
-- made beside it and attached locks out nobody who reads or writes.
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
        execute format('create table %I (like %I including all excluding indexes)%s', name, parent, case parent
            when 'deliveries' then ' with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02,
              autovacuum_vacuum_insert_scale_factor = 0.05)'
            else '' end);
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, week,
          week + interval '7 days');
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;

-- For a login that does not own the tables: the others detach a week without a lock that anybody waits for, which no
-- function can (server/webhooks/dispatcher/retention.ts). A write waits no longer than this does.
create or replace function drop_weeks(before timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
  dropped integer := 0;
begin
  set local lock_timeout = '50ms';
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
