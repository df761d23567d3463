table api_key_usage with (fillfactor=40)
  organization_id text collate "C" not null
  key_id text collate "C" not null
  window_started_at timestamp with time zone
  window_count integer not null default 0
  last_used_at timestamp with time zone
  api_key_usage_organization_id_key_id_fkey FOREIGN KEY (organization_id, key_id) REFERENCES api_keys(organization_id, id) ON DELETE CASCADE
  api_key_usage_pkey PRIMARY KEY (organization_id, key_id)
table api_keys
  organization_id text collate "C" not null
  id text collate "C" not null
  name text not null
  prefix text not null
  secret_hash bytea not null
  scopes text[] not null
  created_by text collate "C" not null
  expires_at timestamp with time zone
  revoked_at timestamp with time zone
  revoked_by text collate "C"
  created_at timestamp with time zone not null
  hashed_with text collate "C"
  api_keys_organization_id_created_by_fkey FOREIGN KEY (organization_id, created_by) REFERENCES members(organization_id, user_id)
  api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  api_keys_pkey PRIMARY KEY (organization_id, id)
  api_keys_secret_hash_key UNIQUE (secret_hash)
table applicability_statements
  organization_id text collate "C" not null
  framework_id text collate "C" not null
  version integer not null
  approved_at timestamp with time zone not null
  approved_by jsonb not null
  sha256 text not null
  content text not null
  note text
  organization_name text
  applicability_statements_organization_id_framework_id_fkey FOREIGN KEY (organization_id, framework_id) REFERENCES frameworks(organization_id, id)
  applicability_statements_pkey PRIMARY KEY (organization_id, framework_id, version)
table asset_controls
  organization_id text collate "C" not null
  asset_id text collate "C" not null
  control_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  asset_controls_organization_id_asset_id_fkey FOREIGN KEY (organization_id, asset_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  asset_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  asset_controls_pkey PRIMARY KEY (organization_id, asset_id, control_id)
table asset_parents
  organization_id text collate "C" not null
  part_id text collate "C" not null
  parent_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  asset_parents_organization_id_parent_id_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  asset_parents_organization_id_part_id_fkey FOREIGN KEY (organization_id, part_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  asset_parents_pkey PRIMARY KEY (organization_id, part_id, parent_id)
table assets
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  name text not null
  type text not null
  asset_class text
  description text
  status text not null
  environment text
  criticality text
  classification text
  confidentiality integer
  integrity integer
  availability integer
  privacy integer
  safety integer
  rto_hours integer
  rpo_hours integer
  mtd_hours integer
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  custodian_user_id text collate "C"
  custodian_personnel_id text collate "C"
  location text
  region text
  provider text
  hostname text
  ip_addresses text[]
  os_version text
  serial_number text
  purchase_date date
  end_of_support date
  contains_personal_data boolean
  internet_exposed boolean
  encrypted boolean
  backup_enabled boolean
  in_scope boolean not null
  external_id text
  labels text[]
  custom_fields jsonb
  last_seen_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[name, description, hostname, serial_number, provider, external_id] || labels))
  vendor_id text collate "C"
  assets_asset_class_check CHECK ((asset_class = ANY (ARRAY['primary'::text, 'supporting'::text])))
  assets_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  assets_check1 CHECK ((num_nonnulls(custodian_user_id, custodian_personnel_id) <= 1))
  assets_classification_check CHECK ((classification = ANY (ARRAY['public'::text, 'internal'::text, 'confidential'::text, 'restricted'::text])))
  assets_criticality_check CHECK ((criticality = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  assets_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'staging'::text, 'development'::text, 'corporate'::text, 'other'::text])))
  assets_external_id_unique UNIQUE (organization_id, external_id)
  assets_organization_id_custodian_personnel_id_fkey FOREIGN KEY (organization_id, custodian_personnel_id) REFERENCES personnel(organization_id, id)
  assets_organization_id_custodian_user_id_fkey FOREIGN KEY (organization_id, custodian_user_id) REFERENCES members(organization_id, user_id)
  assets_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  assets_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  assets_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  assets_organization_id_vendor_id_fkey FOREIGN KEY (organization_id, vendor_id) REFERENCES vendors(organization_id, id)
  assets_pkey PRIMARY KEY (organization_id, id)
  assets_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  assets_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'active'::text, 'maintenance'::text, 'retired'::text, 'disposed'::text])))
  assets_type_check CHECK ((type = ANY (ARRAY['application'::text, 'service'::text, 'database'::text, 'data_store'::text, 'server'::text, 'virtual_machine'::text, 'container'::text, 'cloud_account'::text, 'network'::text, 'endpoint'::text, 'mobile_device'::text, 'saas_account'::text, 'repository'::text, 'domain'::text, 'certificate'::text, 'facility'::text, 'people_role'::text, 'information'::text, 'process'::text, 'ai_model'::text, 'other'::text])))
table attempts partition by RANGE (created_at)
  organization_id text collate "C" not null
  delivery_id text collate "C" not null
  number integer not null
  endpoint_id text collate "C" not null
  created_at timestamp with time zone not null
  claimed_at timestamp with time zone not null
  sent_at timestamp with time zone
  outcome text not null
  counted boolean not null default false
  address text
  headers json
  status_code integer
  duration_ms integer
  response_body bytea
  response_truncated boolean not null default false
  reason text
  signature text
  attempts_pkey PRIMARY KEY (organization_id, delivery_id, number, created_at)
table attestations
  organization_id text collate "C" not null
  id text collate "C" not null
  policy_id text collate "C" not null
  version_id text collate "C" not null
  round integer not null
  personnel_id text collate "C" not null
  status text not null
  requested_at timestamp with time zone not null
  due_date date not null
  viewed_at timestamp with time zone
  reached_end boolean
  acknowledged_at timestamp with time zone
  ip text
  user_agent text
  consent_text text
  content_sha256 text
  exempt_reason text
  exempted_by jsonb
  pass_id text collate "C"
  told_at timestamp with time zone
  last_told_at timestamp with time zone
  reminders integer not null default 0
  updated_at timestamp with time zone not null
  reader_name text
  reader_email text
  acknowledged_by jsonb
  sha256 text
  faults integer not null default 0
  ended_because text
  attestations_check CHECK (((status = 'acknowledged'::text) = (acknowledged_at IS NOT NULL)))
  attestations_check1 CHECK (((acknowledged_at IS NULL) OR ((content_sha256 IS NOT NULL) AND (consent_text IS NOT NULL))))
  attestations_check2 CHECK (((status = 'exempt'::text) = (exempt_reason IS NOT NULL)))
  attestations_ended_because_check CHECK ((ended_because = ANY (ARRAY['left'::text, 'not_in_audience'::text, 'replaced'::text, 'not_asked'::text, 'policy_retired'::text])))
  attestations_organization_id_pass_id_fkey FOREIGN KEY (organization_id, pass_id) REFERENCES guest_passes(organization_id, id) ON DELETE SET NULL (pass_id)
  attestations_organization_id_personnel_id_fkey FOREIGN KEY (organization_id, personnel_id) REFERENCES personnel(organization_id, id) ON DELETE CASCADE
  attestations_organization_id_policy_id_fkey FOREIGN KEY (organization_id, policy_id) REFERENCES policies(organization_id, id) ON DELETE CASCADE
  attestations_organization_id_version_id_fkey FOREIGN KEY (organization_id, version_id) REFERENCES policy_versions(organization_id, id) ON DELETE CASCADE
  attestations_pkey PRIMARY KEY (organization_id, id)
  attestations_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'viewed'::text, 'acknowledged'::text, 'exempt'::text, 'cancelled'::text])))
table audit_checkpoints
  organization_id text collate "C" not null
  seq bigint not null
  key_id text collate "C" not null
  hash bytea not null
  time timestamp with time zone not null
  signature bytea not null
  audit_checkpoints_pkey PRIMARY KEY (organization_id, seq, key_id)
table audit_entries
  organization_id text collate "C" not null
  id text collate "C" not null
  time timestamp with time zone not null
  actor json not null
  channel text not null
  action text not null
  outcome text not null
  subject_type text not null
  subject_id text collate "C" not null
  subject json
  changes json
  reason text
  request_id text
  ip text
  user_agent text
  hash bytea not null
  client text
  tool text
  xact xid8 not null default pg_current_xact_id()
  audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'denied'::text, 'failed'::text])))
  audit_entries_pkey PRIMARY KEY (organization_id, id)
table audit_sealing
  one boolean not null default true
  before xid8 not null
  written_by xid8 not null
  audit_sealing_one_check CHECK (one)
  audit_sealing_pkey PRIMARY KEY (one)
table audit_seals
  organization_id text collate "C" not null
  seq bigint not null
  entry_id text collate "C" not null
  prev_hash bytea not null
  hash bytea not null
  sealed_at timestamp with time zone not null
  audit_seals_hash_check CHECK ((length(hash) = 32))
  audit_seals_organization_id_entry_id_key UNIQUE (organization_id, entry_id)
  audit_seals_pkey PRIMARY KEY (organization_id, seq)
  audit_seals_prev_hash_check CHECK ((length(prev_hash) = 32))
  audit_seals_seq_check CHECK ((seq > 0))
table audit_signing_keys
  id text collate "C" not null
  public_key bytea not null
  private_key_sealed bytea not null
  created_at timestamp with time zone not null
  audit_signing_keys_pkey PRIMARY KEY (id)
table bulk_change_claims
  organization_id text collate "C" not null
  bulk_change_id text collate "C" not null
  claim text collate "C" not null
  number integer not null
  bulk_change_claims_organization_id_bulk_change_id_fkey FOREIGN KEY (organization_id, bulk_change_id) REFERENCES bulk_changes(organization_id, id) ON DELETE CASCADE
  bulk_change_claims_pkey PRIMARY KEY (organization_id, bulk_change_id, claim)
table bulk_change_left_out
  organization_id text collate "C" not null
  bulk_change_id text collate "C" not null
  number integer not null
  cells jsonb
  reason text
  bulk_change_left_out_organization_id_bulk_change_id_fkey FOREIGN KEY (organization_id, bulk_change_id) REFERENCES bulk_changes(organization_id, id) ON DELETE CASCADE
  bulk_change_left_out_pkey PRIMARY KEY (organization_id, bulk_change_id, number)
  bulk_change_left_out_reason_check CHECK ((reason = 'total'::text))
table bulk_change_rows with (fillfactor=60)
  organization_id text collate "C" not null
  bulk_change_id text collate "C" not null
  number integer not null
  cells jsonb
  record_id text collate "C"
  version integer
  identity text
  planned text
  done text
  problems jsonb not null default '[]'::jsonb
  changes jsonb not null default '[]'::jsonb
  change jsonb
  back jsonb
  written_version integer
  linked jsonb
  unlinks jsonb
  deletes boolean not null default false
  awaits jsonb not null default '[]'::jsonb
  turn integer not null default 0
  emptied jsonb not null default '[]'::jsonb
  bulk_change_rows_done_check CHECK ((done = ANY (ARRAY['created'::text, 'changed'::text, 'deleted'::text, 'unchanged'::text, 'refused'::text])))
  bulk_change_rows_organization_id_bulk_change_id_fkey FOREIGN KEY (organization_id, bulk_change_id) REFERENCES bulk_changes(organization_id, id) ON DELETE CASCADE
  bulk_change_rows_pkey PRIMARY KEY (organization_id, bulk_change_id, number)
  bulk_change_rows_planned_check CHECK ((planned = ANY (ARRAY['create'::text, 'change'::text, 'delete'::text, 'leave'::text, 'error'::text])))
table bulk_changes
  organization_id text collate "C" not null
  id text collate "C" not null
  kind text collate "C" not null
  origin text not null
  file_name text
  file_hash text
  sheets text[] not null default '{}'::text[]
  sheet text
  columns jsonb
  identity text
  clears_empty boolean not null default false
  change jsonb
  row_count integer not null
  stage text not null
  job_id text collate "C"
  created_at timestamp with time zone not null
  created_by jsonb not null
  created_by_user text collate "C" not null
  kept_until timestamp with time zone not null
  head_row integer
  top jsonb not null default '[]'::jsonb
  undoes text collate "C"
  counted jsonb
  bulk_changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  bulk_changes_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'selection'::text])))
  bulk_changes_pkey PRIMARY KEY (organization_id, id)
  bulk_changes_stage_check CHECK ((stage = ANY (ARRAY['begun'::text, 'read'::text, 'planning'::text, 'planned'::text, 'applying'::text, 'applied'::text])))
table calendar_feeds
  organization_id text collate "C" not null
  user_id text collate "C" not null
  secret_hash bytea not null
  whose text not null
  created_at timestamp with time zone not null
  last_read_at timestamp with time zone
  calendar_feeds_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id) ON DELETE CASCADE
  calendar_feeds_pkey PRIMARY KEY (organization_id, user_id)
  calendar_feeds_secret_hash_key UNIQUE (secret_hash)
  calendar_feeds_whose_check CHECK ((whose = ANY (ARRAY['mine'::text, 'everybody'::text])))
table comment_files
  organization_id text collate "C" not null
  comment_id text collate "C" not null
  file_id text collate "C" not null
  place integer not null
  comment_files_organization_id_comment_id_fkey FOREIGN KEY (organization_id, comment_id) REFERENCES comments(organization_id, id) ON DELETE CASCADE
  comment_files_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id)
  comment_files_pkey PRIMARY KEY (organization_id, comment_id, file_id)
table comment_versions
  organization_id text collate "C" not null
  comment_id text collate "C" not null
  version integer not null
  text text not null
  replaced_at timestamp with time zone not null
  comment_versions_organization_id_comment_id_fkey FOREIGN KEY (organization_id, comment_id) REFERENCES comments(organization_id, id) ON DELETE CASCADE
  comment_versions_pkey PRIMARY KEY (organization_id, comment_id, version)
table comments
  organization_id text collate "C" not null
  id text collate "C" not null
  record_id text collate "C" not null
  text text not null
  version integer not null default 1
  created_by jsonb not null
  created_by_user text collate "C"
  created_at timestamp with time zone not null
  edited_at timestamp with time zone
  resolved_at timestamp with time zone
  resolved_by jsonb
  edited_by jsonb
  comments_organization_id_created_by_user_fkey FOREIGN KEY (organization_id, created_by_user) REFERENCES members(organization_id, user_id)
  comments_organization_id_record_id_fkey FOREIGN KEY (organization_id, record_id) REFERENCES known_records(organization_id, id) ON DELETE CASCADE
  comments_pkey PRIMARY KEY (organization_id, id)
table compliance_plan_frameworks
  organization_id text collate "C" not null
  compliance_plan_id text collate "C" not null
  framework_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  compliance_plan_frameworks_organization_id_compliance_plan_fkey FOREIGN KEY (organization_id, compliance_plan_id) REFERENCES compliance_plans(organization_id, id) ON DELETE CASCADE
  compliance_plan_frameworks_organization_id_framework_id_fkey FOREIGN KEY (organization_id, framework_id) REFERENCES frameworks(organization_id, id) ON DELETE CASCADE
  compliance_plan_frameworks_pkey PRIMARY KEY (organization_id, compliance_plan_id, framework_id)
table compliance_plans
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  title text not null
  goal text
  description text
  status text not null
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  start_date date
  target_date date
  phases jsonb
  rationale text
  external_id text
  labels text[]
  custom_fields jsonb
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, goal, description, external_id] || labels))
  next_phase_end date
  compliance_plans_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  compliance_plans_external_id_unique UNIQUE (organization_id, external_id)
  compliance_plans_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  compliance_plans_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  compliance_plans_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  compliance_plans_pkey PRIMARY KEY (organization_id, id)
  compliance_plans_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  compliance_plans_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'on_hold'::text, 'completed'::text, 'cancelled'::text])))
table connected_app_usage with (fillfactor=40)
  organization_id text collate "C" not null
  app_id text collate "C" not null
  window_started_at timestamp with time zone
  window_count integer not null default 0
  last_used_at timestamp with time zone
  connected_app_usage_organization_id_app_id_fkey FOREIGN KEY (organization_id, app_id) REFERENCES connected_apps(organization_id, id) ON DELETE CASCADE
  connected_app_usage_pkey PRIMARY KEY (organization_id, app_id)
table connected_apps
  organization_id text collate "C" not null
  id text collate "C" not null
  user_id text collate "C" not null
  client_id text collate "C" not null
  client_name text not null
  client_uri text
  redirect_host text not null
  registration text not null
  scopes text[] not null
  created_at timestamp with time zone not null
  approved_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  revoked_at timestamp with time zone
  revoked_by text collate "C"
  connected_apps_id_key UNIQUE (id)
  connected_apps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  connected_apps_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  connected_apps_pkey PRIMARY KEY (organization_id, id)
  connected_apps_registration_check CHECK ((registration = ANY (ARRAY['dynamic'::text, 'metadata'::text, 'preregistered'::text])))
table control_requirements
  organization_id text collate "C" not null
  requirement_id text collate "C" not null
  control_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  control_requirements_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  control_requirements_organization_id_requirement_id_fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  control_requirements_pkey PRIMARY KEY (organization_id, requirement_id, control_id)
table controls
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  external_id text
  code text not null
  title text not null
  description text
  category text
  function text
  type text
  implementation_status text not null
  status_reason text
  not_applicable_reason text
  priority text not null
  risk_level text
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  effectiveness text not null
  automation text
  test_procedure text
  frequency text
  maturity integer
  due_date date
  implemented_at timestamp with time zone
  next_test_date date
  effort text
  cost jsonb
  labels text[]
  custom_fields jsonb
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[code, title, description, external_id] || labels))
  controls_automation_check CHECK ((automation = ANY (ARRAY['manual'::text, 'semi_automated'::text, 'automated'::text])))
  controls_category_check CHECK ((category = ANY (ARRAY['policy'::text, 'process'::text, 'procedure'::text, 'technical'::text, 'physical'::text, 'people'::text])))
  controls_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  controls_effectiveness_check CHECK ((effectiveness = ANY (ARRAY['not_assessed'::text, 'effective'::text, 'partially_effective'::text, 'ineffective'::text])))
  controls_effort_check CHECK ((effort = ANY (ARRAY['xs'::text, 's'::text, 'm'::text, 'l'::text, 'xl'::text])))
  controls_external_id_unique UNIQUE (organization_id, external_id)
  controls_frequency_check CHECK ((frequency = ANY (ARRAY['continuous'::text, 'daily'::text, 'weekly'::text, 'monthly'::text, 'quarterly'::text, 'semiannually'::text, 'annually'::text, 'ad_hoc'::text])))
  controls_function_check CHECK ((function = ANY (ARRAY['govern'::text, 'identify'::text, 'protect'::text, 'detect'::text, 'respond'::text, 'recover'::text])))
  controls_implementation_status_check CHECK ((implementation_status = ANY (ARRAY['not_started'::text, 'in_progress'::text, 'partially_implemented'::text, 'implemented'::text, 'not_applicable'::text, 'deprecated'::text])))
  controls_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  controls_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  controls_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  controls_pkey PRIMARY KEY (organization_id, id)
  controls_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  controls_risk_level_check CHECK ((risk_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  controls_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  controls_type_check CHECK ((type = ANY (ARRAY['preventive'::text, 'detective'::text, 'corrective'::text, 'deterrent'::text, 'compensating'::text, 'recovery'::text])))
table coverage_changes
  id bigint not null
  organization_id text collate "C" not null
  kind text collate "C" not null
  record_id text collate "C" not null
  coverage_changes_kind_check CHECK ((kind = ANY (ARRAY['requirement'::text, 'control'::text, 'evidence'::text, 'framework'::text])))
  coverage_changes_pkey PRIMARY KEY (organization_id, id)
table coverage_days
  organization_id text collate "C" not null
  framework_id text collate "C" not null
  day date not null
  in_scope integer not null
  met integer not null
  partially_met integer not null
  not_met integer not null
  not_assessed integer not null
  coverage_days_organization_id_framework_id_fkey FOREIGN KEY (organization_id, framework_id) REFERENCES frameworks(organization_id, id) ON DELETE CASCADE
  coverage_days_pkey PRIMARY KEY (organization_id, framework_id, day)
table coverage_days_written
  organization_id text collate "C" not null
  day date not null
  coverage_days_written_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
  coverage_days_written_pkey PRIMARY KEY (organization_id)
table custom_fields
  organization_id text collate "C" not null
  id text collate "C" not null
  name text collate "C" not null
  label text not null
  description text
  type text not null
  choices jsonb not null
  kinds text[] not null
  required boolean not null
  retired boolean not null
  version integer not null
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  custom_fields_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  custom_fields_pkey PRIMARY KEY (organization_id, id)
  custom_fields_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'boolean'::text, 'choice'::text, 'choices'::text, 'url'::text])))
table deadlines with (fillfactor=90)
  organization_id text collate "C" not null
  record_id text collate "C" not null
  name text collate "C" not null
  kind text collate "C" not null
  day date
  ends_at timestamp with time zone not null
  owner_id text collate "C"
  due_at timestamp with time zone
  failures smallint not null default 0
  deadlines_organization_id_record_id_fkey FOREIGN KEY (organization_id, record_id) REFERENCES known_records(organization_id, id) ON DELETE CASCADE
  deadlines_pkey PRIMARY KEY (organization_id, record_id, name)
table deliveries partition by RANGE (created_at)
  organization_id text collate "C" not null
  id text collate "C" not null
  endpoint_id text collate "C" not null
  signal_id text collate "C"
  type text not null
  body text
  run jsonb
  purpose text not null
  epoch integer not null
  status text not null default 'pending'::text
  attempt_count integer not null default 0
  attempt_number integer not null default 0
  claim_count integer not null default 0
  due_at timestamp with time zone
  claim_id uuid
  status_before text
  created_at timestamp with time zone not null
  claimed_at timestamp with time zone
  claim_address text
  unsuccessful text default 
CASE
    WHEN (status = ANY (ARRAY['failed'::text, 'not_sent'::text])) THEN status
    ELSE NULL::text
END
  sent_at timestamp with time zone
  signature text
  status_code integer
  duration_ms integer
  response_body bytea
  response_truncated boolean
  deliveries_pkey PRIMARY KEY (id, organization_id, created_at)
  deliveries_purpose_check CHECK ((purpose = ANY (ARRAY['signal'::text, 'test'::text, 'workflow'::text])))
  deliveries_status_before_check CHECK ((status_before = ANY (ARRAY['delivered'::text, 'failed'::text, 'not_sent'::text])))
  deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'waiting_for_retry'::text, 'delivered'::text, 'failed'::text, 'not_sent'::text])))
table delivery_leases with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05)
  claim_id uuid not null
  organization_id text collate "C" not null
  ends_at timestamp with time zone not null
  delivery_ids text[] not null
  created_ats timestamp with time zone[] not null
  delivery_leases_pkey PRIMARY KEY (claim_id, organization_id)
table delivery_queue with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05)
  organization_id text collate "C" not null
  endpoint_id text collate "C" not null
  epoch integer not null
  due_at timestamp with time zone not null
  delivery_id text collate "C" not null
  created_at timestamp with time zone not null
  is_first boolean not null default true
  losses integer not null default 0
  is_retry boolean not null default false
  delivery_queue_pkey PRIMARY KEY (organization_id, endpoint_id, epoch, is_retry, created_at, delivery_id)
table download_links
  secret_hash bytea not null
  organization_id text collate "C" not null
  operation text not null
  input json not null
  started_by json not null
  session_id text collate "C"
  expires_at timestamp with time zone not null
  download_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  download_links_pkey PRIMARY KEY (secret_hash)
table due_moments
  organization_id text collate "C" not null
  record_id text collate "C" not null
  deadline text collate "C" not null
  date text collate "C" not null
  threshold smallint not null
  outcome text not null
  done_at timestamp with time zone not null
  due_moments_organization_id_record_id_fkey FOREIGN KEY (organization_id, record_id) REFERENCES known_records(organization_id, id) ON DELETE CASCADE
  due_moments_outcome_check CHECK ((outcome = ANY (ARRAY['told'::text, 'lapsed'::text])))
  due_moments_pkey PRIMARY KEY (organization_id, record_id, deadline, date, threshold)
table evidence
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  title text not null
  description text
  kind text not null
  status text not null
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  reviewer_user_id text collate "C"
  reviewer_personnel_id text collate "C"
  requested_from_user_id text collate "C"
  requested_from_personnel_id text collate "C"
  request_due_date date
  url text
  text text
  collected_at timestamp with time zone
  collection_method text
  valid_from date
  expiry_date date
  renew_frequency text
  sensitivity text
  external_id text
  labels text[]
  custom_fields jsonb
  files jsonb
  current_revision integer
  reviewed_by jsonb
  reviewed_at timestamp with time zone
  rejection_reason text
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, description, external_id] || labels))
  evidence_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  evidence_check1 CHECK ((num_nonnulls(reviewer_user_id, reviewer_personnel_id) <= 1))
  evidence_check2 CHECK ((num_nonnulls(requested_from_user_id, requested_from_personnel_id) <= 1))
  evidence_collection_method_check CHECK ((collection_method = ANY (ARRAY['manual'::text, 'integration'::text, 'api'::text, 'agent'::text])))
  evidence_external_id_unique UNIQUE (organization_id, external_id)
  evidence_kind_check CHECK ((kind = ANY (ARRAY['document'::text, 'screenshot'::text, 'link'::text, 'text'::text, 'configuration'::text, 'log_export'::text, 'integration_snapshot'::text, 'attestation'::text, 'test_result'::text])))
  evidence_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  evidence_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  evidence_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  evidence_organization_id_requested_from_personnel_id_fkey FOREIGN KEY (organization_id, requested_from_personnel_id) REFERENCES personnel(organization_id, id)
  evidence_organization_id_requested_from_user_id_fkey FOREIGN KEY (organization_id, requested_from_user_id) REFERENCES members(organization_id, user_id)
  evidence_organization_id_reviewer_personnel_id_fkey FOREIGN KEY (organization_id, reviewer_personnel_id) REFERENCES personnel(organization_id, id)
  evidence_organization_id_reviewer_user_id_fkey FOREIGN KEY (organization_id, reviewer_user_id) REFERENCES members(organization_id, user_id)
  evidence_pkey PRIMARY KEY (organization_id, id)
  evidence_renew_frequency_check CHECK ((renew_frequency = ANY (ARRAY['monthly'::text, 'quarterly'::text, 'semiannually'::text, 'annually'::text])))
  evidence_sensitivity_check CHECK ((sensitivity = ANY (ARRAY['public'::text, 'internal'::text, 'confidential'::text, 'restricted'::text])))
  evidence_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  evidence_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'draft'::text, 'in_review'::text, 'approved'::text, 'rejected'::text, 'expired'::text, 'archived'::text])))
table evidence_assets
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  asset_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_assets_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_assets_organization_id_asset_id_fkey FOREIGN KEY (organization_id, asset_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  evidence_assets_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_assets_pkey PRIMARY KEY (organization_id, evidence_id, asset_id)
table evidence_controls
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  control_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_controls_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  evidence_controls_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_controls_pkey PRIMARY KEY (organization_id, evidence_id, control_id)
table evidence_decisions
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  number integer not null
  outcome text not null
  reason text
  decided_at timestamp with time zone not null
  decided_by jsonb not null
  evidence_decisions_organization_id_evidence_id_number_fkey FOREIGN KEY (organization_id, evidence_id, number) REFERENCES evidence_revisions(organization_id, evidence_id, number) ON DELETE CASCADE
  evidence_decisions_outcome_check CHECK ((outcome = ANY (ARRAY['approved'::text, 'rejected'::text])))
  evidence_decisions_pkey PRIMARY KEY (organization_id, evidence_id, number)
table evidence_files
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  file_id text collate "C" not null
  evidence_files_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_files_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id)
  evidence_files_pkey PRIMARY KEY (organization_id, evidence_id, file_id)
table evidence_policies
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  policy_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_policies_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_policies_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_policies_organization_id_policy_id_fkey FOREIGN KEY (organization_id, policy_id) REFERENCES policies(organization_id, id) ON DELETE CASCADE
  evidence_policies_pkey PRIMARY KEY (organization_id, evidence_id, policy_id)
table evidence_requirements
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  requirement_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_requirements_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_requirements_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_requirements_organization_id_requirement_id_fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  evidence_requirements_pkey PRIMARY KEY (organization_id, evidence_id, requirement_id)
table evidence_revisions
  organization_id text collate "C" not null
  id text collate "C" not null
  evidence_id text collate "C" not null
  number integer not null
  url text
  text text
  files jsonb not null
  sha256 text collate "C" not null
  submitted_at timestamp with time zone not null
  submitted_by jsonb not null
  submitted_by_user text collate "C"
  own_to_users text[] collate "C"
  evidence_revisions_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_revisions_organization_id_evidence_id_number_key UNIQUE (organization_id, evidence_id, number)
  evidence_revisions_pkey PRIMARY KEY (organization_id, id)
table evidence_risk_treatments
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  risk_treatment_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_risk_treatments_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_risk_treatments_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_risk_treatments_organization_id_risk_treatment_id_fkey FOREIGN KEY (organization_id, risk_treatment_id) REFERENCES risk_treatments(organization_id, id) ON DELETE CASCADE
  evidence_risk_treatments_pkey PRIMARY KEY (organization_id, evidence_id, risk_treatment_id)
table evidence_risks
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  risk_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_risks_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_risks_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_risks_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id) ON DELETE CASCADE
  evidence_risks_pkey PRIMARY KEY (organization_id, evidence_id, risk_id)
table evidence_security_findings
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  security_finding_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_security_findings_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_security_findings_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_security_findings_organization_id_security_findin_fkey FOREIGN KEY (organization_id, security_finding_id) REFERENCES security_findings(organization_id, id) ON DELETE CASCADE
  evidence_security_findings_pkey PRIMARY KEY (organization_id, evidence_id, security_finding_id)
table evidence_tasks
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  task_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_tasks_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_tasks_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_tasks_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  evidence_tasks_pkey PRIMARY KEY (organization_id, evidence_id, task_id)
table evidence_vendors
  organization_id text collate "C" not null
  evidence_id text collate "C" not null
  vendor_id text collate "C" not null
  coverage text not null
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  evidence_vendors_coverage_check CHECK ((coverage = ANY (ARRAY['full'::text, 'partial'::text])))
  evidence_vendors_organization_id_evidence_id_fkey FOREIGN KEY (organization_id, evidence_id) REFERENCES evidence(organization_id, id) ON DELETE CASCADE
  evidence_vendors_organization_id_vendor_id_fkey FOREIGN KEY (organization_id, vendor_id) REFERENCES vendors(organization_id, id) ON DELETE CASCADE
  evidence_vendors_pkey PRIMARY KEY (organization_id, evidence_id, vendor_id)
table external_id_aliases
  organization_id text collate "C" not null
  kind text collate "C" not null
  external_id text collate "C" not null
  record_id text collate "C" not null
  external_id_aliases_organization_id_record_id_fkey FOREIGN KEY (organization_id, record_id) REFERENCES known_records(organization_id, id) ON DELETE CASCADE
  external_id_aliases_pkey PRIMARY KEY (organization_id, kind, external_id)
table file_contents
  organization_id text collate "C" not null
  id text collate "C" not null
  sha256 text collate "C" not null
  bytes bigint not null
  type text collate "C" not null
  scan text not null
  finding text
  scan_started_at timestamp with time zone
  created_at timestamp with time zone not null
  file_contents_bytes_check CHECK ((bytes > 0))
  file_contents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  file_contents_organization_id_sha256_key UNIQUE (organization_id, sha256)
  file_contents_pkey PRIMARY KEY (organization_id, id)
  file_contents_scan_check CHECK ((scan = ANY (ARRAY['unscanned'::text, 'waiting'::text, 'clean'::text, 'infected'::text])))
table file_parts
  organization_id text collate "C" not null
  file_id text collate "C" not null
  number integer not null
  place text collate "C" not null
  file_parts_number_check CHECK ((number > 0))
  file_parts_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id) ON DELETE CASCADE
  file_parts_pkey PRIMARY KEY (organization_id, file_id, number)
table files
  organization_id text collate "C" not null
  id text collate "C" not null
  name text not null
  type text collate "C" not null
  bytes bigint not null
  sha256 text collate "C" not null
  part_bytes integer not null
  claim_id text collate "C"
  claimed_until timestamp with time zone
  content_id text collate "C"
  legal_hold boolean not null default false
  loose_since timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  created_by_user_id text collate "C" not null
  finished_at timestamp with time zone
  files_bytes_check CHECK ((bytes > 0))
  files_check CHECK (((content_id IS NULL) = (finished_at IS NULL)))
  files_organization_id_content_id_fkey FOREIGN KEY (organization_id, content_id) REFERENCES file_contents(organization_id, id)
  files_organization_id_created_by_user_id_fkey FOREIGN KEY (organization_id, created_by_user_id) REFERENCES members(organization_id, user_id)
  files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  files_part_bytes_check CHECK ((part_bytes > 0))
  files_pkey PRIMARY KEY (organization_id, id)
table framework_import_stretches
  organization_id text collate "C" not null
  import_id text collate "C" not null
  number integer not null
  requirements text not null
  framework_import_stretches_organization_id_import_id_fkey FOREIGN KEY (organization_id, import_id) REFERENCES framework_imports(organization_id, id) ON DELETE CASCADE
  framework_import_stretches_pkey PRIMARY KEY (organization_id, import_id, number)
table framework_imports
  organization_id text collate "C" not null
  id text collate "C" not null
  library text collate "C"
  file_name text
  options jsonb not null default '{}'::jsonb
  hash text collate "C"
  about jsonb
  stage text not null
  plan jsonb
  result jsonb
  framework_id text collate "C"
  job_id text collate "C"
  created_at timestamp with time zone not null
  created_by jsonb not null
  kept_until timestamp with time zone not null
  parts jsonb
  framework_imports_check CHECK ((num_nonnulls(library, file_name) = 1))
  framework_imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  framework_imports_organization_id_framework_id_fkey FOREIGN KEY (organization_id, framework_id) REFERENCES known_records(organization_id, id) ON DELETE SET NULL (framework_id)
  framework_imports_pkey PRIMARY KEY (organization_id, id)
  framework_imports_stage_check CHECK ((stage = ANY (ARRAY['begun'::text, 'planned'::text, 'applying'::text, 'applied'::text])))
table framework_migrations
  organization_id text collate "C" not null
  id text collate "C" not null
  from_framework_id text collate "C"
  to_framework_id text collate "C" not null
  stage text not null
  planned text not null
  choices jsonb not null
  fates text
  counts jsonb
  kept text
  result jsonb
  job_id text collate "C"
  created_at timestamp with time zone not null
  created_by jsonb not null
  applied_at timestamp with time zone
  undone_at timestamp with time zone
  undone_by jsonb
  undo_until timestamp with time zone
  framework_migrations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  framework_migrations_organization_id_from_framework_id_fkey FOREIGN KEY (organization_id, from_framework_id) REFERENCES frameworks(organization_id, id) ON DELETE SET NULL (from_framework_id)
  framework_migrations_organization_id_to_framework_id_fkey FOREIGN KEY (organization_id, to_framework_id) REFERENCES frameworks(organization_id, id) ON DELETE CASCADE
  framework_migrations_pkey PRIMARY KEY (organization_id, id)
  framework_migrations_stage_check CHECK ((stage = ANY (ARRAY['applying'::text, 'applied'::text, 'undoing'::text, 'undone'::text])))
table frameworks
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  key text not null
  edition text not null
  name text not null
  short_name text
  publisher text
  description text
  locale text
  jurisdiction text
  category text not null
  license text
  levels jsonb
  status text not null
  implementation_group text
  scope_statement text
  target_date date
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  supersedes_framework_id text collate "C"
  external_id text
  labels text[]
  custom_fields jsonb
  kind text
  source_format text
  source_hash text
  activated_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[key, name, short_name, publisher, description, external_id] || labels))
  statement jsonb
  source_uuid text
  source_href text
  frameworks_category_check CHECK ((category = ANY (ARRAY['security'::text, 'privacy'::text, 'ai_governance'::text, 'quality'::text, 'financial'::text, 'continuity'::text, 'sector'::text, 'custom'::text])))
  frameworks_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  frameworks_external_id_unique UNIQUE (organization_id, external_id)
  frameworks_kind_check CHECK ((kind = ANY (ARRAY['catalog'::text, 'custom'::text])))
  frameworks_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  frameworks_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  frameworks_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  frameworks_organization_id_supersedes_framework_id_fkey FOREIGN KEY (organization_id, supersedes_framework_id) REFERENCES frameworks(organization_id, id)
  frameworks_pkey PRIMARY KEY (organization_id, id)
  frameworks_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  frameworks_source_format_check CHECK ((source_format = ANY (ARRAY['oscal'::text, 'ca_library'::text, 'csv'::text, 'xlsx'::text, 'builtin'::text])))
  frameworks_status_check CHECK ((status = ANY (ARRAY['available'::text, 'active'::text, 'retiring'::text, 'retired'::text])))
table guest_code_counts
  organization_id text collate "C" not null
  pass_id text collate "C" not null
  ip text not null
  codes integer not null
  codes_in_hour integer not null
  codes_since timestamp with time zone not null
  guest_code_counts_organization_id_pass_id_fkey FOREIGN KEY (organization_id, pass_id) REFERENCES guest_passes(organization_id, id) ON DELETE CASCADE
  guest_code_counts_pkey PRIMARY KEY (organization_id, pass_id, ip)
table guest_links
  organization_id text collate "C" not null
  pass_id text collate "C" not null
  secret_hash bytea not null
  hashed_with text
  address text not null
  created_at timestamp with time zone not null
  guest_links_organization_id_pass_id_fkey FOREIGN KEY (organization_id, pass_id) REFERENCES guest_passes(organization_id, id) ON DELETE CASCADE
  guest_links_pkey PRIMARY KEY (organization_id, pass_id, secret_hash)
  guest_links_secret_hash_key UNIQUE (secret_hash)
table guest_mails
  organization_id text collate "C" not null
  id text collate "C" not null
  pass_id text collate "C" not null
  about text not null
  address text not null
  state text not null default 'waiting'::text
  failure text
  attempts integer not null default 1
  due_at timestamp with time zone
  created_at timestamp with time zone not null
  ended_at timestamp with time zone
  guest_mails_about_check CHECK ((about = ANY (ARRAY['guest_link'::text, 'guest_code'::text])))
  guest_mails_organization_id_pass_id_fkey FOREIGN KEY (organization_id, pass_id) REFERENCES guest_passes(organization_id, id) ON DELETE CASCADE
  guest_mails_pkey PRIMARY KEY (organization_id, id)
  guest_mails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'given_up'::text])))
table guest_passes
  organization_id text collate "C" not null
  id text collate "C" not null
  purpose text not null
  record_id text collate "C" not null
  person_id text collate "C"
  address text
  name text
  expires_at timestamp with time zone not null
  uses integer not null default 0
  uses_at_most integer
  codes integer not null default 0
  codes_in_hour integer not null default 0
  codes_since timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  revoked_at timestamp with time zone
  revoked_because text
  mail_failure text
  mail_failed_to text
  mail_failed_at timestamp with time zone
  guest_passes_check CHECK (((person_id IS NULL) <> (address IS NULL)))
  guest_passes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  guest_passes_organization_id_person_id_fkey FOREIGN KEY (organization_id, person_id) REFERENCES personnel(organization_id, id) ON DELETE CASCADE
  guest_passes_organization_id_record_id_fkey FOREIGN KEY (organization_id, record_id) REFERENCES known_records(organization_id, id) ON DELETE CASCADE
  guest_passes_pkey PRIMARY KEY (organization_id, id)
  guest_passes_purpose_check CHECK ((purpose = ANY (ARRAY['attest'::text, 'answer'::text, 'upload'::text, 'review'::text])))
  guest_passes_revoked_because_check CHECK ((revoked_because = ANY (ARRAY['nothing_asked'::text, 'other_way'::text])))
  guest_passes_uses_at_most_check CHECK ((uses_at_most > 0))
table guest_sessions
  organization_id text collate "C" not null
  id text collate "C" not null
  pass_id text collate "C" not null
  secret_hash bytea not null
  hashed_with text
  address text not null
  confirmed_at timestamp with time zone
  code_hash bytea
  code_tries integer not null default 0
  code_expires_at timestamp with time zone
  created_at timestamp with time zone not null
  last_seen_at timestamp with time zone not null
  guest_sessions_organization_id_pass_id_fkey FOREIGN KEY (organization_id, pass_id) REFERENCES guest_passes(organization_id, id) ON DELETE CASCADE
  guest_sessions_pkey PRIMARY KEY (organization_id, id)
  guest_sessions_secret_hash_key UNIQUE (secret_hash)
table held_sending
  one boolean not null default true
  held_at timestamp with time zone not null
  because text not null
  held_sending_one_check CHECK (one)
  held_sending_pkey PRIMARY KEY (one)
table idempotency_answers
  organization_id text collate "C" not null
  credential_id text collate "C" not null
  key text collate "C" not null
  operation text not null
  body_hash bytea not null
  status integer not null
  body jsonb
  location text
  created_at timestamp with time zone not null
  idempotency_answers_pkey PRIMARY KEY (organization_id, credential_id, key)
table import_columns
  organization_id text collate "C" not null
  kind text collate "C" not null
  title text not null
  key text
  meanings jsonb not null default '{}'::jsonb
  dates jsonb not null default '{}'::jsonb
  import_columns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  import_columns_pkey PRIMARY KEY (organization_id, kind, title)
table import_identities
  organization_id text collate "C" not null
  kind text collate "C" not null
  identity text not null
  import_identities_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  import_identities_pkey PRIMARY KEY (organization_id, kind)
table job_result_parts
  organization_id text collate "C" not null
  job_id text collate "C" not null
  section integer not null
  number integer not null
  bytes bytea not null
  job_result_parts_organization_id_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES jobs(organization_id, id) ON DELETE CASCADE
  job_result_parts_pkey PRIMARY KEY (organization_id, job_id, section, number)
table jobs with (fillfactor=60, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05)
  id text collate "C" not null
  organization_id text collate "C"
  kind text collate "C" not null
  lane text collate "C" not null default ((COALESCE(organization_id, ''::text) || ':'::text) || kind)
  state text not null default 'waiting'::text
  input jsonb
  sealed_input bytea
  started_by jsonb
  place jsonb
  done integer not null default 0
  total integer
  errors jsonb not null default '[]'::jsonb
  error_count integer not null default 0
  failure text
  result_name text
  result_type text
  due_at timestamp with time zone
  claim_id uuid
  losses integer not null default 0
  faults integer not null default 0
  cancel_asked_at timestamp with time zone
  created_at timestamp with time zone not null
  begun_at timestamp with time zone
  ended_at timestamp with time zone
  kept_days integer not null
  kept_until timestamp with time zone
  superseded_at timestamp with time zone
  result_bytes bigint
  jobs_of_organization UNIQUE (organization_id, id)
  jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  jobs_pkey PRIMARY KEY (id)
  jobs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
table known_devices
  secret_hash bytea not null
  hashed_with text collate "C" not null
  user_id text collate "C" not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  known_devices_pkey PRIMARY KEY (secret_hash)
  known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
table known_records with (fillfactor=90)
  organization_id text collate "C" not null
  id text collate "C" not null
  kind text not null
  reference text collate "C"
  called text not null
  state text
  level text
  archived_at timestamp with time zone
  texts text collate "C" not null
  known_records_pkey PRIMARY KEY (organization_id, id)
table mail_bounces
  organization_id text collate "C" not null
  user_id text collate "C" not null
  address text not null
  failure text not null
  bounced_at timestamp with time zone not null
  mail_bounces_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  mail_bounces_pkey PRIMARY KEY (organization_id, user_id)
table master_key_proofs
  key_id text collate "C" not null
  proof bytea not null
  created_at timestamp with time zone not null
  master_key_proofs_pkey PRIMARY KEY (key_id)
table members
  organization_id text collate "C" not null
  user_id text collate "C" not null
  name text not null
  role text not null
  status text not null default 'active'::text
  locale text
  timezone text
  version integer not null default 1
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  account_id text collate "C" not null
  limited_view text
  members_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id)
  members_limited_view_check CHECK ((limited_view = ANY (ARRAY['auditor'::text, 'self_service'::text])))
  members_limited_view_of_viewers CHECK (((limited_view IS NULL) OR (role = 'viewer'::text)))
  members_organization_id_account_id_key UNIQUE (organization_id, account_id)
  members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  members_pkey PRIMARY KEY (organization_id, user_id)
  members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text, 'viewer'::text])))
  members_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text, 'removed'::text])))
table migrations
  name text not null
  applied_at timestamp with time zone not null
  migrations_pkey PRIMARY KEY (name)
table notice_mails
  organization_id text collate "C" not null
  id text collate "C" not null
  user_id text collate "C" not null
  address text
  state text not null default 'waiting'::text
  failure text
  notice_count integer not null default 0
  attempts integer not null default 0
  due_at timestamp with time zone
  created_at timestamp with time zone not null
  ended_at timestamp with time zone
  notice_mails_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  notice_mails_pkey PRIMARY KEY (organization_id, id)
  notice_mails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'refused'::text, 'given_up'::text, 'dropped'::text])))
table notice_settings
  organization_id text collate "C" not null
  user_id text collate "C" not null
  mails jsonb not null default '{}'::jsonb
  daily_hour integer not null default 8
  timezone text
  notice_settings_daily_hour_check CHECK (((daily_hour >= 0) AND (daily_hour <= 23)))
  notice_settings_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  notice_settings_pkey PRIMARY KEY (organization_id, user_id)
table notices
  organization_id text collate "C" not null
  id text collate "C" not null
  user_id text collate "C" not null
  kind text collate "C" not null
  record_kind text collate "C"
  record_id text collate "C"
  facts jsonb not null
  count integer not null
  gathered_by text collate "C" not null
  created_at timestamp with time zone not null
  read_at timestamp with time zone
  archived_at timestamp with time zone
  snoozed_until timestamp with time zone
  mail_at timestamp with time zone
  is_daily boolean not null default false
  mail_id text collate "C"
  record_ids text[] collate "C" not null default '{}'::text[]
  notices_organization_id_record_id_fkey FOREIGN KEY (organization_id, record_id) REFERENCES known_records(organization_id, id) ON DELETE CASCADE
  notices_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  notices_pkey PRIMARY KEY (organization_id, id)
table oauth_clients
  id text collate "C" not null
  registration text not null
  metadata jsonb not null
  secret_sealed bytea
  network text
  created_at timestamp with time zone not null
  last_authorized_at timestamp with time zone
  oauth_clients_pkey PRIMARY KEY (id)
  oauth_clients_registration_check CHECK ((registration = ANY (ARRAY['dynamic'::text, 'preregistered'::text])))
table oauth_states
  key_hash bytea not null
  kind text not null
  payload jsonb not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  oauth_states_kind_check CHECK ((kind = ANY (ARRAY['Session'::text, 'Interaction'::text, 'ReplayDetection'::text])))
  oauth_states_pkey PRIMARY KEY (key_hash)
table oauth_tokens
  key_hash bytea not null
  kind text not null
  organization_id text collate "C" not null
  app_id text collate "C" not null
  user_id text collate "C" not null
  client_id text collate "C" not null
  scopes text[] not null
  audience text
  payload jsonb not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  consumed_at timestamp with time zone
  oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['AccessToken'::text, 'RefreshToken'::text, 'AuthorizationCode'::text])))
  oauth_tokens_organization_id_app_id_fkey FOREIGN KEY (organization_id, app_id) REFERENCES connected_apps(organization_id, id) ON DELETE CASCADE
  oauth_tokens_pkey PRIMARY KEY (key_hash)
table one_time_links
  secret_hash bytea not null
  purpose text not null
  user_id text collate "C"
  organization_id text collate "C"
  by_mail boolean not null default false
  created_by text collate "C"
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  hashed_with text collate "C"
  one_time_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  one_time_links_pkey PRIMARY KEY (secret_hash)
  one_time_links_purpose_check CHECK ((purpose = ANY (ARRAY['set_up'::text, 'invitation'::text, 'password_reset'::text, 'sign_in'::text])))
  one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
table organizations
  id text collate "C" not null
  name text not null
  legal_name text
  website text
  industry text
  size text
  country text
  locale text not null default 'en'::text
  timezone text not null default 'UTC'::text
  currency text not null default 'EUR'::text
  security_contact text
  features jsonb not null default '{"supplierRiskManagement": false}'::jsonb
  status text not null default 'active'::text
  version integer not null default 1
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  second_factor_required boolean not null default false
  finding_sla_days jsonb not null default '{"low": 180, "high": 30, "medium": 90, "critical": 7, "informational": null}'::jsonb
  allow_self_approval boolean not null default false
  organizations_pkey PRIMARY KEY (id)
  organizations_size_check CHECK ((size = ANY (ARRAY['1_10'::text, '11_50'::text, '51_200'::text, '201_1000'::text, '1001_5000'::text, 'over_5000'::text])))
  organizations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text])))
table passkey_ceremonies
  secret_hash bytea not null
  purpose text not null
  challenge_hash bytea not null
  user_id text collate "C"
  ticket_hash bytea
  expires_at timestamp with time zone not null
  passkey_ceremonies_check CHECK (((purpose = 'sign_in'::text) = (user_id IS NULL)))
  passkey_ceremonies_check1 CHECK (((purpose = 'second_factor'::text) = (ticket_hash IS NOT NULL)))
  passkey_ceremonies_pkey PRIMARY KEY (secret_hash)
  passkey_ceremonies_purpose_check CHECK ((purpose = ANY (ARRAY['create'::text, 'sign_in'::text, 'second_factor'::text, 'confirm'::text])))
  passkey_ceremonies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
table passkeys
  id text collate "C" not null
  user_id text collate "C" not null
  credential_id text collate "C" not null
  public_key bytea not null
  counter bigint not null
  transports text[] not null
  name text not null
  backed_up boolean not null
  created_at timestamp with time zone not null
  last_used_at timestamp with time zone
  passkeys_credential_id_key UNIQUE (credential_id)
  passkeys_pkey PRIMARY KEY (id)
  passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
table people_changes
  id bigint not null
  organization_id text collate "C" not null
  kind text collate "C" not null
  changed_id text collate "C" not null
  people_changes_kind_check CHECK ((kind = ANY (ARRAY['member'::text, 'personnel'::text])))
  people_changes_pkey PRIMARY KEY (organization_id, id)
table personnel
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  external_id text
  full_name text not null
  work_email text not null
  given_name text
  family_name text
  preferred_name text
  job_title text
  department text
  team text
  location text
  country text
  manager_id text collate "C"
  employee_number text
  employment_type text not null
  status text not null
  in_scope boolean not null
  out_of_scope_reason text
  start_date date
  end_date date
  user_id text collate "C"
  labels text[]
  custom_fields jsonb
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[full_name, work_email, job_title, department, external_id] || labels))
  personnel_employment_type_check CHECK ((employment_type = ANY (ARRAY['employee'::text, 'contractor'::text, 'intern'::text, 'temporary'::text, 'consultant'::text, 'board_member'::text, 'external'::text])))
  personnel_external_id_unique UNIQUE (organization_id, external_id)
  personnel_organization_id_manager_id_fkey FOREIGN KEY (organization_id, manager_id) REFERENCES personnel(organization_id, id)
  personnel_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  personnel_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  personnel_pkey PRIMARY KEY (organization_id, id)
  personnel_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  personnel_status_check CHECK ((status = ANY (ARRAY['pre_start'::text, 'active'::text, 'on_leave'::text, 'offboarding'::text, 'former'::text])))
table policies
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  name text not null
  description text
  document_type text not null
  status text not null
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  approver_user_id text collate "C"
  approver_personnel_id text collate "C"
  extra_approver_ids text[]
  quorum text not null
  quorum_count integer
  review_date date
  review_frequency text not null
  effective_date date
  classification text not null
  locale text
  external_id text
  labels text[]
  custom_fields jsonb
  version_label text
  current_version_id text
  draft_version_id text
  origin text
  template_key text
  retired_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[name, description, external_id] || labels))
  audience text
  audience_ids text[]
  requires_attestation boolean
  attestation_due_days integer
  policies_audience_check CHECK ((audience = ANY (ARRAY['everyone'::text, 'departments'::text, 'groups'::text, 'none'::text])))
  policies_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  policies_check1 CHECK ((num_nonnulls(approver_user_id, approver_personnel_id) <= 1))
  policies_classification_check CHECK ((classification = ANY (ARRAY['public'::text, 'internal'::text, 'confidential'::text, 'restricted'::text])))
  policies_document_type_check CHECK ((document_type = ANY (ARRAY['policy'::text, 'procedure'::text, 'standard'::text, 'guideline'::text, 'plan'::text, 'handbook'::text, 'other'::text])))
  policies_external_id_unique UNIQUE (organization_id, external_id)
  policies_organization_id_approver_personnel_id_fkey FOREIGN KEY (organization_id, approver_personnel_id) REFERENCES personnel(organization_id, id)
  policies_organization_id_approver_user_id_fkey FOREIGN KEY (organization_id, approver_user_id) REFERENCES members(organization_id, user_id)
  policies_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  policies_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  policies_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  policies_origin_check CHECK ((origin = ANY (ARRAY['written'::text, 'generated'::text, 'imported'::text, 'uploaded'::text])))
  policies_pkey PRIMARY KEY (organization_id, id)
  policies_quorum_check CHECK ((quorum = ANY (ARRAY['any'::text, 'all'::text, 'n'::text])))
  policies_review_frequency_check CHECK ((review_frequency = ANY (ARRAY['monthly'::text, 'quarterly'::text, 'semiannually'::text, 'annually'::text, 'biennially'::text, 'custom'::text])))
  policies_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  policies_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text, 'published'::text, 'retired'::text])))
table policy_controls
  organization_id text collate "C" not null
  policy_id text collate "C" not null
  control_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  policy_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  policy_controls_organization_id_policy_id_fkey FOREIGN KEY (organization_id, policy_id) REFERENCES policies(organization_id, id) ON DELETE CASCADE
  policy_controls_pkey PRIMARY KEY (organization_id, policy_id, control_id)
table policy_decisions
  organization_id text collate "C" not null
  id text collate "C" not null
  version_id text collate "C" not null
  title text not null
  approver_user_id text collate "C"
  approver_personnel_id text collate "C"
  status text not null
  comment text
  content_sha256 text not null
  external_id text
  labels text[]
  custom_fields jsonb
  round integer
  requested_by jsonb
  approver_name text
  decided_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, comment, external_id] || labels))
  policy_decisions_check CHECK ((num_nonnulls(approver_user_id, approver_personnel_id) = 1))
  policy_decisions_external_id_unique UNIQUE (organization_id, external_id)
  policy_decisions_organization_id_approver_personnel_id_fkey FOREIGN KEY (organization_id, approver_personnel_id) REFERENCES personnel(organization_id, id)
  policy_decisions_organization_id_approver_user_id_fkey FOREIGN KEY (organization_id, approver_user_id) REFERENCES members(organization_id, user_id)
  policy_decisions_organization_id_version_id_fkey FOREIGN KEY (organization_id, version_id) REFERENCES policy_versions(organization_id, id)
  policy_decisions_pkey PRIMARY KEY (organization_id, id)
  policy_decisions_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  policy_decisions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'voided'::text])))
table policy_exceptions
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  policy_id text collate "C" not null
  title text not null
  justification text not null
  compensating_controls text
  holder_user_id text collate "C"
  holder_personnel_id text collate "C"
  approver_user_id text collate "C"
  approver_personnel_id text collate "C"
  status text not null
  effective_date date
  expires_at timestamp with time zone not null
  risk_id text collate "C"
  external_id text
  labels text[]
  custom_fields jsonb
  requested_by jsonb
  approver_name text
  decided_at timestamp with time zone
  status_reason text
  ended_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, justification, external_id] || labels))
  policy_exceptions_check CHECK ((num_nonnulls(holder_user_id, holder_personnel_id) <= 1))
  policy_exceptions_check1 CHECK ((num_nonnulls(approver_user_id, approver_personnel_id) = 1))
  policy_exceptions_external_id_unique UNIQUE (organization_id, external_id)
  policy_exceptions_organization_id_approver_personnel_id_fkey FOREIGN KEY (organization_id, approver_personnel_id) REFERENCES personnel(organization_id, id)
  policy_exceptions_organization_id_approver_user_id_fkey FOREIGN KEY (organization_id, approver_user_id) REFERENCES members(organization_id, user_id)
  policy_exceptions_organization_id_holder_personnel_id_fkey FOREIGN KEY (organization_id, holder_personnel_id) REFERENCES personnel(organization_id, id)
  policy_exceptions_organization_id_holder_user_id_fkey FOREIGN KEY (organization_id, holder_user_id) REFERENCES members(organization_id, user_id)
  policy_exceptions_organization_id_policy_id_fkey FOREIGN KEY (organization_id, policy_id) REFERENCES policies(organization_id, id)
  policy_exceptions_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  policy_exceptions_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id)
  policy_exceptions_pkey PRIMARY KEY (organization_id, id)
  policy_exceptions_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  policy_exceptions_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'denied'::text, 'expired'::text, 'revoked'::text])))
table policy_requirements
  organization_id text collate "C" not null
  policy_id text collate "C" not null
  requirement_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  policy_requirements_organization_id_policy_id_fkey FOREIGN KEY (organization_id, policy_id) REFERENCES policies(organization_id, id) ON DELETE CASCADE
  policy_requirements_organization_id_requirement_id_fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  policy_requirements_pkey PRIMARY KEY (organization_id, policy_id, requirement_id)
table policy_version_files
  organization_id text collate "C" not null
  version_id text collate "C" not null
  file_id text collate "C" not null
  policy_version_files_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id)
  policy_version_files_organization_id_version_id_fkey FOREIGN KEY (organization_id, version_id) REFERENCES policy_versions(organization_id, id) ON DELETE CASCADE
  policy_version_files_pkey PRIMARY KEY (organization_id, version_id, file_id)
table policy_versions
  organization_id text collate "C" not null
  id text collate "C" not null
  policy_id text collate "C" not null
  title text
  status text not null
  content text
  changelog text
  material_change boolean not null
  external_id text
  labels text[]
  custom_fields jsonb
  major integer
  minor integer
  label text
  text text
  content_sha256 text
  author jsonb
  author_id text
  writer_ids text[]
  round integer
  submitted_at timestamp with time zone
  submitted_by jsonb
  rejection_reason text
  approved_at timestamp with time zone
  published_at timestamp with time zone
  superseded_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, changelog, external_id] || labels))
  content_format text
  file jsonb
  published_by jsonb
  programs jsonb
  policy_versions_content_format_check CHECK ((content_format = ANY (ARRAY['markdown'::text, 'file'::text])))
  policy_versions_external_id_unique UNIQUE (organization_id, external_id)
  policy_versions_organization_id_policy_id_fkey FOREIGN KEY (organization_id, policy_id) REFERENCES policies(organization_id, id)
  policy_versions_pkey PRIMARY KEY (organization_id, id)
  policy_versions_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  policy_versions_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'pending_approval'::text, 'approved'::text, 'published'::text, 'superseded'::text, 'discarded'::text])))
table recovery_codes
  user_id text collate "C" not null
  code_hash bytea not null
  hashed_with text collate "C"
  recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
  recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
table reference_counters with (fillfactor=40)
  organization_id text collate "C" not null
  kind text not null
  last_number integer not null
  reference_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  reference_counters_pkey PRIMARY KEY (organization_id, kind)
table requirement_mappings
  organization_id text collate "C" not null
  mapping_source_id text collate "C" not null
  mapping_target_id text collate "C" not null
  relationship text not null
  strength integer
  rationale text
  origin text not null
  confidence double precision
  note text
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  reviewed_by text
  requirement_mappings_organization_id_mapping_source_id_fkey FOREIGN KEY (organization_id, mapping_source_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  requirement_mappings_organization_id_mapping_target_id_fkey FOREIGN KEY (organization_id, mapping_target_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  requirement_mappings_origin_check CHECK ((origin = ANY (ARRAY['official'::text, 'community'::text, 'own'::text, 'suggested'::text])))
  requirement_mappings_pkey PRIMARY KEY (organization_id, mapping_source_id, mapping_target_id)
  requirement_mappings_rationale_check CHECK ((rationale = ANY (ARRAY['syntactic'::text, 'semantic'::text, 'functional'::text])))
  requirement_mappings_relationship_check CHECK ((relationship = ANY (ARRAY['equal'::text, 'equivalent'::text, 'subset_of'::text, 'superset_of'::text, 'intersects'::text, 'no_relationship'::text])))
table requirement_urns
  organization_id text collate "C" not null
  requirement_id text collate "C" not null
  framework_id text collate "C" not null
  urn text collate "C" not null
  requirement_urns_organization_id_requirement_id_fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  requirement_urns_pkey PRIMARY KEY (organization_id, requirement_id)
table requirements
  organization_id text collate "C" not null
  id text collate "C" not null
  framework_id text collate "C" not null
  key text not null
  title text not null
  text text
  guidance text
  parent_id text collate "C"
  sort_order integer
  assessable boolean not null
  kind text not null
  implementation_groups text[]
  weight double precision not null
  importance text not null
  typical_evidence text
  annotation text
  applicability text not null
  justification text
  inclusion_reasons text[]
  result text not null
  result_reason text
  result_pinned boolean not null
  maturity integer
  score integer
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  note text
  assessed_at timestamp with time zone
  external_id text
  labels text[]
  custom_fields jsonb
  depth integer
  unproven boolean
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[key, title, text, external_id] || labels))
  source_id text
  requirements_applicability_check CHECK ((applicability = ANY (ARRAY['applicable'::text, 'not_applicable'::text, 'inherited'::text])))
  requirements_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  requirements_external_id_unique UNIQUE (organization_id, external_id)
  requirements_importance_check CHECK ((importance = ANY (ARRAY['optional'::text, 'recommended'::text, 'mandatory'::text])))
  requirements_inclusion_reasons_check CHECK ((inclusion_reasons <@ ARRAY['risk_assessment'::text, 'legal'::text, 'contractual'::text, 'best_practice'::text]))
  requirements_kind_check CHECK ((kind = ANY (ARRAY['group'::text, 'requirement'::text, 'statement'::text, 'question'::text])))
  requirements_organization_id_framework_id_fkey FOREIGN KEY (organization_id, framework_id) REFERENCES frameworks(organization_id, id)
  requirements_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  requirements_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  requirements_organization_id_parent_id_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES requirements(organization_id, id) DEFERRABLE INITIALLY DEFERRED
  requirements_pkey PRIMARY KEY (organization_id, id)
  requirements_result_check CHECK ((result = ANY (ARRAY['not_assessed'::text, 'non_compliant'::text, 'partially_compliant'::text, 'compliant'::text, 'not_applicable'::text])))
  requirements_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
table risk_acceptances
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  risk_id text collate "C" not null
  justification text not null
  conditions text
  approver_user_id text collate "C"
  approver_personnel_id text collate "C"
  expires_at timestamp with time zone not null
  status text not null
  external_id text
  labels text[]
  custom_fields jsonb
  requested_by jsonb
  frozen_likelihood text
  frozen_impact text
  frozen_level text
  approver_name text
  decided_at timestamp with time zone
  status_reason text
  ended_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  title text
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, justification, external_id] || labels))
  risk_acceptances_check CHECK ((num_nonnulls(approver_user_id, approver_personnel_id) = 1))
  risk_acceptances_external_id_unique UNIQUE (organization_id, external_id)
  risk_acceptances_frozen_impact_check CHECK ((frozen_impact = ANY (ARRAY['insignificant'::text, 'minor'::text, 'moderate'::text, 'major'::text, 'severe'::text])))
  risk_acceptances_frozen_level_check CHECK ((frozen_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  risk_acceptances_frozen_likelihood_check CHECK ((frozen_likelihood = ANY (ARRAY['rare'::text, 'unlikely'::text, 'possible'::text, 'likely'::text, 'almost_certain'::text])))
  risk_acceptances_organization_id_approver_personnel_id_fkey FOREIGN KEY (organization_id, approver_personnel_id) REFERENCES personnel(organization_id, id)
  risk_acceptances_organization_id_approver_user_id_fkey FOREIGN KEY (organization_id, approver_user_id) REFERENCES members(organization_id, user_id)
  risk_acceptances_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  risk_acceptances_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id)
  risk_acceptances_pkey PRIMARY KEY (organization_id, id)
  risk_acceptances_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  risk_acceptances_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'rejected'::text, 'revoked'::text, 'expired'::text])))
table risk_assets
  organization_id text collate "C" not null
  risk_id text collate "C" not null
  asset_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  risk_assets_organization_id_asset_id_fkey FOREIGN KEY (organization_id, asset_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  risk_assets_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id) ON DELETE CASCADE
  risk_assets_pkey PRIMARY KEY (organization_id, risk_id, asset_id)
table risk_controls
  organization_id text collate "C" not null
  risk_id text collate "C" not null
  control_id text collate "C" not null
  role text not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  risk_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  risk_controls_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id) ON DELETE CASCADE
  risk_controls_pkey PRIMARY KEY (organization_id, risk_id, control_id)
  risk_controls_role_check CHECK ((role = ANY (ARRAY['existing'::text, 'planned'::text])))
table risk_matrices
  organization_id text collate "C" not null
  version integer not null
  cells jsonb not null
  appetite jsonb not null
  likelihoods jsonb not null
  impacts jsonb not null
  levels jsonb not null
  reason text
  created_at timestamp with time zone not null
  created_by jsonb not null
  risks_moved integer
  risk_matrices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  risk_matrices_pkey PRIMARY KEY (organization_id, version)
  risk_matrices_version_check CHECK ((version > 1))
table risk_requirements
  organization_id text collate "C" not null
  risk_id text collate "C" not null
  requirement_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  risk_requirements_organization_id_requirement_id_fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  risk_requirements_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id) ON DELETE CASCADE
  risk_requirements_pkey PRIMARY KEY (organization_id, risk_id, requirement_id)
table risk_treatment_controls
  organization_id text collate "C" not null
  risk_treatment_id text collate "C" not null
  control_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  risk_treatment_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  risk_treatment_controls_organization_id_risk_treatment_id_fkey FOREIGN KEY (organization_id, risk_treatment_id) REFERENCES risk_treatments(organization_id, id) ON DELETE CASCADE
  risk_treatment_controls_pkey PRIMARY KEY (organization_id, risk_treatment_id, control_id)
table risk_treatments
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  risk_id text collate "C" not null
  action text not null
  description text
  strategy text not null
  status text not null
  status_reason text
  expected_likelihood text
  expected_impact text
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  due_date date
  start_date date
  verified_by_user_id text collate "C"
  verified_by_personnel_id text collate "C"
  progress_percent integer
  cost jsonb
  external_id text
  labels text[]
  custom_fields jsonb
  rating text
  completed_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[action, description, external_id] || labels))
  risk_treatments_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  risk_treatments_check1 CHECK ((num_nonnulls(verified_by_user_id, verified_by_personnel_id) <= 1))
  risk_treatments_expected_impact_check CHECK ((expected_impact = ANY (ARRAY['insignificant'::text, 'minor'::text, 'moderate'::text, 'major'::text, 'severe'::text])))
  risk_treatments_expected_likelihood_check CHECK ((expected_likelihood = ANY (ARRAY['rare'::text, 'unlikely'::text, 'possible'::text, 'likely'::text, 'almost_certain'::text])))
  risk_treatments_external_id_unique UNIQUE (organization_id, external_id)
  risk_treatments_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  risk_treatments_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  risk_treatments_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  risk_treatments_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id)
  risk_treatments_organization_id_verified_by_personnel_id_fkey FOREIGN KEY (organization_id, verified_by_personnel_id) REFERENCES personnel(organization_id, id)
  risk_treatments_organization_id_verified_by_user_id_fkey FOREIGN KEY (organization_id, verified_by_user_id) REFERENCES members(organization_id, user_id)
  risk_treatments_pkey PRIMARY KEY (organization_id, id)
  risk_treatments_rating_check CHECK ((rating = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  risk_treatments_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  risk_treatments_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'in_progress'::text, 'blocked'::text, 'implemented'::text, 'verified'::text, 'cancelled'::text])))
  risk_treatments_strategy_check CHECK ((strategy = ANY (ARRAY['mitigate'::text, 'accept'::text, 'transfer'::text, 'avoid'::text])))
table risk_vendors
  organization_id text collate "C" not null
  risk_id text collate "C" not null
  vendor_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  risk_vendors_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id) ON DELETE CASCADE
  risk_vendors_organization_id_vendor_id_fkey FOREIGN KEY (organization_id, vendor_id) REFERENCES vendors(organization_id, id) ON DELETE CASCADE
  risk_vendors_pkey PRIMARY KEY (organization_id, risk_id, vendor_id)
table risks
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  external_id text
  title text not null
  description text
  status text not null
  status_reason text
  category text not null
  likelihood text
  impact text
  risk_score integer
  risk_level text
  inherent_likelihood text
  inherent_impact text
  inherent_score integer
  inherent_level text
  residual_likelihood text
  residual_impact text
  residual_score integer
  residual_level text
  target_level text
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  due_date timestamp with time zone
  review_date date
  review_frequency text
  identified_at timestamp with time zone
  acceptance_expires_at timestamp with time zone
  treatment_strategy text not null
  impact_areas text[]
  threat text
  vulnerability text
  cause text
  consequence text
  strength_of_knowledge text
  quantification jsonb
  labels text[]
  custom_fields jsonb
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, description, external_id] || labels))
  closed_at timestamp with time zone
  acceptance jsonb
  above_appetite boolean
  acceptance_ended boolean
  annual_loss_expectancy jsonb
  risks_category_check CHECK ((category = ANY (ARRAY['technical'::text, 'operational'::text, 'strategic'::text, 'financial'::text, 'compliance'::text, 'legal'::text, 'third_party'::text, 'people'::text, 'physical'::text, 'privacy'::text, 'ai'::text, 'reputational'::text, 'fraud'::text, 'continuity'::text, 'other'::text])))
  risks_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  risks_external_id_unique UNIQUE (organization_id, external_id)
  risks_impact_areas_check CHECK ((impact_areas <@ ARRAY['confidentiality'::text, 'integrity'::text, 'availability'::text, 'safety'::text, 'privacy'::text, 'financial'::text, 'legal'::text, 'reputation'::text]))
  risks_impact_check CHECK ((impact = ANY (ARRAY['insignificant'::text, 'minor'::text, 'moderate'::text, 'major'::text, 'severe'::text])))
  risks_inherent_impact_check CHECK ((inherent_impact = ANY (ARRAY['insignificant'::text, 'minor'::text, 'moderate'::text, 'major'::text, 'severe'::text])))
  risks_inherent_level_check CHECK ((inherent_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  risks_inherent_likelihood_check CHECK ((inherent_likelihood = ANY (ARRAY['rare'::text, 'unlikely'::text, 'possible'::text, 'likely'::text, 'almost_certain'::text])))
  risks_likelihood_check CHECK ((likelihood = ANY (ARRAY['rare'::text, 'unlikely'::text, 'possible'::text, 'likely'::text, 'almost_certain'::text])))
  risks_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  risks_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  risks_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  risks_pkey PRIMARY KEY (organization_id, id)
  risks_residual_impact_check CHECK ((residual_impact = ANY (ARRAY['insignificant'::text, 'minor'::text, 'moderate'::text, 'major'::text, 'severe'::text])))
  risks_residual_level_check CHECK ((residual_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  risks_residual_likelihood_check CHECK ((residual_likelihood = ANY (ARRAY['rare'::text, 'unlikely'::text, 'possible'::text, 'likely'::text, 'almost_certain'::text])))
  risks_review_frequency_check CHECK ((review_frequency = ANY (ARRAY['monthly'::text, 'quarterly'::text, 'semiannually'::text, 'annually'::text, 'biennially'::text])))
  risks_risk_level_check CHECK ((risk_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  risks_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  risks_status_check CHECK ((status = ANY (ARRAY['identified'::text, 'assessed'::text, 'in_treatment'::text, 'monitored'::text, 'accepted'::text, 'closed'::text])))
  risks_strength_of_knowledge_check CHECK ((strength_of_knowledge = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text])))
  risks_target_level_check CHECK ((target_level = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  risks_treatment_strategy_check CHECK ((treatment_strategy = ANY (ARRAY['undecided'::text, 'mitigate'::text, 'accept'::text, 'transfer'::text, 'avoid'::text])))
table saved_views
  organization_id text collate "C" not null
  id text collate "C" not null
  kind text not null
  name text not null
  query text not null
  user_id text collate "C"
  created_at timestamp with time zone not null
  created_by jsonb not null
  saved_views_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  saved_views_pkey PRIMARY KEY (organization_id, id)
table security_finding_assets
  organization_id text collate "C" not null
  security_finding_id text collate "C" not null
  asset_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  security_finding_assets_organization_id_asset_id_fkey FOREIGN KEY (organization_id, asset_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  security_finding_assets_organization_id_security_finding_i_fkey FOREIGN KEY (organization_id, security_finding_id) REFERENCES security_findings(organization_id, id) ON DELETE CASCADE
  security_finding_assets_pkey PRIMARY KEY (organization_id, security_finding_id, asset_id)
table security_finding_controls
  organization_id text collate "C" not null
  security_finding_id text collate "C" not null
  control_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  security_finding_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  security_finding_controls_organization_id_security_finding_fkey FOREIGN KEY (organization_id, security_finding_id) REFERENCES security_findings(organization_id, id) ON DELETE CASCADE
  security_finding_controls_pkey PRIMARY KEY (organization_id, security_finding_id, control_id)
table security_finding_requirements
  organization_id text collate "C" not null
  security_finding_id text collate "C" not null
  requirement_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  security_finding_requirements_organization_id_requirement__fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  security_finding_requirements_organization_id_security_fin_fkey FOREIGN KEY (organization_id, security_finding_id) REFERENCES security_findings(organization_id, id) ON DELETE CASCADE
  security_finding_requirements_pkey PRIMARY KEY (organization_id, security_finding_id, requirement_id)
table security_findings
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  title text not null
  description text
  status text not null
  status_reason text
  severity text not null
  category text
  origin text not null
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  due_date date
  detected_at timestamp with time zone
  linked_risk_id text collate "C"
  duplicate_of_id text collate "C"
  cve_ids text[]
  cwe_ids text[]
  cvss_vector text
  external_url text
  remediation text
  resolution text
  external_id text
  labels text[]
  custom_fields jsonb
  due_date_source text
  resolved_at timestamp with time zone
  regression_of jsonb
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((((ARRAY[title, description, remediation, external_id] || cve_ids) || cwe_ids) || labels))
  vendor_id text collate "C"
  security_findings_category_check CHECK ((category = ANY (ARRAY['vulnerability'::text, 'misconfiguration'::text, 'access'::text, 'data_protection'::text, 'process'::text, 'supplier'::text, 'code'::text, 'other'::text])))
  security_findings_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  security_findings_due_date_source_check CHECK ((due_date_source = ANY (ARRAY['sla'::text, 'manual'::text])))
  security_findings_external_id_unique UNIQUE (organization_id, external_id)
  security_findings_organization_id_duplicate_of_id_fkey FOREIGN KEY (organization_id, duplicate_of_id) REFERENCES security_findings(organization_id, id)
  security_findings_organization_id_linked_risk_id_fkey FOREIGN KEY (organization_id, linked_risk_id) REFERENCES risks(organization_id, id)
  security_findings_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  security_findings_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  security_findings_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  security_findings_organization_id_vendor_id_fkey FOREIGN KEY (organization_id, vendor_id) REFERENCES vendors(organization_id, id)
  security_findings_origin_check CHECK ((origin = ANY (ARRAY['manual'::text, 'scan'::text, 'supplier_review'::text, 'internal_audit'::text, 'integration'::text, 'inbound_hook'::text, 'ci'::text, 'disclosure'::text])))
  security_findings_pkey PRIMARY KEY (organization_id, id)
  security_findings_severity_check CHECK ((severity = ANY (ARRAY['informational'::text, 'low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  security_findings_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  security_findings_status_check CHECK ((status = ANY (ARRAY['open'::text, 'triaged'::text, 'in_progress'::text, 'ready_for_verification'::text, 'resolved'::text, 'risk_accepted'::text, 'false_positive'::text, 'duplicate'::text])))
table sessions
  id text collate "C" not null
  secret_hash bytea not null
  user_id text collate "C" not null
  organization_id text collate "C" not null
  method text not null
  second_factor text
  provider_id text collate "C"
  authenticated_at timestamp with time zone not null
  created_at timestamp with time zone not null
  last_seen_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  network text
  ip text
  user_agent text
  hashed_with text collate "C"
  sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'passkey'::text, 'provider'::text, 'link'::text])))
  sessions_organization_id_provider_id_fkey FOREIGN KEY (organization_id, provider_id) REFERENCES sign_in_providers(organization_id, id) ON DELETE CASCADE
  sessions_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, account_id)
  sessions_pkey PRIMARY KEY (id)
  sessions_second_factor_check CHECK ((second_factor = ANY (ARRAY['totp'::text, 'recovery_code'::text, 'passkey'::text])))
  sessions_secret_hash_key UNIQUE (secret_hash)
table sign_in_counts with (fillfactor=60)
  key bytea not null
  count integer not null
  expires_at timestamp with time zone not null
  sign_in_counts_pkey PRIMARY KEY (key)
table sign_in_domains
  organization_id text collate "C" not null
  provider_id text collate "C" not null
  domain text collate "C" not null
  token text not null
  verified_at timestamp with time zone
  created_at timestamp with time zone not null
  sign_in_domains_organization_id_provider_id_fkey FOREIGN KEY (organization_id, provider_id) REFERENCES sign_in_providers(organization_id, id) ON DELETE CASCADE
  sign_in_domains_pkey PRIMARY KEY (organization_id, provider_id, domain)
table sign_in_identities
  organization_id text collate "C" not null
  id text collate "C" not null
  provider_id text collate "C" not null
  subject text collate "C" not null
  user_id text collate "C" not null
  email text
  created_at timestamp with time zone not null
  last_used_at timestamp with time zone
  sign_in_identities_organization_id_provider_id_fkey FOREIGN KEY (organization_id, provider_id) REFERENCES sign_in_providers(organization_id, id) ON DELETE CASCADE
  sign_in_identities_organization_id_provider_id_subject_key UNIQUE (organization_id, provider_id, subject)
  sign_in_identities_organization_id_provider_id_user_id_key UNIQUE (organization_id, provider_id, user_id)
  sign_in_identities_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  sign_in_identities_pkey PRIMARY KEY (organization_id, id)
table sign_in_providers
  organization_id text collate "C" not null
  id text collate "C" not null
  name text not null
  issuer text not null
  client_id text not null
  client_secret_cipher bytea not null
  enabled boolean not null default true
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  sign_in_providers_id_key UNIQUE (id)
  sign_in_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  sign_in_providers_pkey PRIMARY KEY (organization_id, id)
table sign_in_tickets
  secret_hash bytea not null
  user_id text collate "C" not null
  organization_id text collate "C" not null
  method text not null
  tries integer not null default 0
  expires_at timestamp with time zone not null
  sign_in_tickets_method_check CHECK ((method = ANY (ARRAY['password'::text, 'link'::text])))
  sign_in_tickets_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, account_id)
  sign_in_tickets_pkey PRIMARY KEY (secret_hash)
table sign_ins_begun
  state_hash bytea not null
  browser_hash bytea not null
  organization_id text collate "C" not null
  provider_id text collate "C" not null
  session_id text collate "C"
  return_to text not null
  created_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  sign_ins_begun_organization_id_provider_id_fkey FOREIGN KEY (organization_id, provider_id) REFERENCES sign_in_providers(organization_id, id) ON DELETE CASCADE
  sign_ins_begun_pkey PRIMARY KEY (state_hash)
table signals partition by RANGE (created_at)
  organization_id text collate "C" not null
  id text collate "C" not null
  type text not null
  time timestamp with time zone not null
  subject_type text not null
  subject_id text collate "C" not null
  body text not null
  created_at timestamp with time zone not null
  signals_pkey PRIMARY KEY (id, organization_id, created_at)
table task_assets
  organization_id text collate "C" not null
  task_id text collate "C" not null
  asset_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  task_assets_organization_id_asset_id_fkey FOREIGN KEY (organization_id, asset_id) REFERENCES assets(organization_id, id) ON DELETE CASCADE
  task_assets_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  task_assets_pkey PRIMARY KEY (organization_id, task_id, asset_id)
table task_controls
  organization_id text collate "C" not null
  task_id text collate "C" not null
  control_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  task_controls_organization_id_control_id_fkey FOREIGN KEY (organization_id, control_id) REFERENCES controls(organization_id, id) ON DELETE CASCADE
  task_controls_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  task_controls_pkey PRIMARY KEY (organization_id, task_id, control_id)
table task_requirements
  organization_id text collate "C" not null
  task_id text collate "C" not null
  requirement_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  task_requirements_organization_id_requirement_id_fkey FOREIGN KEY (organization_id, requirement_id) REFERENCES requirements(organization_id, id) ON DELETE CASCADE
  task_requirements_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  task_requirements_pkey PRIMARY KEY (organization_id, task_id, requirement_id)
table task_risks
  organization_id text collate "C" not null
  task_id text collate "C" not null
  risk_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  task_risks_organization_id_risk_id_fkey FOREIGN KEY (organization_id, risk_id) REFERENCES risks(organization_id, id) ON DELETE CASCADE
  task_risks_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  task_risks_pkey PRIMARY KEY (organization_id, task_id, risk_id)
table task_security_findings
  organization_id text collate "C" not null
  task_id text collate "C" not null
  security_finding_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  task_security_findings_organization_id_security_finding_id_fkey FOREIGN KEY (organization_id, security_finding_id) REFERENCES security_findings(organization_id, id) ON DELETE CASCADE
  task_security_findings_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  task_security_findings_pkey PRIMARY KEY (organization_id, task_id, security_finding_id)
table task_vendors
  organization_id text collate "C" not null
  task_id text collate "C" not null
  vendor_id text collate "C" not null
  linked_at timestamp with time zone not null
  linked_by jsonb not null
  task_vendors_organization_id_task_id_fkey FOREIGN KEY (organization_id, task_id) REFERENCES tasks(organization_id, id) ON DELETE CASCADE
  task_vendors_organization_id_vendor_id_fkey FOREIGN KEY (organization_id, vendor_id) REFERENCES vendors(organization_id, id) ON DELETE CASCADE
  task_vendors_pkey PRIMARY KEY (organization_id, task_id, vendor_id)
table tasks
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  title text not null
  description text
  status text not null
  status_reason text
  dismiss_reason text
  priority text not null
  assignee_user_id text collate "C"
  assignee_personnel_id text collate "C"
  due_date date
  plan_id text collate "C"
  phase_key text
  checklist jsonb
  recurrence jsonb
  estimate_hours double precision
  rationale text
  external_id text
  labels text[]
  custom_fields jsonb
  suggested_by jsonb
  accepted_by jsonb
  has_next boolean
  completed_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[title, description, external_id] || labels))
  follows_id text
  tasks_check CHECK ((num_nonnulls(assignee_user_id, assignee_personnel_id) <= 1))
  tasks_external_id_unique UNIQUE (organization_id, external_id)
  tasks_organization_id_assignee_personnel_id_fkey FOREIGN KEY (organization_id, assignee_personnel_id) REFERENCES personnel(organization_id, id)
  tasks_organization_id_assignee_user_id_fkey FOREIGN KEY (organization_id, assignee_user_id) REFERENCES members(organization_id, user_id)
  tasks_organization_id_follows_id_fkey FOREIGN KEY (organization_id, follows_id) REFERENCES tasks(organization_id, id) ON DELETE SET NULL (follows_id)
  tasks_organization_id_plan_id_fkey FOREIGN KEY (organization_id, plan_id) REFERENCES compliance_plans(organization_id, id)
  tasks_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  tasks_pkey PRIMARY KEY (organization_id, id)
  tasks_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text])))
  tasks_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  tasks_status_check CHECK ((status = ANY (ARRAY['suggested'::text, 'open'::text, 'in_progress'::text, 'blocked'::text, 'done'::text, 'dismissed'::text])))
table totp_secrets
  id text collate "C" not null
  user_id text collate "C" not null
  sealed_secret bytea not null
  created_at timestamp with time zone not null
  confirmed_at timestamp with time zone
  last_step bigint
  totp_secrets_pkey PRIMARY KEY (id)
  totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
table users
  id text collate "C" not null
  email text not null
  password_hash text
  disabled_at timestamp with time zone
  last_login_at timestamp with time zone
  created_at timestamp with time zone not null
  last_organization_id text collate "C"
  email_proven_at timestamp with time zone
  has_second_factor boolean not null default false
  users_pkey PRIMARY KEY (id)
table vendors
  organization_id text collate "C" not null
  id text collate "C" not null
  reference_number integer not null
  name text not null
  legal_name text
  description text
  website text
  services_provided text
  status text not null
  status_reason text
  conditions text[]
  lifecycle_stage text not null
  stage_reason text
  category text not null
  owner_user_id text collate "C"
  owner_personnel_id text collate "C"
  security_owner_user_id text collate "C"
  security_owner_personnel_id text collate "C"
  inherent_risk text
  residual_risk text
  risk_rating text not null
  risk_rating_pinned boolean not null
  data_sensitivity text
  business_impact text
  data_types text[]
  processes_personal_data boolean
  is_subprocessor boolean
  has_system_access boolean
  access_level text
  auth_method text
  countries text[]
  data_locations text[]
  headquarters_country text
  certifications text[]
  contacts jsonb
  urls jsonb
  annual_spend jsonb
  lei text
  euid text
  vat_id text
  parent_vendor_id text collate "C"
  is_ict_provider boolean
  person_type text
  next_review_date date
  discovered_by text
  notes text
  external_id text
  labels text[]
  custom_fields jsonb
  in_use_unapproved boolean
  last_reviewed_at timestamp with time zone
  source text not null
  version integer not null
  archived_at timestamp with time zone
  created_at timestamp with time zone not null
  created_by jsonb not null
  updated_at timestamp with time zone not null
  updated_by jsonb not null
  search_text text collate "C" not null default normalize_for_search((ARRAY[name, legal_name, description, services_provided, website, lei, vat_id, external_id] || labels))
  vendors_access_level_check CHECK ((access_level = ANY (ARRAY['none'::text, 'read_only'::text, 'read_write'::text, 'admin'::text])))
  vendors_auth_method_check CHECK ((auth_method = ANY (ARRAY['sso'::text, 'password_mfa'::text, 'password'::text, 'api_key'::text, 'none'::text])))
  vendors_business_impact_check CHECK ((business_impact = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  vendors_category_check CHECK ((category = ANY (ARRAY['cloud_provider'::text, 'saas'::text, 'infrastructure'::text, 'data_storage'::text, 'analytics'::text, 'monitoring'::text, 'identity_provider'::text, 'security'::text, 'version_control'::text, 'engineering'::text, 'collaboration'::text, 'customer_support'::text, 'marketing'::text, 'sales'::text, 'finance'::text, 'payments'::text, 'hr'::text, 'recruiting'::text, 'legal'::text, 'professional_services'::text, 'it_services'::text, 'telecom'::text, 'ai_provider'::text, 'office'::text, 'other'::text])))
  vendors_check CHECK ((num_nonnulls(owner_user_id, owner_personnel_id) <= 1))
  vendors_check1 CHECK ((num_nonnulls(security_owner_user_id, security_owner_personnel_id) <= 1))
  vendors_data_sensitivity_check CHECK ((data_sensitivity = ANY (ARRAY['none'::text, 'low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  vendors_external_id_unique UNIQUE (organization_id, external_id)
  vendors_inherent_risk_check CHECK ((inherent_risk = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  vendors_lifecycle_stage_check CHECK ((lifecycle_stage = ANY (ARRAY['identified'::text, 'intake'::text, 'due_diligence'::text, 'contracting'::text, 'onboarding'::text, 'in_use'::text, 'renewal'::text, 'offboarding'::text, 'offboarded'::text])))
  vendors_organization_id_owner_personnel_id_fkey FOREIGN KEY (organization_id, owner_personnel_id) REFERENCES personnel(organization_id, id)
  vendors_organization_id_owner_user_id_fkey FOREIGN KEY (organization_id, owner_user_id) REFERENCES members(organization_id, user_id)
  vendors_organization_id_parent_vendor_id_fkey FOREIGN KEY (organization_id, parent_vendor_id) REFERENCES vendors(organization_id, id)
  vendors_organization_id_reference_number_key UNIQUE (organization_id, reference_number)
  vendors_organization_id_security_owner_personnel_id_fkey FOREIGN KEY (organization_id, security_owner_personnel_id) REFERENCES personnel(organization_id, id)
  vendors_organization_id_security_owner_user_id_fkey FOREIGN KEY (organization_id, security_owner_user_id) REFERENCES members(organization_id, user_id)
  vendors_person_type_check CHECK ((person_type = ANY (ARRAY['legal_person'::text, 'individual'::text])))
  vendors_pkey PRIMARY KEY (organization_id, id)
  vendors_residual_risk_check CHECK ((residual_risk = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  vendors_risk_rating_check CHECK ((risk_rating = ANY (ARRAY['unrated'::text, 'low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
  vendors_source_check CHECK ((source = ANY (ARRAY['person'::text, 'import'::text, 'discovery'::text, 'integration'::text, 'api'::text, 'mcp'::text, 'ci_manifest'::text, 'workflow'::text, 'inbound_hook'::text, 'supplier'::text])))
  vendors_status_check CHECK ((status = ANY (ARRAY['prospective'::text, 'under_review'::text, 'approved'::text, 'conditional'::text, 'on_hold'::text, 'rejected'::text, 'terminated'::text])))
table webhook_endpoint_states with (fillfactor=40)
  organization_id text collate "C" not null
  endpoint_id text collate "C" not null
  epoch integer not null default 1
  failures integer not null default 0
  last_failures jsonb not null default '[]'::jsonb
  tripped_epoch integer
  webhook_endpoint_states_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id) ON DELETE CASCADE
  webhook_endpoint_states_pkey PRIMARY KEY (endpoint_id)
table webhook_endpoints
  organization_id text collate "C" not null
  id text collate "C" not null
  address text not null
  description text
  signal_types text[] not null
  enabled boolean not null
  disabled_reason text
  disabled_at timestamp with time zone
  epoch integer not null default 1
  secret_cipher bytea
  secret_version integer not null default 1
  tripped_by jsonb
  deleted_at timestamp with time zone
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  version integer not null default 1
  shut_off_notice_due_at timestamp with time zone
  webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['turned_off'::text, 'failures'::text])))
  webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  webhook_endpoints_pkey PRIMARY KEY (organization_id, id)
table webhook_manual_sends
  organization_id text collate "C" not null
  claim_id uuid not null
  lease_ends_at timestamp with time zone not null
  webhook_manual_sends_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
  webhook_manual_sends_pkey PRIMARY KEY (organization_id, claim_id)
table webhook_shut_off_views
  organization_id text collate "C" not null
  user_id text collate "C" not null
  endpoint_id text collate "C" not null
  disabled_at timestamp with time zone not null
  webhook_shut_off_views_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id) ON DELETE CASCADE
  webhook_shut_off_views_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id)
  webhook_shut_off_views_pkey PRIMARY KEY (organization_id, user_id, endpoint_id)
table work_losses
  task text not null
  unit text not null
  losses integer not null
  rests_until timestamp with time zone
  work_losses_losses_check CHECK ((losses > 0))
  work_losses_pkey PRIMARY KEY (task, unit)
table work_under_way
  task text not null
  unit text not null
  worker bigint not null
  work_under_way_pkey PRIMARY KEY (task, unit, worker)

CREATE INDEX asset_controls_control ON public.asset_controls USING btree (organization_id, control_id, asset_id)
CREATE INDEX asset_parents_parent ON public.asset_parents USING btree (organization_id, parent_id, part_id)
CREATE INDEX assets_archived ON public.assets USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX assets_changed ON public.assets USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX assets_custodian_personnel ON public.assets USING btree (organization_id, custodian_personnel_id) WHERE (custodian_personnel_id IS NOT NULL)
CREATE INDEX assets_custodian_user ON public.assets USING btree (organization_id, custodian_user_id) WHERE (custodian_user_id IS NOT NULL)
CREATE INDEX assets_custom_fields ON public.assets USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX assets_newest ON public.assets USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX assets_owner_personnel ON public.assets USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX assets_owner_user ON public.assets USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX assets_vendor ON public.assets USING btree (organization_id, vendor_id)
CREATE INDEX attestations_pass ON public.attestations USING btree (organization_id, pass_id) WHERE (pass_id IS NOT NULL)
CREATE INDEX attestations_person ON public.attestations USING btree (organization_id, personnel_id, status)
CREATE INDEX attestations_policy ON public.attestations USING btree (organization_id, policy_id, requested_at DESC, id DESC)
CREATE INDEX attestations_told ON public.attestations USING btree (told_at) WHERE (told_at IS NOT NULL)
CREATE UNIQUE INDEX attestations_once ON public.attestations USING btree (organization_id, version_id, personnel_id) WHERE (status <> 'cancelled'::text)
CREATE INDEX audit_entries_subject ON public.audit_entries USING btree (organization_id, subject_id, "time" DESC, id DESC)
CREATE INDEX audit_entries_time ON public.audit_entries USING btree (organization_id, "time" DESC, id DESC)
CREATE INDEX audit_entries_xact ON public.audit_entries USING btree (xact)
CREATE INDEX bulk_change_rows_about ON public.bulk_change_rows USING btree (organization_id, bulk_change_id, identity) WHERE (identity IS NOT NULL)
CREATE INDEX bulk_changes_file ON public.bulk_changes USING btree (organization_id, file_hash) WHERE (file_hash IS NOT NULL)
CREATE INDEX bulk_changes_kept ON public.bulk_changes USING btree (kept_until)
CREATE INDEX bulk_changes_latest ON public.bulk_changes USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX bulk_changes_undoing ON public.bulk_changes USING btree (organization_id, undoes) WHERE (undoes IS NOT NULL)
CREATE INDEX comment_files_file ON public.comment_files USING btree (organization_id, file_id)
CREATE INDEX comments_of_record ON public.comments USING btree (organization_id, record_id, created_at, id)
CREATE INDEX compliance_plan_frameworks_framework ON public.compliance_plan_frameworks USING btree (organization_id, framework_id, compliance_plan_id)
CREATE INDEX compliance_plans_archived ON public.compliance_plans USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX compliance_plans_changed ON public.compliance_plans USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX compliance_plans_custom_fields ON public.compliance_plans USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX compliance_plans_newest ON public.compliance_plans USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX compliance_plans_owner_personnel ON public.compliance_plans USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX compliance_plans_owner_user ON public.compliance_plans USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX connected_apps_client ON public.connected_apps USING btree (client_id) WHERE (revoked_at IS NULL)
CREATE UNIQUE INDEX connected_apps_live ON public.connected_apps USING btree (organization_id, user_id, client_id) WHERE (revoked_at IS NULL)
CREATE INDEX control_requirements_control ON public.control_requirements USING btree (organization_id, control_id, requirement_id)
CREATE INDEX controls_archived ON public.controls USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX controls_changed ON public.controls USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX controls_custom_fields ON public.controls USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX controls_newest ON public.controls USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX controls_owner_personnel ON public.controls USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX controls_owner_user ON public.controls USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE UNIQUE INDEX custom_fields_name_unique ON public.custom_fields USING btree (organization_id, lower(name))
CREATE INDEX deadlines_due ON public.deadlines USING btree (due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX deadlines_failed ON public.deadlines USING btree (organization_id) WHERE (failures > 0)
CREATE INDEX deadlines_of_kind ON public.deadlines USING btree (organization_id, kind, ends_at, record_id, name)
CREATE INDEX deadlines_of_owner ON public.deadlines USING btree (organization_id, owner_id, ends_at, record_id, name)
CREATE INDEX deliveries_newest ON ONLY public.deliveries USING btree (organization_id, endpoint_id, created_at DESC, id DESC)
CREATE INDEX deliveries_unsuccessful ON ONLY public.deliveries USING btree (organization_id, endpoint_id, unsuccessful, created_at DESC, id DESC) WHERE (unsuccessful IS NOT NULL)
CREATE INDEX delivery_queue_due ON public.delivery_queue USING btree (endpoint_id, epoch, due_at)
CREATE INDEX delivery_queue_suspect ON public.delivery_queue USING btree (due_at) WHERE (losses >= 3)
CREATE INDEX download_links_expiry ON public.download_links USING btree (expires_at)
CREATE INDEX evidence_archived ON public.evidence USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX evidence_changed ON public.evidence USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX evidence_custom_fields ON public.evidence USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX evidence_newest ON public.evidence USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX evidence_owner_personnel ON public.evidence USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX evidence_owner_user ON public.evidence USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX evidence_requested_from_personnel ON public.evidence USING btree (organization_id, requested_from_personnel_id) WHERE (requested_from_personnel_id IS NOT NULL)
CREATE INDEX evidence_requested_from_user ON public.evidence USING btree (organization_id, requested_from_user_id) WHERE (requested_from_user_id IS NOT NULL)
CREATE INDEX evidence_reviewer_personnel ON public.evidence USING btree (organization_id, reviewer_personnel_id) WHERE (reviewer_personnel_id IS NOT NULL)
CREATE INDEX evidence_reviewer_user ON public.evidence USING btree (organization_id, reviewer_user_id) WHERE (reviewer_user_id IS NOT NULL)
CREATE INDEX evidence_assets_asset ON public.evidence_assets USING btree (organization_id, asset_id, evidence_id)
CREATE INDEX evidence_controls_control ON public.evidence_controls USING btree (organization_id, control_id, evidence_id)
CREATE INDEX evidence_files_file ON public.evidence_files USING btree (organization_id, file_id, evidence_id)
CREATE INDEX evidence_policies_policy ON public.evidence_policies USING btree (organization_id, policy_id, evidence_id)
CREATE INDEX evidence_requirements_requirement ON public.evidence_requirements USING btree (organization_id, requirement_id, evidence_id)
CREATE INDEX evidence_risk_treatments_risk_treatment ON public.evidence_risk_treatments USING btree (organization_id, risk_treatment_id, evidence_id)
CREATE INDEX evidence_risks_risk ON public.evidence_risks USING btree (organization_id, risk_id, evidence_id)
CREATE INDEX evidence_security_findings_security_finding ON public.evidence_security_findings USING btree (organization_id, security_finding_id, evidence_id)
CREATE INDEX evidence_tasks_task ON public.evidence_tasks USING btree (organization_id, task_id, evidence_id)
CREATE INDEX evidence_vendors_vendor ON public.evidence_vendors USING btree (organization_id, vendor_id, evidence_id)
CREATE INDEX external_id_aliases_record ON public.external_id_aliases USING btree (organization_id, record_id)
CREATE INDEX file_contents_waiting ON public.file_contents USING btree (scan_started_at) WHERE (scan = 'waiting'::text)
CREATE INDEX files_content ON public.files USING btree (organization_id, content_id)
CREATE INDEX files_loose ON public.files USING btree (loose_since) WHERE (loose_since IS NOT NULL)
CREATE INDEX files_unfinished ON public.files USING btree (created_at) WHERE (content_id IS NULL)
CREATE INDEX framework_imports_framework ON public.framework_imports USING btree (organization_id, framework_id) WHERE (framework_id IS NOT NULL)
CREATE INDEX framework_imports_kept ON public.framework_imports USING btree (kept_until)
CREATE INDEX framework_migrations_from ON public.framework_migrations USING btree (organization_id, from_framework_id) WHERE (from_framework_id IS NOT NULL)
CREATE INDEX framework_migrations_to ON public.framework_migrations USING btree (organization_id, to_framework_id)
CREATE INDEX framework_migrations_undo ON public.framework_migrations USING btree (undo_until) WHERE (kept IS NOT NULL)
CREATE INDEX frameworks_archived ON public.frameworks USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX frameworks_changed ON public.frameworks USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX frameworks_custom_fields ON public.frameworks USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX frameworks_newest ON public.frameworks USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX frameworks_owner_personnel ON public.frameworks USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX frameworks_owner_user ON public.frameworks USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX frameworks_supersedes_framework ON public.frameworks USING btree (organization_id, supersedes_framework_id)
CREATE UNIQUE INDEX frameworks_edition_unique ON public.frameworks USING btree (organization_id, key, edition)
CREATE INDEX guest_mails_due ON public.guest_mails USING btree (due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX guest_mails_ended ON public.guest_mails USING btree (ended_at) WHERE (ended_at IS NOT NULL)
CREATE INDEX guest_mails_listed ON public.guest_mails USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX guest_mails_of_pass ON public.guest_mails USING btree (organization_id, pass_id)
CREATE UNIQUE INDEX guest_mails_waiting ON public.guest_mails USING btree (organization_id, pass_id) WHERE ((state = 'waiting'::text) AND (about = 'guest_link'::text))
CREATE INDEX guest_passes_person ON public.guest_passes USING btree (organization_id, person_id) WHERE (person_id IS NOT NULL)
CREATE INDEX guest_passes_record ON public.guest_passes USING btree (organization_id, record_id, created_at, id)
CREATE INDEX guest_sessions_last_seen ON public.guest_sessions USING btree (last_seen_at)
CREATE INDEX guest_sessions_pass ON public.guest_sessions USING btree (organization_id, pass_id)
CREATE INDEX idempotency_answers_age ON public.idempotency_answers USING btree (created_at)
CREATE INDEX jobs_claimed ON public.jobs USING btree (lane, claim_id) WHERE (claim_id IS NOT NULL)
CREATE INDEX jobs_due ON public.jobs USING btree (lane, due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX jobs_kept ON public.jobs USING btree (kept_until) WHERE (kept_until IS NOT NULL)
CREATE INDEX jobs_listed ON public.jobs USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX jobs_suspect ON public.jobs USING btree (due_at) WHERE ((losses >= 3) AND (due_at IS NOT NULL))
CREATE INDEX known_devices_user ON public.known_devices USING btree (user_id, created_at)
CREATE INDEX known_records_called ON public.known_records USING btree (organization_id, normalize_for_search(ARRAY[called]) COLLATE "C")
CREATE INDEX known_records_reference ON public.known_records USING btree (organization_id, reference)
CREATE INDEX known_records_texts ON public.known_records USING gin (organization_id, texts gin_trgm_ops)
CREATE INDEX members_account ON public.members USING btree (account_id)
CREATE INDEX notice_mails_due ON public.notice_mails USING btree (due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX notice_mails_ended ON public.notice_mails USING btree (ended_at) WHERE (ended_at IS NOT NULL)
CREATE INDEX notice_mails_listed ON public.notice_mails USING btree (organization_id, created_at DESC, id DESC)
CREATE UNIQUE INDEX notice_mails_waiting ON public.notice_mails USING btree (organization_id, user_id) WHERE (state = 'waiting'::text)
CREATE INDEX notices_listed ON public.notices USING btree (organization_id, user_id, created_at DESC, id DESC)
CREATE INDEX notices_mailed ON public.notices USING btree (organization_id, mail_id) WHERE (mail_id IS NOT NULL)
CREATE INDEX notices_of_record ON public.notices USING btree (organization_id, record_id) WHERE (record_id IS NOT NULL)
CREATE INDEX notices_old ON public.notices USING btree (created_at)
CREATE INDEX notices_to_mail ON public.notices USING btree (mail_at) WHERE (mail_at IS NOT NULL)
CREATE INDEX notices_unread ON public.notices USING btree (organization_id, user_id) WHERE ((read_at IS NULL) AND (archived_at IS NULL))
CREATE UNIQUE INDEX notices_gathered ON public.notices USING btree (organization_id, user_id, gathered_by)
CREATE INDEX oauth_clients_unused ON public.oauth_clients USING btree (created_at) WHERE ((registration = 'dynamic'::text) AND (last_authorized_at IS NULL))
CREATE INDEX oauth_states_expiry ON public.oauth_states USING btree (expires_at)
CREATE INDEX oauth_tokens_app ON public.oauth_tokens USING btree (organization_id, app_id)
CREATE INDEX oauth_tokens_expiry ON public.oauth_tokens USING btree (expires_at)
CREATE INDEX one_time_links_user ON public.one_time_links USING btree (user_id)
CREATE INDEX passkey_ceremonies_user ON public.passkey_ceremonies USING btree (user_id)
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id)
CREATE INDEX personnel_archived ON public.personnel USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX personnel_changed ON public.personnel USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX personnel_custom_fields ON public.personnel USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX personnel_manager ON public.personnel USING btree (organization_id, manager_id)
CREATE INDEX personnel_newest ON public.personnel USING btree (organization_id, created_at DESC, id DESC)
CREATE UNIQUE INDEX personnel_user_id_unique ON public.personnel USING btree (organization_id, user_id)
CREATE UNIQUE INDEX personnel_work_email_unique ON public.personnel USING btree (organization_id, lower(work_email))
CREATE INDEX policies_approver_personnel ON public.policies USING btree (organization_id, approver_personnel_id) WHERE (approver_personnel_id IS NOT NULL)
CREATE INDEX policies_approver_user ON public.policies USING btree (organization_id, approver_user_id) WHERE (approver_user_id IS NOT NULL)
CREATE INDEX policies_archived ON public.policies USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX policies_changed ON public.policies USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX policies_custom_fields ON public.policies USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX policies_newest ON public.policies USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX policies_owner_personnel ON public.policies USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX policies_owner_user ON public.policies USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX policy_controls_control ON public.policy_controls USING btree (organization_id, control_id, policy_id)
CREATE INDEX policy_decisions_approver_personnel ON public.policy_decisions USING btree (organization_id, approver_personnel_id) WHERE (approver_personnel_id IS NOT NULL)
CREATE INDEX policy_decisions_approver_user ON public.policy_decisions USING btree (organization_id, approver_user_id) WHERE (approver_user_id IS NOT NULL)
CREATE INDEX policy_decisions_archived ON public.policy_decisions USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX policy_decisions_changed ON public.policy_decisions USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX policy_decisions_custom_fields ON public.policy_decisions USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX policy_decisions_newest ON public.policy_decisions USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX policy_decisions_version ON public.policy_decisions USING btree (organization_id, version_id)
CREATE INDEX policy_exceptions_approver_personnel ON public.policy_exceptions USING btree (organization_id, approver_personnel_id) WHERE (approver_personnel_id IS NOT NULL)
CREATE INDEX policy_exceptions_approver_user ON public.policy_exceptions USING btree (organization_id, approver_user_id) WHERE (approver_user_id IS NOT NULL)
CREATE INDEX policy_exceptions_archived ON public.policy_exceptions USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX policy_exceptions_changed ON public.policy_exceptions USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX policy_exceptions_custom_fields ON public.policy_exceptions USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX policy_exceptions_holder_personnel ON public.policy_exceptions USING btree (organization_id, holder_personnel_id) WHERE (holder_personnel_id IS NOT NULL)
CREATE INDEX policy_exceptions_holder_user ON public.policy_exceptions USING btree (organization_id, holder_user_id) WHERE (holder_user_id IS NOT NULL)
CREATE INDEX policy_exceptions_newest ON public.policy_exceptions USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX policy_exceptions_policy ON public.policy_exceptions USING btree (organization_id, policy_id)
CREATE INDEX policy_exceptions_risk ON public.policy_exceptions USING btree (organization_id, risk_id)
CREATE INDEX policy_requirements_requirement ON public.policy_requirements USING btree (organization_id, requirement_id, policy_id)
CREATE INDEX policy_version_files_file ON public.policy_version_files USING btree (organization_id, file_id)
CREATE INDEX policy_versions_archived ON public.policy_versions USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX policy_versions_changed ON public.policy_versions USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX policy_versions_custom_fields ON public.policy_versions USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX policy_versions_newest ON public.policy_versions USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX policy_versions_policy ON public.policy_versions USING btree (organization_id, policy_id)
CREATE UNIQUE INDEX policy_versions_policy_id_unique ON public.policy_versions USING btree (organization_id, policy_id) WHERE (status = ANY (ARRAY['draft'::text, 'pending_approval'::text, 'approved'::text]))
CREATE INDEX requirement_mappings_mapping_target ON public.requirement_mappings USING btree (organization_id, mapping_target_id, mapping_source_id)
CREATE INDEX requirement_urns_framework ON public.requirement_urns USING btree (organization_id, framework_id)
CREATE INDEX requirements_archived ON public.requirements USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX requirements_changed ON public.requirements USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX requirements_custom_fields ON public.requirements USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX requirements_newest ON public.requirements USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX requirements_owner_personnel ON public.requirements USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX requirements_owner_user ON public.requirements USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX requirements_parent ON public.requirements USING btree (organization_id, parent_id)
CREATE UNIQUE INDEX requirements_key_unique ON public.requirements USING btree (organization_id, framework_id, key)
CREATE INDEX risk_acceptances_approver_personnel ON public.risk_acceptances USING btree (organization_id, approver_personnel_id) WHERE (approver_personnel_id IS NOT NULL)
CREATE INDEX risk_acceptances_approver_user ON public.risk_acceptances USING btree (organization_id, approver_user_id) WHERE (approver_user_id IS NOT NULL)
CREATE INDEX risk_acceptances_archived ON public.risk_acceptances USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX risk_acceptances_changed ON public.risk_acceptances USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX risk_acceptances_custom_fields ON public.risk_acceptances USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX risk_acceptances_newest ON public.risk_acceptances USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX risk_acceptances_risk ON public.risk_acceptances USING btree (organization_id, risk_id)
CREATE UNIQUE INDEX risk_acceptances_risk_id_unique ON public.risk_acceptances USING btree (organization_id, risk_id) WHERE (status = 'requested'::text)
CREATE INDEX risk_assets_asset ON public.risk_assets USING btree (organization_id, asset_id, risk_id)
CREATE INDEX risk_controls_control ON public.risk_controls USING btree (organization_id, control_id, risk_id)
CREATE INDEX risk_requirements_requirement ON public.risk_requirements USING btree (organization_id, requirement_id, risk_id)
CREATE INDEX risk_treatment_controls_control ON public.risk_treatment_controls USING btree (organization_id, control_id, risk_treatment_id)
CREATE INDEX risk_treatments_archived ON public.risk_treatments USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX risk_treatments_changed ON public.risk_treatments USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX risk_treatments_custom_fields ON public.risk_treatments USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX risk_treatments_newest ON public.risk_treatments USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX risk_treatments_owner_personnel ON public.risk_treatments USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX risk_treatments_owner_user ON public.risk_treatments USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX risk_treatments_risk ON public.risk_treatments USING btree (organization_id, risk_id)
CREATE INDEX risk_treatments_verified_by_personnel ON public.risk_treatments USING btree (organization_id, verified_by_personnel_id) WHERE (verified_by_personnel_id IS NOT NULL)
CREATE INDEX risk_treatments_verified_by_user ON public.risk_treatments USING btree (organization_id, verified_by_user_id) WHERE (verified_by_user_id IS NOT NULL)
CREATE INDEX risk_vendors_vendor ON public.risk_vendors USING btree (organization_id, vendor_id, risk_id)
CREATE INDEX risks_archived ON public.risks USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX risks_by_risk_score ON public.risks USING btree (organization_id, risk_score DESC NULLS LAST, id DESC)
CREATE INDEX risks_by_title ON public.risks USING btree (organization_id, title COLLATE natural_order, id)
CREATE INDEX risks_changed ON public.risks USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX risks_custom_fields ON public.risks USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX risks_newest ON public.risks USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX risks_owner_personnel ON public.risks USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX risks_owner_user ON public.risks USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE UNIQUE INDEX saved_views_name_unique ON public.saved_views USING btree (organization_id, kind, COALESCE(user_id, ''::text), lower(name))
CREATE INDEX security_finding_assets_asset ON public.security_finding_assets USING btree (organization_id, asset_id, security_finding_id)
CREATE INDEX security_finding_controls_control ON public.security_finding_controls USING btree (organization_id, control_id, security_finding_id)
CREATE INDEX security_finding_requirements_requirement ON public.security_finding_requirements USING btree (organization_id, requirement_id, security_finding_id)
CREATE INDEX security_findings_archived ON public.security_findings USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX security_findings_changed ON public.security_findings USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX security_findings_custom_fields ON public.security_findings USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX security_findings_duplicate_of ON public.security_findings USING btree (organization_id, duplicate_of_id)
CREATE INDEX security_findings_linked_risk ON public.security_findings USING btree (organization_id, linked_risk_id)
CREATE INDEX security_findings_newest ON public.security_findings USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX security_findings_owner_personnel ON public.security_findings USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX security_findings_owner_user ON public.security_findings USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX security_findings_vendor ON public.security_findings USING btree (organization_id, vendor_id)
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at)
CREATE INDEX sessions_provider ON public.sessions USING btree (organization_id, provider_id) WHERE (provider_id IS NOT NULL)
CREATE INDEX sessions_user ON public.sessions USING btree (user_id)
CREATE UNIQUE INDEX sign_in_domains_domain_unique ON public.sign_in_domains USING btree (domain) WHERE (verified_at IS NOT NULL)
CREATE INDEX sign_in_identities_user ON public.sign_in_identities USING btree (organization_id, user_id)
CREATE INDEX sign_in_tickets_user ON public.sign_in_tickets USING btree (user_id)
CREATE INDEX sign_ins_begun_expiry ON public.sign_ins_begun USING btree (expires_at)
CREATE INDEX sign_ins_begun_provider ON public.sign_ins_begun USING btree (organization_id, provider_id)
CREATE INDEX signals_subject ON ONLY public.signals USING btree (organization_id, subject_id, "time" DESC, id DESC)
CREATE INDEX task_assets_asset ON public.task_assets USING btree (organization_id, asset_id, task_id)
CREATE INDEX task_controls_control ON public.task_controls USING btree (organization_id, control_id, task_id)
CREATE INDEX task_requirements_requirement ON public.task_requirements USING btree (organization_id, requirement_id, task_id)
CREATE INDEX task_risks_risk ON public.task_risks USING btree (organization_id, risk_id, task_id)
CREATE INDEX task_security_findings_security_finding ON public.task_security_findings USING btree (organization_id, security_finding_id, task_id)
CREATE INDEX task_vendors_vendor ON public.task_vendors USING btree (organization_id, vendor_id, task_id)
CREATE INDEX tasks_archived ON public.tasks USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX tasks_assignee_personnel ON public.tasks USING btree (organization_id, assignee_personnel_id) WHERE (assignee_personnel_id IS NOT NULL)
CREATE INDEX tasks_assignee_user ON public.tasks USING btree (organization_id, assignee_user_id) WHERE (assignee_user_id IS NOT NULL)
CREATE INDEX tasks_changed ON public.tasks USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX tasks_custom_fields ON public.tasks USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX tasks_follows ON public.tasks USING btree (organization_id, follows_id)
CREATE INDEX tasks_newest ON public.tasks USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX tasks_plan ON public.tasks USING btree (organization_id, plan_id)
CREATE UNIQUE INDEX totp_secrets_user ON public.totp_secrets USING btree (user_id, ((confirmed_at IS NULL)))
CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email))
CREATE INDEX vendors_archived ON public.vendors USING btree (organization_id, created_at DESC, id DESC) WHERE (archived_at IS NOT NULL)
CREATE INDEX vendors_changed ON public.vendors USING btree (organization_id, updated_at DESC, id DESC)
CREATE INDEX vendors_custom_fields ON public.vendors USING gin (organization_id, custom_fields jsonb_path_ops) WHERE (custom_fields IS NOT NULL)
CREATE INDEX vendors_newest ON public.vendors USING btree (organization_id, created_at DESC, id DESC)
CREATE INDEX vendors_owner_personnel ON public.vendors USING btree (organization_id, owner_personnel_id) WHERE (owner_personnel_id IS NOT NULL)
CREATE INDEX vendors_owner_user ON public.vendors USING btree (organization_id, owner_user_id) WHERE (owner_user_id IS NOT NULL)
CREATE INDEX vendors_parent_vendor ON public.vendors USING btree (organization_id, parent_vendor_id)
CREATE INDEX vendors_security_owner_personnel ON public.vendors USING btree (organization_id, security_owner_personnel_id) WHERE (security_owner_personnel_id IS NOT NULL)
CREATE INDEX vendors_security_owner_user ON public.vendors USING btree (organization_id, security_owner_user_id) WHERE (security_owner_user_id IS NOT NULL)
CREATE UNIQUE INDEX webhook_endpoints_id ON public.webhook_endpoints USING btree (id)

view ended_attempts with (security_invoker=true)
 SELECT attempts.organization_id,
    attempts.delivery_id,
    attempts.number,
    attempts.endpoint_id,
    attempts.created_at,
    attempts.claimed_at,
    attempts.sent_at,
    attempts.address,
    attempts.headers,
    attempts.signature,
    attempts.outcome,
    attempts.reason,
    attempts.counted,
    attempts.status_code,
    attempts.duration_ms,
    attempts.response_body,
    attempts.response_truncated
   FROM attempts
UNION ALL
 SELECT deliveries.organization_id,
    deliveries.id AS delivery_id,
    deliveries.attempt_number AS number,
    deliveries.endpoint_id,
    deliveries.created_at,
    deliveries.claimed_at,
    deliveries.sent_at,
    deliveries.claim_address AS address,
    NULL::json AS headers,
    deliveries.signature,
    'success'::text AS outcome,
    NULL::text AS reason,
    true AS counted,
    deliveries.status_code,
    deliveries.duration_ms,
    deliveries.response_body,
    deliveries.response_truncated
   FROM deliveries
  WHERE deliveries.sent_at IS NOT NULL;
granted to plumbline_engine, plumbline_tenant

policy gate on api_key_usage for ALL to plumbline_gate using true check -
policy tenant on api_key_usage for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on api_keys for ALL to plumbline_gate using true check -
policy tenant on api_keys for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on applicability_statements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on asset_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on asset_parents for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on assets for SELECT to plumbline_gate using true check -
policy tenant on assets for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on attempts for ALL to plumbline_engine using true check -
policy tenant on attempts for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on attestations for SELECT to plumbline_engine using true check -
policy tenant on attestations for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on audit_checkpoints for ALL to plumbline_engine using true check -
policy tenant on audit_checkpoints for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on audit_entries for INSERT to plumbline_engine using - check true
policy engine_reads on audit_entries for SELECT to plumbline_engine using true check -
policy gate on audit_entries for INSERT to plumbline_gate using - check true
policy own_xact on audit_entries for INSERT to plumbline_engine, plumbline_gate, plumbline_tenant using - check (xact = pg_current_xact_id())
policy tenant on audit_entries for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on audit_sealing for ALL to plumbline_engine using true check -
policy engine on audit_seals for ALL to plumbline_engine using true check -
policy tenant on audit_seals for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on audit_signing_keys for ALL to plumbline_engine using true check -
policy tenant on bulk_change_claims for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on bulk_change_left_out for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on bulk_change_rows for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on bulk_changes for ALL to plumbline_engine using true check -
policy tenant on bulk_changes for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on calendar_feeds for ALL to plumbline_gate using true check -
policy tenant on calendar_feeds for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on comment_files for SELECT to plumbline_gate using true check -
policy tenant on comment_files for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on comment_versions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on comments for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on compliance_plan_frameworks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on compliance_plans for SELECT to plumbline_gate using true check -
policy tenant on compliance_plans for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on connected_app_usage for ALL to plumbline_gate using true check -
policy tenant on connected_app_usage for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on connected_apps for ALL to plumbline_gate using true check -
policy tenant on connected_apps for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on control_requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on controls for SELECT to plumbline_gate using true check -
policy tenant on controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy cascade on coverage_changes for INSERT to public using - check (organization_id = ( SELECT current_organization() AS current_organization))
policy engine on coverage_changes for SELECT to plumbline_engine using true check -
policy tenant on coverage_changes for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on coverage_days for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on coverage_days_written for SELECT to plumbline_engine using true check -
policy tenant on coverage_days_written for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on custom_fields for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on deadlines for SELECT to plumbline_engine using true check -
policy tenant on deadlines for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on deliveries for ALL to plumbline_engine using true check -
policy tenant on deliveries for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on delivery_leases for ALL to plumbline_engine using true check -
policy tenant on delivery_leases for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on delivery_queue for ALL to plumbline_engine using true check -
policy tenant on delivery_queue for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on download_links for ALL to plumbline_gate using true check -
policy tenant on due_moments for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on evidence for SELECT to plumbline_gate using true check -
policy tenant on evidence for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_assets for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_decisions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on evidence_files for SELECT to plumbline_gate using true check -
policy tenant on evidence_files for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_policies for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_revisions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_risk_treatments for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_risks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_security_findings for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_tasks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on evidence_vendors for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on external_id_aliases for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on file_contents for ALL to plumbline_gate using true check -
policy tenant on file_contents for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on file_parts for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on files for ALL to plumbline_gate using true check -
policy tenant on files for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on framework_import_stretches for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on framework_imports for ALL to plumbline_engine using true check -
policy tenant on framework_imports for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on framework_migrations for ALL to plumbline_engine using true check -
policy tenant on framework_migrations for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on frameworks for SELECT to plumbline_gate using true check -
policy tenant on frameworks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on guest_code_counts for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on guest_links for ALL to plumbline_gate using true check -
policy tenant on guest_links for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on guest_mails for ALL to plumbline_gate using true check -
policy tenant on guest_mails for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on guest_passes for SELECT to plumbline_gate using true check -
policy tenant on guest_passes for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on guest_sessions for ALL to plumbline_gate using true check -
policy tenant on guest_sessions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on held_sending for ALL to plumbline_engine using true check -
policy gate on idempotency_answers for ALL to plumbline_gate using true check -
policy tenant on idempotency_answers for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on import_columns for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on import_identities for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on job_result_parts for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on jobs for ALL to plumbline_engine using true check -
policy gate on jobs for ALL to plumbline_gate using (organization_id IS NULL) check -
policy tenant on jobs for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on known_devices for ALL to plumbline_gate using true check -
policy gate on known_records for SELECT to plumbline_gate using true check -
policy tenant on known_records for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on mail_bounces for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on master_key_proofs for ALL to plumbline_gate using true check -
policy gate on members for ALL to plumbline_gate using true check -
policy tenant on members for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on notice_mails for ALL to plumbline_engine using true check -
policy tenant on notice_mails for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on notice_settings for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on notices for ALL to plumbline_engine using true check -
policy tenant on notices for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on oauth_clients for ALL to plumbline_gate using true check -
policy gate on oauth_states for ALL to plumbline_gate using true check -
policy gate on oauth_tokens for ALL to plumbline_gate using true check -
policy gate on one_time_links for ALL to plumbline_gate using true check -
policy engine on organizations for SELECT to plumbline_engine using true check -
policy gate on organizations for ALL to plumbline_gate using true check -
policy tenant on organizations for ALL to plumbline_tenant using (id = ( SELECT current_organization() AS current_organization)) check -
policy gate on passkey_ceremonies for ALL to plumbline_gate using true check -
policy gate on passkeys for ALL to plumbline_gate using true check -
policy gate on people_changes for ALL to plumbline_gate using true check true
policy tenant on people_changes for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on personnel for SELECT to plumbline_gate using true check -
policy tenant on personnel for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on policies for SELECT to plumbline_gate using true check -
policy tenant on policies for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on policy_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on policy_decisions for SELECT to plumbline_gate using true check -
policy tenant on policy_decisions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on policy_exceptions for SELECT to plumbline_gate using true check -
policy tenant on policy_exceptions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on policy_requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on policy_version_files for SELECT to plumbline_gate using true check -
policy tenant on policy_version_files for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on policy_versions for SELECT to plumbline_gate using true check -
policy tenant on policy_versions for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on recovery_codes for ALL to plumbline_gate using true check -
policy gate on reference_counters for ALL to plumbline_gate using true check -
policy tenant on requirement_mappings for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on requirement_urns for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on requirements for SELECT to plumbline_gate using true check -
policy tenant on requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on risk_acceptances for SELECT to plumbline_gate using true check -
policy tenant on risk_acceptances for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on risk_assets for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on risk_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on risk_matrices for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on risk_requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on risk_treatment_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on risk_treatments for SELECT to plumbline_gate using true check -
policy tenant on risk_treatments for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on risk_vendors for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on risks for SELECT to plumbline_gate using true check -
policy tenant on risks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on saved_views for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on security_finding_assets for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on security_finding_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on security_finding_requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on security_findings for SELECT to plumbline_gate using true check -
policy tenant on security_findings for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on sessions for ALL to plumbline_gate using true check -
policy gate on sign_in_counts for ALL to plumbline_gate using true check -
policy gate on sign_in_domains for ALL to plumbline_gate using true check -
policy tenant on sign_in_domains for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on sign_in_identities for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on sign_in_providers for ALL to plumbline_gate using true check -
policy tenant on sign_in_providers for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on sign_in_tickets for ALL to plumbline_gate using true check -
policy gate on sign_ins_begun for ALL to plumbline_gate using true check -
policy engine on signals for ALL to plumbline_engine using true check -
policy tenant on signals for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on task_assets for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on task_controls for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on task_requirements for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on task_risks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on task_security_findings for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on task_vendors for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on tasks for SELECT to plumbline_gate using true check -
policy tenant on tasks for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on totp_secrets for ALL to plumbline_gate using true check -
policy gate on users for ALL to plumbline_gate using true check -
policy tenant on users for ALL to plumbline_tenant using (EXISTS ( SELECT
   FROM members m
  WHERE ((m.account_id = users.id) AND (m.organization_id = ( SELECT current_organization() AS current_organization))))) check -
policy gate on vendors for SELECT to plumbline_gate using true check -
policy tenant on vendors for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on webhook_endpoint_states for ALL to plumbline_engine using true check -
policy tenant on webhook_endpoint_states for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy engine on webhook_endpoints for ALL to plumbline_engine using true check -
policy tenant on webhook_endpoints for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on webhook_manual_sends for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy tenant on webhook_shut_off_views for ALL to plumbline_tenant using (organization_id = ( SELECT current_organization() AS current_organization)) check -
policy gate on work_losses for ALL to plumbline_gate using true check true
policy gate on work_under_way for ALL to plumbline_gate using true check true

grant select, update on api_key_usage to plumbline_gate
grant insert, select on api_key_usage to plumbline_tenant
grant delete, select on api_keys to plumbline_gate
grant insert, select, update on api_keys to plumbline_tenant
grant insert, select on applicability_statements to plumbline_tenant
grant delete, insert, select, update on asset_controls to plumbline_tenant
grant delete, insert, select, update on asset_parents to plumbline_tenant
grant delete, insert, select, update on assets to plumbline_tenant
grant delete, insert, select, update on attempts to plumbline_engine
grant insert, select, update on attempts to plumbline_tenant
grant insert, select, update on attestations to plumbline_tenant
grant insert, select on audit_checkpoints to plumbline_engine
grant select on audit_checkpoints to plumbline_tenant
grant insert on audit_entries to plumbline_engine
grant insert on audit_entries to plumbline_gate
grant insert, select on audit_entries to plumbline_tenant
grant select, update on audit_sealing to plumbline_engine
grant insert, select on audit_seals to plumbline_engine
grant select on audit_seals to plumbline_tenant
grant insert, select on audit_signing_keys to plumbline_engine
grant delete, insert, select on bulk_change_claims to plumbline_tenant
grant delete, insert, select on bulk_change_left_out to plumbline_tenant
grant delete, insert, select, update on bulk_change_rows to plumbline_tenant
grant delete, select on bulk_changes to plumbline_engine
grant delete, insert, select, update on bulk_changes to plumbline_tenant
grant select on calendar_feeds to plumbline_gate
grant delete, insert, select, update on calendar_feeds to plumbline_tenant
grant select on comment_files to plumbline_gate
grant delete, insert, select on comment_files to plumbline_tenant
grant delete, insert, select on comment_versions to plumbline_tenant
grant delete, insert, select, update on comments to plumbline_tenant
grant delete, insert, select, update on compliance_plan_frameworks to plumbline_tenant
grant delete, insert, select, update on compliance_plans to plumbline_tenant
grant select, update on connected_app_usage to plumbline_gate
grant insert, select on connected_app_usage to plumbline_tenant
grant select, update on connected_apps to plumbline_gate
grant insert, select, update on connected_apps to plumbline_tenant
grant delete, insert, select, update on control_requirements to plumbline_tenant
grant delete, insert, select, update on controls to plumbline_tenant
grant select on coverage_changes to plumbline_engine
grant delete, insert, select on coverage_changes to plumbline_tenant
grant delete, insert, select on coverage_days to plumbline_tenant
grant select on coverage_days_written to plumbline_engine
grant insert, select, update on coverage_days_written to plumbline_tenant
grant delete, insert, select, update on custom_fields to plumbline_tenant
grant select on deadlines to plumbline_engine
grant delete, insert, select, update on deadlines to plumbline_tenant
grant delete, insert, select, update on deliveries to plumbline_engine
grant insert, select, update on deliveries to plumbline_tenant
grant delete, insert, select, update on delivery_leases to plumbline_engine
grant insert, select on delivery_leases to plumbline_tenant
grant delete, insert, select, update on delivery_queue to plumbline_engine
grant delete, insert, select on delivery_queue to plumbline_tenant
grant delete, insert, select on download_links to plumbline_gate
grant insert, select on due_moments to plumbline_tenant
grant delete, insert, select, update on evidence to plumbline_tenant
grant delete, insert, select, update on evidence_assets to plumbline_tenant
grant delete, insert, select, update on evidence_controls to plumbline_tenant
grant insert, select on evidence_decisions to plumbline_tenant
grant select on evidence_files to plumbline_gate
grant delete, insert, select on evidence_files to plumbline_tenant
grant delete, insert, select, update on evidence_policies to plumbline_tenant
grant delete, insert, select, update on evidence_requirements to plumbline_tenant
grant insert, select on evidence_revisions to plumbline_tenant
grant delete, insert, select, update on evidence_risk_treatments to plumbline_tenant
grant delete, insert, select, update on evidence_risks to plumbline_tenant
grant delete, insert, select, update on evidence_security_findings to plumbline_tenant
grant delete, insert, select, update on evidence_tasks to plumbline_tenant
grant delete, insert, select, update on evidence_vendors to plumbline_tenant
grant delete, insert, select, update on external_id_aliases to plumbline_tenant
grant delete, select, update on file_contents to plumbline_gate
grant delete, insert, select, update on file_contents to plumbline_tenant
grant delete, insert, select, update on file_parts to plumbline_tenant
grant delete, select, update on files to plumbline_gate
grant delete, insert, select, update on files to plumbline_tenant
grant delete, insert, select, update on framework_import_stretches to plumbline_tenant
grant delete, select on framework_imports to plumbline_engine
grant delete, insert, select, update on framework_imports to plumbline_tenant
grant select, update on framework_migrations to plumbline_engine
grant delete, insert, select, update on framework_migrations to plumbline_tenant
grant delete, insert, select, update on frameworks to plumbline_tenant
grant delete, insert, select, update on guest_code_counts to plumbline_tenant
grant delete, select on guest_links to plumbline_gate
grant delete, insert, select on guest_links to plumbline_tenant
grant delete, select on guest_mails to plumbline_gate
grant insert, select, update on guest_mails to plumbline_tenant
grant select on guest_passes to plumbline_gate
grant insert, select, update on guest_passes to plumbline_tenant
grant delete, select on guest_sessions to plumbline_gate
grant delete, insert, select, update on guest_sessions to plumbline_tenant
grant delete, select on held_sending to plumbline_engine
grant delete, select on idempotency_answers to plumbline_gate
grant delete, insert, select, update on idempotency_answers to plumbline_tenant
grant delete, insert, select, update on import_columns to plumbline_tenant
grant delete, insert, select, update on import_identities to plumbline_tenant
grant insert, select on job_result_parts to plumbline_tenant
grant delete, select, update on jobs to plumbline_engine
grant insert, select, update on jobs to plumbline_gate
grant insert, select, update on jobs to plumbline_tenant
grant delete, insert, select, update on known_devices to plumbline_gate
grant select on known_records to plumbline_gate
grant delete, insert, select, update on known_records to plumbline_tenant
grant delete, insert, select, update on mail_bounces to plumbline_tenant
grant delete, insert, select on master_key_proofs to plumbline_gate
grant insert, select, update on members to plumbline_gate
grant insert, select, update on members to plumbline_tenant
grant select on migrations to public
grant delete, select on notice_mails to plumbline_engine
grant insert, select, update on notice_mails to plumbline_tenant
grant delete, insert, select, update on notice_settings to plumbline_tenant
grant delete, insert, select, update on notices to plumbline_engine
grant delete, insert, select, update on notices to plumbline_tenant
grant delete, insert, select, update on oauth_clients to plumbline_gate
grant delete, insert, select, update on oauth_states to plumbline_gate
grant delete, insert, select, update on oauth_tokens to plumbline_gate
grant delete, insert, select, update on one_time_links to plumbline_gate
grant select on organizations to plumbline_engine
grant insert, select, update on organizations to plumbline_gate
grant select, update on organizations to plumbline_tenant
grant delete, insert, select, update on passkey_ceremonies to plumbline_gate
grant delete, insert, select, update on passkeys to plumbline_gate
grant insert, select on people_changes to plumbline_gate
grant delete, insert, select on people_changes to plumbline_tenant
grant delete, insert, select, update on personnel to plumbline_tenant
grant delete, insert, select, update on policies to plumbline_tenant
grant delete, insert, select, update on policy_controls to plumbline_tenant
grant delete, insert, select, update on policy_decisions to plumbline_tenant
grant delete, insert, select, update on policy_exceptions to plumbline_tenant
grant delete, insert, select, update on policy_requirements to plumbline_tenant
grant select on policy_version_files to plumbline_gate
grant delete, insert, select, update on policy_version_files to plumbline_tenant
grant delete, insert, select, update on policy_versions to plumbline_tenant
grant delete, insert, select, update on recovery_codes to plumbline_gate
grant insert, select, update on reference_counters to plumbline_gate
grant delete, insert, select, update on requirement_mappings to plumbline_tenant
grant delete, insert, select, update on requirement_urns to plumbline_tenant
grant delete, insert, select, update on requirements to plumbline_tenant
grant delete, insert, select, update on risk_acceptances to plumbline_tenant
grant delete, insert, select, update on risk_assets to plumbline_tenant
grant delete, insert, select, update on risk_controls to plumbline_tenant
grant insert, select on risk_matrices to plumbline_tenant
grant delete, insert, select, update on risk_requirements to plumbline_tenant
grant delete, insert, select, update on risk_treatment_controls to plumbline_tenant
grant delete, insert, select, update on risk_treatments to plumbline_tenant
grant delete, insert, select, update on risk_vendors to plumbline_tenant
grant delete, insert, select, update on risks to plumbline_tenant
grant delete, insert, select on saved_views to plumbline_tenant
grant delete, insert, select, update on security_finding_assets to plumbline_tenant
grant delete, insert, select, update on security_finding_controls to plumbline_tenant
grant delete, insert, select, update on security_finding_requirements to plumbline_tenant
grant delete, insert, select, update on security_findings to plumbline_tenant
grant delete, insert, select, update on sessions to plumbline_gate
grant delete, insert, select, update on sign_in_counts to plumbline_gate
grant select, update on sign_in_domains to plumbline_gate
grant delete, insert, select, update on sign_in_domains to plumbline_tenant
grant delete, insert, select, update on sign_in_identities to plumbline_tenant
grant select on sign_in_providers to plumbline_gate
grant delete, insert, select, update on sign_in_providers to plumbline_tenant
grant delete, insert, select, update on sign_in_tickets to plumbline_gate
grant delete, insert, select on sign_ins_begun to plumbline_gate
grant delete, select on signals to plumbline_engine
grant insert, select on signals to plumbline_tenant
grant delete, insert, select, update on task_assets to plumbline_tenant
grant delete, insert, select, update on task_controls to plumbline_tenant
grant delete, insert, select, update on task_requirements to plumbline_tenant
grant delete, insert, select, update on task_risks to plumbline_tenant
grant delete, insert, select, update on task_security_findings to plumbline_tenant
grant delete, insert, select, update on task_vendors to plumbline_tenant
grant delete, insert, select, update on tasks to plumbline_tenant
grant delete, insert, select, update on totp_secrets to plumbline_gate
grant insert, select, update on users to plumbline_gate
grant delete, insert, select, update on vendors to plumbline_tenant
grant delete, insert, select, update on webhook_endpoint_states to plumbline_engine
grant insert, select, update on webhook_endpoint_states to plumbline_tenant
grant delete, select, update on webhook_endpoints to plumbline_engine
grant insert, select, update on webhook_endpoints to plumbline_tenant
grant delete, insert, select on webhook_manual_sends to plumbline_tenant
grant insert, select, update on webhook_shut_off_views to plumbline_tenant
grant delete, insert, select, update on work_losses to plumbline_gate
grant delete, insert, select, update on work_under_way to plumbline_gate

grant update (secret_hash, revoked_at, revoked_by, hashed_with) on api_keys to plumbline_gate
grant select (organization_id, id, custom_fields) on assets to plumbline_gate
grant select (organization_id, id, told_at) on attestations to plumbline_engine
grant select (organization_id, id, time, hash, xact) on audit_entries to plumbline_engine
grant update (private_key_sealed) on audit_signing_keys to plumbline_engine
grant update (last_read_at) on calendar_feeds to plumbline_gate
grant select (organization_id, id, custom_fields) on compliance_plans to plumbline_gate
grant select (organization_id, id, custom_fields) on controls to plumbline_gate
grant select (organization_id, id, custom_fields) on evidence to plumbline_gate
grant select (organization_id, id, custom_fields) on frameworks to plumbline_gate
grant update (secret_hash, hashed_with) on guest_links to plumbline_gate
grant update (state, failure, due_at, ended_at) on guest_mails to plumbline_gate
grant update (secret_hash, hashed_with) on guest_sessions to plumbline_gate
grant select (organization_id, id, custom_fields) on personnel to plumbline_gate
grant select (organization_id, id, custom_fields) on policies to plumbline_gate
grant select (organization_id, id, custom_fields) on policy_decisions to plumbline_gate
grant select (organization_id, id, custom_fields) on policy_exceptions to plumbline_gate
grant select (organization_id, id, custom_fields) on policy_versions to plumbline_gate
grant select (organization_id, id, custom_fields) on requirements to plumbline_gate
grant select (organization_id, id, custom_fields) on risk_acceptances to plumbline_gate
grant update (risks_moved) on risk_matrices to plumbline_tenant
grant select (organization_id, id, custom_fields) on risk_treatments to plumbline_gate
grant select (organization_id, id, custom_fields) on risks to plumbline_gate
grant select (organization_id, id, custom_fields) on security_findings to plumbline_gate
grant update (client_secret_cipher) on sign_in_providers to plumbline_gate
grant select (organization_id, id, custom_fields) on tasks to plumbline_gate
grant select (id, email, disabled_at, last_login_at, created_at, has_second_factor) on users to plumbline_tenant
grant select (organization_id, id, custom_fields) on vendors to plumbline_gate

CREATE OR REPLACE FUNCTION public.clock_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
RETURN date_trunc('milliseconds'::text, clock_timestamp())
granted to public
CREATE OR REPLACE FUNCTION public.current_organization()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('plumbline.organization'::text, true), ''::text)
granted to public
CREATE OR REPLACE FUNCTION public.deadline_moment(day date, at timestamp with time zone, threshold integer, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (day IS NOT NULL) THEN (((day - threshold))::timestamp without time zone AT TIME ZONE zone) WHEN (threshold < 0) THEN at WHEN (threshold = 0) THEN (date_trunc('day'::text, (at AT TIME ZONE zone)) AT TIME ZONE zone) ELSE (((at AT TIME ZONE zone) - ((threshold)::double precision * '1 day'::interval)) AT TIME ZONE zone) END
granted to public
CREATE OR REPLACE FUNCTION public.deadline_zone(organization text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  zone text;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('deadlines of ' || organization, 0));
  select timezone into zone from organizations where id = organization;
  perform localtimestamp at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.drop_weeks(before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  part record;
  dropped integer := 0;
begin
  set local lock_timeout = '50ms';
  for part in
    select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relname in ('signals', 'deliveries', 'attempts') and p.relnamespace = 'public'::regnamespace
       and to_timestamp(right(c.relname, 8), 'YYYYMMDD') + interval '7 days' <= before
  loop
    begin
      execute format('drop table %I', part.name);
      dropped := dropped + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  return dropped;
end $function$
granted to plumbline_engine
CREATE OR REPLACE FUNCTION public.ensure_weeks(until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  parent text;
  week timestamptz := date_trunc('week', clock_now() - interval '7 days', 'UTC');
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('plumbline.ensure_weeks'));
  while week <= until loop
    foreach parent in array array['signals', 'deliveries', 'attempts'] loop
      name := parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
      if to_regclass(name) is null then
        execute format('create table %I (like %I including all excluding indexes)%s', name, parent, case parent
            when 'deliveries' then ' with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
              autovacuum_vacuum_insert_scale_factor = 0.05)'
            else '' end);
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy backup on %I for select to %I
            using (current_setting(''plumbline.backup'', true) = ''on'' and pg_has_role(session_user, current_user, ''MEMBER''))',
          name, current_user);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, week,
          week + interval '7 days');
      end if;
    end loop;
    week := week + interval '7 days';
  end loop;
end $function$
granted to plumbline_engine
CREATE OR REPLACE FUNCTION public.hold_deadlines(organization text)
 RETURNS void
 LANGUAGE sql
RETURN pg_advisory_xact_lock(hashtextextended(('deadlines of '::text || organization), (0)::bigint))
granted to public
CREATE OR REPLACE FUNCTION public.hold_risk_matrix(organization text)
 RETURNS void
 LANGUAGE sql
RETURN pg_advisory_xact_lock(hashtextextended(('risk matrix of '::text || organization), (0)::bigint))
granted to public
CREATE OR REPLACE FUNCTION public.letters_for_search(normalized text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if octet_length(normalized) = char_length(normalized) then
    return normalized;
  end if;
  return replace(encode(convert_to(translate(normalized,
    'абвгґдеєжзиіклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψω“”„‘’‚«»–—',
    'abvggdeejziiklmnoprstufhcqwwxyxeuaabgdezhqiklmnxoprstufxyw          '), 'UTF8'), 'escape'), '\', '');
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.normalize_for_search(texts text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  joined text := array_to_string(texts, E'\n');
begin
  if octet_length(joined) = char_length(joined) then
    return lower(joined collate "C");
  end if;
  return translate(
    replace(replace(replace(replace(
      regexp_replace(lower(normalize(joined, NFKD)), '[\u0300-\u036f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħıŧς', 'olddhitσ');
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.note_coverage_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  insert into coverage_changes (organization_id, kind, record_id)
  values (changed ->> 'organization_id', tg_argv[0], changed ->> tg_argv[1]);
  return null;
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.note_person_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' or tg_argv[2] = 'old' then old else new end);
begin
  insert into people_changes (organization_id, kind, changed_id)
  values (changed ->> 'organization_id', tg_argv[0], changed ->> tg_argv[1]);
  return null;
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.note_user_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into people_changes (organization_id, kind, changed_id)
  select organization_id, 'member', user_id from members where account_id = new.id;
  return null;
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.refuse_piece()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the job of this piece is claimed, cancelled or allowed otherwise by now' using errcode = 'PJ001';
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.risk_matrix_for_write(organization text)
 RETURNS TABLE(version integer, cells jsonb, appetite jsonb)
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('risk matrix of ' || organization, 0));
  return query
    select m.version, m.cells, m.appetite from risk_matrices m
     where m.organization_id = organization order by m.version desc limit 1;
end $function$
granted to public
CREATE OR REPLACE FUNCTION public.search_pattern(word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((CASE WHEN (letters_for_search(normalize_for_search(ARRAY[word])) ~ '[a-z0-9]{3}'::text) THEN '%'::text ELSE '% '::text END || regexp_replace(letters_for_search(normalize_for_search(ARRAY[word])), '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text)
granted to public

collation natural_order provider i locale und-u-kn-true deterministic t

extension btree_gin
extension pg_trgm
