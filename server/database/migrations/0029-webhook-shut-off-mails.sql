-- Which admin was mailed that an endpoint went off, so that who was not is tried again and nobody is told twice.
create table webhook_shut_off_mails (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- The shut-off that it was about.
  disabled_at timestamptz not null,
  sent_at timestamptz not null,
  primary key (organization_id, user_id, endpoint_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade
);
alter table webhook_shut_off_mails enable row level security, force row level security;
create policy engine on webhook_shut_off_mails to plumbline_engine using (true);
grant select, insert, update on webhook_shut_off_mails to plumbline_engine;

alter table webhook_endpoints drop column shut_off_mailed_at;
