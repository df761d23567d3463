-- Risks and findings name the requirements that they are about, and treatments the controls by which they act.

create table risk_requirements (
  organization_id text collate "C" not null,
  risk_id text collate "C" not null,
  requirement_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, risk_id, requirement_id),
  foreign key (organization_id, risk_id) references risks (organization_id, id) on delete cascade,
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade
);
create index risk_requirements_requirement on risk_requirements (organization_id, requirement_id, risk_id);
alter table risk_requirements enable row level security, force row level security;
create policy tenant on risk_requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_requirements to plumbline_tenant;

create table security_finding_requirements (
  organization_id text collate "C" not null,
  security_finding_id text collate "C" not null,
  requirement_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, security_finding_id, requirement_id),
  foreign key (organization_id, security_finding_id) references security_findings (organization_id,
    id) on delete cascade,
  foreign key (organization_id, requirement_id) references requirements (organization_id, id) on delete cascade
);
create index security_finding_requirements_requirement on security_finding_requirements (organization_id,
  requirement_id, security_finding_id);
alter table security_finding_requirements enable row level security, force row level security;
create policy tenant on security_finding_requirements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on security_finding_requirements to plumbline_tenant;

create table risk_treatment_controls (
  organization_id text collate "C" not null,
  risk_treatment_id text collate "C" not null,
  control_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, risk_treatment_id, control_id),
  foreign key (organization_id, risk_treatment_id) references risk_treatments (organization_id, id) on delete cascade,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index risk_treatment_controls_control on risk_treatment_controls (organization_id, control_id,
  risk_treatment_id);
alter table risk_treatment_controls enable row level security, force row level security;
create policy tenant on risk_treatment_controls to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_treatment_controls to plumbline_tenant;
