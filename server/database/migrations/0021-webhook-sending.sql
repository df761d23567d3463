-- Tests and redeliveries that are being sent. Their number is what bounds an organization, over all processes, so
-- it stands here and not in any process: a place is free again when its send has ended, or, where the process is
-- gone, when the lease ends.
create table webhook_manual_sends (
  organization_id text collate "C" not null references organizations (id),
  claim_id uuid not null,
  lease_ends_at timestamptz not null,
  primary key (organization_id, claim_id)
);
alter table webhook_manual_sends enable row level security, force row level security;
create policy tenant on webhook_manual_sends to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on webhook_manual_sends to plumbline_tenant;

-- Counts what is written to the configuration, for callers that change it on what they read.
alter table webhook_endpoints add column version integer not null default 1;

-- Which of its ways `could_not_connect` went.
alter table attempts add column reason text;
