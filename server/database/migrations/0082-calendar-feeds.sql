-- The address at which a calendar program reads what is due for a person: one of each in an organization. Whoever follows
-- it has no organization yet, so the gate finds it, by the digest of its secret.
create table calendar_feeds (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  secret_hash bytea not null unique,
  whose text not null check (whose in ('mine', 'everybody')),
  created_at timestamptz not null,
  last_read_at timestamptz,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);
alter table calendar_feeds enable row level security, force row level security;
create policy tenant on calendar_feeds to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on calendar_feeds to plumbline_tenant;
create policy gate on calendar_feeds to plumbline_gate using (true);
grant select, update (last_read_at) on calendar_feeds to plumbline_gate;
