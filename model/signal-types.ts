/**
 * The catalogue of signals an endpoint may subscribe to: with the label people choose by
 * and when each is sent. Those of a record kind are raised by the record engine; the others by the room
 * that holds their subject. `(SR)` types exist only in organizations with supplier risk management.
 */
export const SIGNAL_TYPES = {
  'risk.created': { label: 'Risk created', description: 'A risk is added.' },
  'risk.updated': {
    label: 'Risk updated',
    description: 'Title, status, category, rating, owner, due date or acceptance expiry changed.',
  },
  'risk.deleted': { label: 'Risk deleted', description: 'A risk is removed.' },
  'risk_treatment.created': {
    label: 'Risk treatment created',
    description: 'A treatment is added to a risk.',
  },
  'risk_treatment.updated': {
    label: 'Risk treatment updated',
    description: 'Action, status, rating, owner or due date of a treatment changed.',
  },
  'risk_treatment.deleted': { label: 'Risk treatment deleted', description: 'A treatment is removed.' },
  'vendor.created': {
    label: 'Vendor created',
    description: 'A vendor is added (person, import or discovery).',
  },
  'vendor.updated': {
    label: 'Vendor updated',
    description: 'Name, status, lifecycle stage, category, owner or risk rating changed.',
  },
  'vendor.deleted': { label: 'Vendor deleted', description: 'A vendor is removed.' },
  'control.updated': {
    label: 'Control updated',
    description: 'Implementation status, priority, risk level or owner changed.',
  },
  'evidence.created': { label: 'Evidence created', description: 'Evidence added (upload or integration).' },
  'evidence.updated': {
    label: 'Evidence updated',
    description: 'Title, status, expiry date or owner changed.',
  },
  'evidence.deleted': { label: 'Evidence deleted', description: 'Evidence removed.' },
  'policy.created': {
    label: 'Policy created',
    description: 'A policy is added, written, generated or imported.',
  },
  'policy.updated': {
    label: 'Policy updated',
    description: 'Name, status, version, owner, approver or review date changed.',
  },
  'policy.deleted': { label: 'Policy deleted', description: 'A policy is removed.' },
  'security_finding.created': {
    label: 'Security finding created',
    description: 'A finding is raised (person, scan or supplier review).',
  },
  'security_finding.updated': {
    label: 'Security finding updated',
    description: 'Title, status, severity, owner, due date or linked risk changed.',
  },
  'security_finding.deleted': { label: 'Security finding deleted', description: 'A finding is removed.' },
  'inbound_hook.received': {
    label: 'Inbound hook received',
    description: 'Another system posted a message to an inbound hook.',
  },
  'workflow.emitted': {
    label: 'Workflow emitted',
    description: 'A workflow step raised a named signal for other workflows.',
  },
  'workflow.run_failed': {
    label: 'Workflow run failed',
    description: 'A workflow run stopped on a failed step.',
  },
  'vendor.tier_changed': supplier('Vendor tier changed', "A supplier's tier changed."),
  'assessment.closed': supplier('Assessment closed', 'A supplier review closed with an outcome.'),
  'security_finding.supplier_replied': supplier(
    'Supplier replied',
    'A supplier replied to a fix request or said it is fixed.',
  ),
  'register_run.approved': supplier('Register run approved', 'A register run approved for filing.'),
  'vendor.breach_detected': supplier(
    'Vendor breach detected',
    'A feed or partner reported a breach or incident at a supplier.',
  ),
  'vendor.document_expiring': supplier(
    'Vendor document expiring',
    'A supplier document expires within 30 days or has expired.',
  ),
  'vendor.subprocessors_changed': supplier(
    'Vendor sub-processors changed',
    "A supplier's published sub-processor list changed.",
  ),
  'vendor.dpf_status_changed': supplier(
    'Vendor DPF status changed',
    "A supplier's data-privacy-framework certification changed status.",
  ),
  'vendor.contract_notice_due': supplier(
    'Vendor contract notice due',
    "A supplier contract's notice date falls within the next 60 days.",
  ),
} as const satisfies Record<string, SignalDescription>

export interface SignalDescription {
  readonly label: string
  readonly description: string
  /** The organization's feature without which the type does not exist. */
  readonly feature?: 'supplierRiskManagement'
}

export type SignalType = keyof typeof SIGNAL_TYPES

/** What an organization with these features may subscribe to, in the catalogue's order. */
export function availableSignalTypes(features: Readonly<Record<string, boolean>>): SignalType[] {
  return (Object.entries(SIGNAL_TYPES) as [SignalType, SignalDescription][])
    .filter(([, { feature }]) => feature === undefined || features[feature] === true)
    .map(([type]) => type)
}

function supplier(label: string, description: string) {
  return { label, description, feature: 'supplierRiskManagement' } as const
}
