-- Whom the organization buys from, and the links of risks with them.

create table vendors (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  reference_number integer not null,
  name text not null,
  legal_name text,
  description text,
  website text,
  services_provided text,
  status text not null,
  status_reason text,
  conditions text[],
  lifecycle_stage text not null,
  stage_reason text,
  category text not null,
  owner_user_id text collate "C",
  owner_personnel_id text collate "C",
  security_owner_user_id text collate "C",
  security_owner_personnel_id text collate "C",
  inherent_risk text,
  residual_risk text,
  risk_rating text not null,
  risk_rating_pinned boolean not null,
  data_sensitivity text,
  business_impact text,
  data_types text[],
  processes_personal_data boolean,
  is_subprocessor boolean,
  has_system_access boolean,
  access_level text,
  auth_method text,
  countries text[],
  data_locations text[],
  headquarters_country text,
  certifications text[],
  contacts jsonb,
  urls jsonb,
  annual_spend jsonb,
  lei text,
  euid text,
  vat_id text,
  parent_vendor_id text collate "C",
  is_ict_provider boolean,
  person_type text,
  next_review_date date,
  discovered_by text,
  notes text,
  external_id text,
  labels text[],
  custom_fields jsonb,
  in_use_unapproved boolean,
  last_reviewed_at timestamptz,
  source text not null,
  version integer not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  created_by jsonb not null,
  updated_at timestamptz not null,
  updated_by jsonb not null,
  search_text text collate "C" not null
    generated always as (normalize_for_search(array[name, legal_name, description, services_provided, website, lei,
      vat_id, external_id] || labels)) stored,
  primary key (organization_id, id),
  unique (organization_id, reference_number),
  constraint vendors_external_id_unique unique (organization_id, external_id),
  foreign key (organization_id, parent_vendor_id) references vendors (organization_id, id),
  foreign key (organization_id, owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, owner_personnel_id) references personnel (organization_id, id),
  foreign key (organization_id, security_owner_user_id) references members (organization_id, user_id),
  foreign key (organization_id, security_owner_personnel_id) references personnel (organization_id, id),
  check (num_nonnulls(owner_user_id, owner_personnel_id) <= 1),
  check (num_nonnulls(security_owner_user_id, security_owner_personnel_id) <= 1),
  check (status in ('prospective', 'under_review', 'approved', 'conditional', 'on_hold', 'rejected', 'terminated')),
  check (lifecycle_stage in ('identified', 'intake', 'due_diligence', 'contracting', 'onboarding', 'in_use', 'renewal',
    'offboarding', 'offboarded')),
  check (category in ('cloud_provider', 'saas', 'infrastructure', 'data_storage', 'analytics', 'monitoring',
    'identity_provider', 'security', 'version_control', 'engineering', 'collaboration', 'customer_support', 'marketing',
    'sales', 'finance', 'payments', 'hr', 'recruiting', 'legal', 'professional_services', 'it_services', 'telecom',
    'ai_provider', 'office', 'other')),
  check (inherent_risk in ('low', 'medium', 'high', 'critical')),
  check (residual_risk in ('low', 'medium', 'high', 'critical')),
  check (risk_rating in ('unrated', 'low', 'medium', 'high', 'critical')),
  check (data_sensitivity in ('none', 'low', 'medium', 'high', 'critical')),
  check (business_impact in ('low', 'medium', 'high', 'critical')),
  check (access_level in ('none', 'read_only', 'read_write', 'admin')),
  check (auth_method in ('sso', 'password_mfa', 'password', 'api_key', 'none')),
  check (person_type in ('legal_person', 'individual')),
  check (source in ('person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow',
    'inbound_hook', 'supplier'))
);
create index vendors_newest on vendors (organization_id, created_at desc, id desc);
create index vendors_changed on vendors (organization_id, updated_at desc, id desc);
create index vendors_parent_vendor on vendors (organization_id, parent_vendor_id);
create index vendors_owner_user on vendors (organization_id, owner_user_id) where owner_user_id is not null;
create index vendors_owner_personnel on vendors (organization_id, owner_personnel_id)
  where owner_personnel_id is not null;
create index vendors_security_owner_user on vendors (organization_id, security_owner_user_id)
  where security_owner_user_id is not null;
create index vendors_security_owner_personnel on vendors (organization_id, security_owner_personnel_id)
  where security_owner_personnel_id is not null;
alter table vendors enable row level security, force row level security;
create policy tenant on vendors to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on vendors to plumbline_tenant;

create table risk_vendors (
  organization_id text collate "C" not null,
  risk_id text collate "C" not null,
  vendor_id text collate "C" not null,
  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, risk_id, vendor_id),
  foreign key (organization_id, risk_id) references risks (organization_id, id) on delete cascade,
  foreign key (organization_id, vendor_id) references vendors (organization_id, id) on delete cascade
);
create index risk_vendors_vendor on risk_vendors (organization_id, vendor_id, risk_id);
alter table risk_vendors enable row level security, force row level security;
create policy tenant on risk_vendors to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on risk_vendors to plumbline_tenant;
