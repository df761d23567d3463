-- What a field chooses from, the table takes and nothing else. Whoever adds a choice to a kind adds it here, too: in a
-- migration of its own that drops the check and makes it anew. A test holds the table against its kind.

alter table risks
  add check (status in ('identified', 'assessed', 'in_treatment', 'monitored', 'accepted', 'closed')),
  add check (category in (
    'technical', 'operational', 'strategic', 'financial', 'compliance', 'legal', 'third_party', 'people', 'physical',
    'privacy', 'ai', 'reputational', 'fraud', 'continuity', 'other'
  )),
  add check (likelihood in ('rare', 'unlikely', 'possible', 'likely', 'almost_certain')),
  add check (impact in ('insignificant', 'minor', 'moderate', 'major', 'severe')),
  add check (inherent_likelihood in ('rare', 'unlikely', 'possible', 'likely', 'almost_certain')),
  add check (inherent_impact in ('insignificant', 'minor', 'moderate', 'major', 'severe')),
  add check (residual_likelihood in ('rare', 'unlikely', 'possible', 'likely', 'almost_certain')),
  add check (residual_impact in ('insignificant', 'minor', 'moderate', 'major', 'severe')),
  add check (target_level in ('low', 'medium', 'high', 'critical')),
  add check (review_frequency in ('monthly', 'quarterly', 'semiannually', 'annually', 'biennially')),
  add check (treatment_strategy in ('undecided', 'mitigate', 'accept', 'transfer', 'avoid')),
  add check (impact_areas <@ array[
    'confidentiality', 'integrity', 'availability', 'safety', 'privacy', 'financial', 'legal', 'reputation'
  ]::text[]),
  add check (strength_of_knowledge in ('low', 'medium', 'high')),
  add check (risk_level in ('low', 'medium', 'high', 'critical')),
  add check (inherent_level in ('low', 'medium', 'high', 'critical')),
  add check (residual_level in ('low', 'medium', 'high', 'critical')),
  add check (source in (
    'person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow', 'inbound_hook',
    'supplier'
  ));

alter table controls
  add check (category in ('policy', 'process', 'procedure', 'technical', 'physical', 'people')),
  add check (function in ('govern', 'identify', 'protect', 'detect', 'respond', 'recover')),
  add check (type in ('preventive', 'detective', 'corrective', 'deterrent', 'compensating', 'recovery')),
  add check (implementation_status in (
    'not_started', 'in_progress', 'partially_implemented', 'implemented', 'not_applicable', 'deprecated'
  )),
  add check (priority in ('low', 'medium', 'high', 'critical')),
  add check (risk_level in ('low', 'medium', 'high', 'critical')),
  add check (effectiveness in ('not_assessed', 'effective', 'partially_effective', 'ineffective')),
  add check (automation in ('manual', 'semi_automated', 'automated')),
  add check (frequency in (
    'continuous', 'daily', 'weekly', 'monthly', 'quarterly', 'semiannually', 'annually', 'ad_hoc'
  )),
  add check (effort in ('xs', 's', 'm', 'l', 'xl')),
  add check (source in (
    'person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow', 'inbound_hook',
    'supplier'
  ));

alter table personnel
  add check (employment_type in (
    'employee', 'contractor', 'intern', 'temporary', 'consultant', 'board_member', 'external'
  )),
  add check (status in ('pre_start', 'active', 'on_leave', 'offboarding', 'former')),
  add check (source in (
    'person', 'import', 'discovery', 'integration', 'api', 'mcp', 'ci_manifest', 'workflow', 'inbound_hook',
    'supplier'
  ));
