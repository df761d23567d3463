-- Members and entries of the directory that may be one person by now, until it is looked whether they are
-- (server/organization/link-people.ts). They are written by several rooms, and by whoever mends a table by hand: a trigger
-- sees them all, and appends, so that writers never wait for each other.

create table people_changes (
  id bigint generated always as identity,
  organization_id text collate "C" not null,
  -- Of whom: a member, by the user's id, or an entry of the directory.
  kind text collate "C" not null check (kind in ('member', 'personnel')),
  changed_id text collate "C" not null,
  primary key (organization_id, id)
);
-- What members may be linked by now was not looked at since; from here on changes alone are.
insert into people_changes (organization_id, kind, changed_id)
select organization_id, 'member', user_id from members where status = 'active';

alter table people_changes enable row level security, force row level security;
create policy tenant on people_changes to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on people_changes to plumbline_tenant;
-- Members come and users change before there is an organization; and the clock asks in which something changed.
create policy gate on people_changes to plumbline_gate using (true) with check (true);
grant select, insert on people_changes to plumbline_gate;

-- Appends whom a column of the row names: note_person_change('member', 'user_id').
create function note_person_change() returns trigger
  language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' or tg_argv[2] = 'old' then old else new end);
begin
  insert into people_changes (organization_id, kind, changed_id)
  values (changed ->> 'organization_id', tg_argv[0], changed ->> tg_argv[1]);
  return null;
end $$;

create trigger comes after insert on members for each row when (new.status = 'active')
  execute function note_person_change('member', 'user_id');
create trigger changes after update on members for each row
  when (new.status = 'active'
    and (old.status is distinct from new.status or old.account_id is distinct from new.account_id))
  execute function note_person_change('member', 'user_id');

create trigger comes after insert on personnel for each row when (new.user_id is null)
  execute function note_person_change('personnel', 'id');
create trigger changes after update on personnel for each row
  when (new.user_id is null and (old.work_email is distinct from new.work_email or old.status is distinct from new.status
    or old.user_id is distinct from new.user_id or old.archived_at is distinct from new.archived_at))
  execute function note_person_change('personnel', 'id');
-- Whoever was that person may be another.
create trigger lets_go after update on personnel for each row
  when (old.user_id is distinct from new.user_id and old.user_id is not null)
  execute function note_person_change('member', 'user_id', 'old');
create trigger goes after delete on personnel for each row when (old.user_id is not null)
  execute function note_person_change('member', 'user_id');

-- Of a user, wherever they are a member.
create function note_user_change() returns trigger
  language plpgsql as $$
begin
  insert into people_changes (organization_id, kind, changed_id)
  select organization_id, 'member', user_id from members where account_id = new.id;
  return null;
end $$;

create trigger changes after update on users for each row
  when (new.disabled_at is null
    and (old.disabled_at is distinct from new.disabled_at or old.email is distinct from new.email))
  execute function note_user_change();
