-- What became of each revision: a row once somebody has found it right or not. Revisions themselves are never changed.
create table evidence_decisions (
  organization_id text collate "C" not null,
  evidence_id text collate "C" not null,
  number integer not null,
  outcome text not null check (outcome in ('approved', 'rejected')),
  reason text,
  decided_at timestamptz not null,
  decided_by jsonb not null,
  primary key (organization_id, evidence_id, number),
  foreign key (organization_id, evidence_id, number)
    references evidence_revisions (organization_id, evidence_id, number) on delete cascade
);
alter table evidence_decisions enable row level security, force row level security;
create policy tenant on evidence_decisions to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert on evidence_decisions to plumbline_tenant;
