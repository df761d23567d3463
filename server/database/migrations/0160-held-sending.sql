-- A row where webhooks are not sent: a restored database waits for a person to say that it is the one that sends.
create table held_sending (
  one boolean primary key default true check (one),
  held_at timestamptz not null,
  because text not null
);
alter table held_sending enable row level security, force row level security;
create policy engine on held_sending to plumbline_engine using (true);
grant select, delete on held_sending to plumbline_engine;

-- A new week can be read by a backup of pg_dump, which reads each partition by its own name (database/backup-policy.ts).
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
        execute format('create policy backup on %I for select to %I
            using (current_setting(''plumbline.backup'', true) = ''on'' and pg_has_role(session_user, current_user, ''MEMBER''))',
          name, current_user);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, week,
          week + interval '7 days');
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
end $$;
