create table risk_acceptances (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  risk_id text collate "C" not null,
  justification text not null,
  conditions text,
  approver_user_id text collate "C",
  approver_personnel_id text collate "C",
  expires_at timestamptz not null,
  status text not null,
  external_id text,
  labels text[],
  custom_fields jsonb,
  requested_by jsonb,
  frozen_likelihood text,
  frozen_impact text,
  frozen_level text,
  approver_name text,
  decided_at timestamptz,
  status_reason text,
  ended_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[justification, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint risk_acceptances_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, risk_id) references risks (organization_id, id),
  foreign key (organization_id, approver_user_id) references members (organization_id, user_id),
  foreign key (organization_id, approver_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(approver_user_id, approver_personnel_id) = 1),
  check (status in ('requested', 'approved', 'rejected', 'revoked', 'expired')),
  check (frozen_likelihood in ('rare', 'unlikely', 'possible', 'likely', 'almost_certain')),
  check (frozen_impact in ('insignificant', 'minor', 'moderate', 'major', 'severe')),
  check (frozen_level in ('low', 'medium', 'high', 'critical')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create unique index risk_acceptances_risk_id_unique on risk_acceptances (organization_id, risk_id)
  where status in ('requested');
create index risk_acceptances_newest on risk_acceptances (organization_id, created_at desc, id desc);
create index risk_acceptances_changed on risk_acceptances (organization_id, updated_at desc, id desc);
create index risk_acceptances_risk on risk_acceptances (organization_id, risk_id);
create index risk_acceptances_approver_user on risk_acceptances (organization_id, approver_user_id)
  where approver_user_id is not null;
create index risk_acceptances_approver_personnel on risk_acceptances (organization_id, approver_personnel_id)
  where approver_personnel_id is not null;
alter table risk_acceptances enable row level security, force row level security;
create policy tenant on risk_acceptances to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_acceptances to plumbline_tenant;

create index risk_acceptances_expires_at_due on risk_acceptances (expires_at) where status not in ('rejected',
  'revoked', 'expired');
create policy engine on risk_acceptances for select to plumbline_engine using (true);
grant select (organization_id, id, status, expires_at) on risk_acceptances to plumbline_engine;
-- By what a risk is accepted, as it was rated then (model/kinds/risk-rules.ts).
alter table risks add column acceptance jsonb;
