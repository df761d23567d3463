-- A person is somebody else in each organization: `members.user_id` is what one organization calls them, and all
-- of its own rows name. `members.account_id` is who signs in (`users.id`), which no organization is shown; the
-- tables of signing in (sessions, links, factors) know a person by it, in their column user_id.
--
-- In the first organization of a person both are the same, as they were. In their others they get an id of that
-- organization, and its rows are moved to it. What has left or is hashed stays as it was written: signals,
-- deliveries and audit entries.

alter table members add column account_id text collate "C" references users (id);

-- Of every organization, so the owner looks past the policies for a moment.
alter table members no force row level security;
update members set account_id = user_id;

alter table members alter column account_id set not null;
alter table members drop constraint members_user_id_fkey;
alter table members add unique (organization_id, account_id);
drop index members_user;
create index members_account on members (account_id);

alter table sessions drop constraint sessions_organization_id_user_id_fkey;
alter table sessions
  add foreign key (organization_id, user_id) references members (organization_id, account_id);
alter table sign_in_tickets drop constraint sign_in_tickets_organization_id_user_id_fkey;
alter table sign_in_tickets
  add foreign key (organization_id, user_id) references members (organization_id, account_id);

drop policy tenant on users;
create policy tenant on users to plumbline_tenant
  using (exists (
    select from members m
    where m.account_id = users.id and m.organization_id = (select current_organization())
  ));

-- TypeIDs as the service makes them: a UUIDv7 in base32. Later than any that was made before, and random.
create function pg_temp.new_user_id() returns text language plpgsql volatile as $$
declare
  milliseconds bigint := extract(epoch from clock_timestamp()) * 1000;
  hex text := overlay(replace(gen_random_uuid()::text, '-', '') placing
    lpad(to_hex(milliseconds), 12, '0') || '7' from 1 for 13);
  bits bit(130) := B'00' || ('x' || hex)::bit(128);
  id text := 'usr_';
begin
  for place in 0..25 loop
    id := id || substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from place * 5 + 1 for 5)::bit(5)::int + 1, 1);
  end loop;
  return id;
end $$;

create temporary table moved on commit drop as
select m.organization_id, m.user_id as old_id, pg_temp.new_user_id() as new_id
  from (select organization_id, user_id,
               row_number() over (partition by user_id order by created_at, organization_id) as place
          from members) m
 where m.place > 1;

do $$
declare
  reference record;
  named record;
begin
  if not exists (select from moved) then return; end if;

  -- What a foreign key holds follows by itself while the key says so.
  create temporary table followers on commit drop as
  select conname, conrelid::regclass as referring, pg_get_constraintdef(oid) as definition
    from pg_constraint
   where contype = 'f' and confrelid = 'members'::regclass
     and pg_get_constraintdef(oid) like '%REFERENCES members(organization_id, user_id)%';
  for reference in select * from followers loop
    execute format('alter table %s drop constraint %I', reference.referring, reference.conname);
    execute format('alter table %s add constraint %I %s on update cascade', reference.referring,
      reference.conname, reference.definition);
  end loop;
  update members m set user_id = v.new_id from moved v
   where m.organization_id = v.organization_id and m.user_id = v.old_id;
  for reference in select * from followers loop
    execute format('alter table %s drop constraint %I', reference.referring, reference.conname);
    execute format('alter table %s add constraint %I %s', reference.referring, reference.conname,
      reference.definition);
  end loop;

  -- What no foreign key holds: who made, changed, linked or revoked something, and for whom a token was made.
  for named in
    select c.oid::regclass as kept, a.attname as name, a.atttypid = 'jsonb'::regtype as is_actor
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and (a.attname in ('created_by', 'updated_by', 'linked_by', 'revoked_by')
            or c.relname = 'oauth_tokens' and a.attname = 'user_id')
       and not exists (
         select from pg_constraint f
          where f.contype = 'f' and f.conrelid = c.oid and a.attnum = any(f.conkey)
            and f.confrelid = 'members'::regclass)
  loop
    execute format('alter table %s no force row level security', named.kept);
    execute format(
      case when named.is_actor then
        'update %1$s t set %2$I = jsonb_set(t.%2$I, ''{id}'', to_jsonb(v.new_id)) from moved v
          where t.organization_id = v.organization_id and t.%2$I ->> ''type'' = ''user''
            and t.%2$I ->> ''id'' = v.old_id'
      else
        'update %1$s t set %2$I = v.new_id from moved v
          where t.organization_id = v.organization_id and t.%2$I = v.old_id'
      end, named.kept, named.name);
    execute format('alter table %s force row level security', named.kept);
  end loop;

  -- Answers that are given again within the day.
  alter table idempotency_answers no force row level security;
  update idempotency_answers t
     set body = replace(t.body::text, v.old_id, v.new_id)::jsonb, location = replace(t.location, v.old_id, v.new_id)
    from moved v
   where t.organization_id = v.organization_id
     and (t.body::text like '%' || v.old_id || '%' or t.location like '%' || v.old_id || '%');
  alter table idempotency_answers force row level security;
end $$;

alter table members force row level security;

-- One form of each e-mail: how somebody wrote it first is nothing that those who invite them are told.
alter table users no force row level security;
update users set email = lower(email) where email <> lower(email);
alter table users force row level security;
