-- What is linked with what: a table for each pair of kinds, so that foreign keys hold both ends to records of
-- one organization. A link goes with either of its records. Each end has an index that begins with it.
create table risk_controls (
  organization_id text collate "C" not null,
  risk_id text collate "C" not null,
  control_id text collate "C" not null,
  role text not null check (role in ('existing', 'planned')),
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, risk_id, control_id),
  foreign key (organization_id, risk_id) references risks (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index risk_controls_control on risk_controls (organization_id, control_id, risk_id);

alter table risk_controls enable row level security, force row level security;
create policy tenant on risk_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_controls to plumbline_tenant;
