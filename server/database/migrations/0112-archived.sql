-- What is archived is left out of lists, and found by itself: few rows in most tables, for which an index of their own costs
-- nothing that is not archived.
create index assets_archived on assets (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index compliance_plans_archived on compliance_plans (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index controls_archived on controls (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index evidence_archived on evidence (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index frameworks_archived on frameworks (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index personnel_archived on personnel (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index policies_archived on policies (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index policy_decisions_archived on policy_decisions (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index policy_exceptions_archived on policy_exceptions (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index policy_versions_archived on policy_versions (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index requirements_archived on requirements (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index risk_acceptances_archived on risk_acceptances (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index risk_treatments_archived on risk_treatments (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index risks_archived on risks (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index security_findings_archived on security_findings (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index tasks_archived on tasks (organization_id, created_at desc, id desc)
  where archived_at is not null;
create index vendors_archived on vendors (organization_id, created_at desc, id desc)
  where archived_at is not null;

-- Evidence in the state archived is archived from now on, and was so since it came there.
alter table evidence no force row level security;
alter table known_records no force row level security;
-- It proved nothing in this state, so no result can move.
alter table evidence disable trigger coverage;
update evidence set archived_at = updated_at where status = 'archived' and archived_at is null;
update known_records k set archived_at = e.archived_at
  from evidence e
 where e.organization_id = k.organization_id and e.id = k.id and e.archived_at is not null;
alter table evidence enable trigger coverage;
alter table evidence force row level security;
alter table known_records force row level security;
