-- A row for each deadline of a record that counts: its date, whose it is, and when the clock looks at it next
-- (server/records/kept-deadlines.ts, server/deadlines). What is settled, archived or deleted has none.

-- When a threshold of a date comes: so many days before it, 0 as the day begins, -1 as it is over. A date without a time
-- has its day in the zone; an instant is over at itself.
create function deadline_moment(day date, at timestamptz, threshold integer, zone text) returns timestamptz
  language sql immutable parallel safe
  return case
    when day is not null then (day - threshold)::timestamp at time zone zone
    when threshold < 0 then at
    when threshold = 0 then date_trunc('day', at at time zone zone) at time zone zone
    else (at at time zone zone - threshold * interval '1 day') at time zone zone end;

-- The zone of an organization, which stays as it is until the transaction ends: whoever changes it waits for what is
-- being written by it, and moves what was (hold_deadlines). In a function of its own, so that the second statement sees
-- what was committed while the first waited. A zone that this PostgreSQL does not know yet keeps nobody from writing.
create function deadline_zone(organization text) returns text
  language plpgsql volatile as $$
declare
  zone text;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('deadlines of ' || organization, 0));
  select timezone into zone from organizations where id = organization;
  perform localtimestamp at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

create function hold_deadlines(organization text) returns void
  language sql volatile
  return pg_advisory_xact_lock(hashtextextended('deadlines of ' || organization, 0));

create table deadlines (
  organization_id text collate "C" not null,
  record_id text collate "C" not null,
  name text collate "C" not null,
  kind text collate "C" not null,
  -- As it is written, where it has no time; else ends_at is.
  day date,
  ends_at timestamptz not null,
  -- A user or a person of the directory, as the record has them.
  owner_id text collate "C",
  -- When the clock looks at it: at its next threshold, or once more after a failure; null where nothing is to come.
  due_at timestamptz,
  failures smallint not null default 0,
  primary key (organization_id, record_id, name),
  foreign key (organization_id, record_id) references known_records (organization_id, id) on delete cascade
) with (fillfactor = 90);
create index deadlines_due on deadlines (due_at) where due_at is not null;
create index deadlines_of_kind on deadlines (organization_id, kind, ends_at, record_id, name);
create index deadlines_failed on deadlines (organization_id) where failures > 0;
create index deadlines_of_owner on deadlines (organization_id, owner_id, ends_at, record_id, name);

alter table organizations no force row level security;
-- The deadlines of what is there already, of every organization: the owner looks past the policies for a moment.
do $$
declare
  kept record;
begin
  create temporary table zones on commit drop as
    select o.id, coalesce(z.name, 'UTC') as name
      from organizations o left join pg_timezone_names z on z.name = o.timezone;
  for kept in select * from (values
    ('risks', 'risk', 'due', null, 'due_date', 'owner', $c$status <> 'closed'$c$),
    ('risks', 'risk', 'review', 'review_date', null, 'owner', $c$status <> 'closed'$c$),
    ('risk_treatments', 'risk_treatment', 'due', 'due_date', null, 'owner',
      $c$status not in ('implemented', 'verified', 'cancelled')$c$),
    ('risk_acceptances', 'risk_acceptance', 'expiry', null, 'expires_at', 'approver',
      $c$status not in ('rejected', 'revoked', 'expired')$c$),
    ('controls', 'control', 'due', 'due_date', null, 'owner',
      $c$implementation_status not in ('implemented', 'not_applicable', 'deprecated')$c$),
    ('controls', 'control', 'test', 'next_test_date', null, 'owner',
      $c$implementation_status not in ('not_applicable', 'deprecated')$c$),
    ('evidence', 'evidence', 'request', 'request_due_date', null, 'requested_from', $c$status = 'requested'$c$),
    ('evidence', 'evidence', 'expiry', 'expiry_date', null, 'owner', $c$status = 'approved'$c$),
    ('security_findings', 'security_finding', 'due', 'due_date', null, 'owner',
      $c$status not in ('resolved', 'risk_accepted', 'false_positive', 'duplicate')$c$),
    ('vendors', 'vendor', 'review', 'next_review_date', null, 'owner', $c$status not in ('rejected', 'terminated')$c$),
    ('assets', 'asset', 'support', 'end_of_support', null, 'owner', $c$status not in ('retired', 'disposed')$c$)
  ) as kinds (records, kind, name, day, at, owner, counted) loop
    execute format('alter table %I no force row level security', kept.records);
    execute format(
      'insert into deadlines (organization_id, record_id, name, kind, day, ends_at, owner_id, due_at)
       select organization_id, id, %L, %L, day, coalesce(at, (day + 1)::timestamp at time zone zone), owner_id,
              deadline_moment(day, at, 30, zone)
         from (select r.organization_id, r.id, %s::date as day, %s::timestamptz as at, coalesce(%I, %I) as owner_id,
                      z.name as zone
                 from %I r join zones z on z.id = r.organization_id
                where r.archived_at is null and %I is not null and %s) dated',
      kept.name, kept.kind, coalesce(quote_ident(kept.day), 'null'), coalesce(quote_ident(kept.at), 'null'),
      kept.owner || '_user_id', kept.owner || '_personnel_id', kept.records, coalesce(kept.day, kept.at), kept.counted);
    execute format('alter table %I force row level security', kept.records);
  end loop;
end $$;

alter table organizations force row level security;

alter table deadlines enable row level security, force row level security;
create policy tenant on deadlines to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on deadlines to plumbline_tenant;
create policy engine on deadlines for select to plumbline_engine using (true);
grant select on deadlines to plumbline_engine;

-- What was said or done of which date: each threshold of it once, though the date may move away and come back.
create table due_moments (
  organization_id text collate "C" not null,
  record_id text collate "C" not null,
  deadline text collate "C" not null,
  date text collate "C" not null,
  threshold smallint not null,
  outcome text not null check (outcome in ('told', 'lapsed')),
  done_at timestamptz not null,
  primary key (organization_id, record_id, deadline, date, threshold),
  foreign key (organization_id, record_id) references known_records (organization_id, id) on delete cascade
);

alter table due_moments enable row level security, force row level security;
create policy tenant on due_moments to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert on due_moments to plumbline_tenant;

-- What lapses is found among the deadlines of all kinds.
drop index risk_acceptances_expires_at_due;
drop policy engine on risk_acceptances;
revoke select (organization_id, id, status, expires_at) on risk_acceptances from plumbline_engine;
