-- Most deliveries are delivered at once, by their one attempt. That attempt is kept on the row that it finishes anyway,
-- and the table of attempts is for the others: those that failed, and those that were sent by hand.

alter table deliveries
  add column sent_at timestamptz,
  add column signature text,
  add column status_code integer,
  add column duration_ms integer,
  add column response_body bytea,
  add column response_truncated boolean;

create view ended_attempts with (security_invoker = true) as
  select organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, sent_at, address, headers, signature,
         outcome, reason, counted, status_code, duration_ms, response_body, response_truncated
    from attempts
  union all
  select organization_id, id, attempt_number, endpoint_id, created_at, claimed_at, sent_at, claim_address, null, signature,
         'success', null, true, status_code, duration_ms, response_body, response_truncated
    from deliveries where sent_at is not null;

grant select on ended_attempts to plumbline_tenant, plumbline_engine;

-- Room beside each row for the two versions that follow it, the second of which is longer now: so none moves to another
-- page, and no index is written.
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
            when 'deliveries' then ' with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
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

do $$
declare week regclass;
begin
  for week in select inhrelid::regclass from pg_inherits where inhparent = 'deliveries'::regclass loop
    execute format('alter table %s set (fillfactor = 50)', week);
  end loop;
end $$;
