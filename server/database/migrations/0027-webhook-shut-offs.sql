-- An endpoint that failures turned off is told to the admins by mail: due from a minute after it went off, so that
-- several that go off together share one, until it was sent.
alter table webhook_endpoints
  add column shut_off_mail_due_at timestamptz,
  add column shut_off_mailed_at timestamptz;

-- Which shut-off of an endpoint an admin has looked at: the app reminds them of the others.
create table webhook_shut_off_views (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  disabled_at timestamptz not null,
  primary key (organization_id, user_id, endpoint_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade
);
alter table webhook_shut_off_views enable row level security, force row level security;
create policy tenant on webhook_shut_off_views to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update on webhook_shut_off_views to plumbline_tenant;
