-- Who there is: organizations, the people who sign in, and what each may do in which organization.
--
-- Four roles share the tables. The *owner* (whoever runs this file) makes them and is itself under
-- forced row security, so that a service that logs in as the owner sees nothing by accident. The
-- *tenant* reads and writes the rows of one organization, the one named in the transaction-local
-- setting plumbline.organization. The *gate* sees what precedes an organization (keys, sign-in), the
-- *engine* what crosses organizations (deliveries). An unset or empty setting means no rows.

do $$
declare
  wanted text;
  -- From PostgreSQL 16 whoever makes a role is its member at once, but may not yet become it.
  becoming text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  foreach wanted in array array['plumbline_tenant', 'plumbline_gate', 'plumbline_engine'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', wanted);
      exception when duplicate_object or unique_violation then null; -- another database of this server made it just now
      end;
    end if;
    if not pg_has_role(current_user, wanted, becoming) then
      begin
        execute format('grant %I to current_user', wanted);
      exception when insufficient_privilege then null; -- made by hand for another login: an owner needs no more than that they exist
      end;
    end if;
  end loop;
end $$;

grant usage on schema public to plumbline_tenant, plumbline_gate, plumbline_engine;

-- The one clock. Every decision about time asks it; tests replace it to move time.
create function clock_now() returns timestamptz
  language sql volatile parallel safe
  return date_trunc('milliseconds', clock_timestamp());

-- The organization of the running transaction; null (so: no rows) when none is set.
create function current_organization() returns text
  language sql stable parallel safe
  return nullif(current_setting('plumbline.organization', true), '');

create table organizations (
  id text collate "C" primary key,
  name text not null,
  legal_name text,
  website text,
  industry text,
  size text check (size in ('1_10', '11_50', '51_200', '201_1000', '1001_5000', 'over_5000')),
  country text,
  locale text not null default 'en',
  timezone text not null default 'UTC',
  currency text not null default 'EUR',
  security_contact text,
  features jsonb not null default '{"supplierRiskManagement": false}',
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A person who signs in. One person may belong to several organizations.
create table users (
  id text collate "C" primary key,
  email text not null,
  password_hash text,
  disabled_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

-- What a person is in one organization, and what they are called there. Who is removed keeps the row:
-- records they owned and keys they made go on naming them, and coming back is one update.
create table members (
  organization_id text collate "C" not null references organizations (id),
  user_id text collate "C" not null references users (id),
  name text not null,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  status text not null default 'active' check (status in ('invited', 'active', 'disabled', 'removed')),
  locale text,
  timezone text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

alter table organizations enable row level security, force row level security;
alter table users enable row level security, force row level security;
alter table members enable row level security, force row level security;

create policy tenant on organizations to plumbline_tenant
  using (id = (select current_organization()));
create policy tenant on members to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on users to plumbline_tenant
  using (exists (
    select from members m
    where m.user_id = users.id and m.organization_id = (select current_organization())
  ));
create policy gate on organizations to plumbline_gate using (true);
create policy gate on members to plumbline_gate using (true);
create policy gate on users to plumbline_gate using (true);
create policy engine on organizations for select to plumbline_engine using (true);

grant select, update on organizations to plumbline_tenant;
grant select, insert, update on members to plumbline_tenant;
-- All but the hash of the password, which only signing in looks at.
grant select (id, email, disabled_at, last_login_at, created_at) on users to plumbline_tenant;
grant select, insert, update on organizations, users, members to plumbline_gate;
grant select on organizations to plumbline_engine;
