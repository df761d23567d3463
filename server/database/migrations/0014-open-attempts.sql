-- The attempt that is under way stands on its delivery, and becomes a row of its own when it has ended. So an
-- attempt is written once, where it was an insert and an update, and whoever takes a claim back has nothing to
-- take out of the log.
alter table deliveries
  -- Of the claim: when it was made, and where it leads. Left standing when it ends, and then without meaning.
  add column claimed_at timestamptz,
  add column claim_address text;

-- Of every organization, so the owner looks past the policies for a moment.
alter table deliveries no force row level security;
alter table attempts no force row level security;
update deliveries d set claimed_at = a.claimed_at, claim_address = a.address
  from attempts a
 where a.organization_id = d.organization_id and a.delivery_id = d.id and a.created_at = d.created_at
   and a.number = d.attempt_number and a.outcome = 'sending' and d.claim_id is not null;
delete from attempts where outcome = 'sending';
alter table deliveries force row level security;
alter table attempts force row level security;

alter table attempts drop column claim_id, alter column outcome drop default;

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
            when 'deliveries' then ' with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02,
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
  for week in select inhrelid from pg_inherits where inhparent = 'attempts'::regclass loop
    execute format('alter table %s reset (fillfactor)', week);
  end loop;
end $$;
