import { explained, text } from '../fields.ts'
import { relation } from '../relation.ts'

const FIELDS = {
  coverage: explained('Coverage', {
    full: 'Shows all that is asked there',
    partial: 'Shows a part; more is needed for the rest',
  }).describe('How much it shows'),
  note: text('Note', 2_000).describe('What to look for in it'),
}

/** What evidence is of: with each kind it can be of, how much of what is asked there it shows. */
const mapping = (to: string, table: string, idsBack?: string) =>
  relation({
    name: `evidence_${to}`,
    from: 'evidence',
    to,
    table,
    fields: FIELDS,
    defaults: { coverage: 'full' },
    atBothEnds: true,
    ...(idsBack ? { idsBack } : {}),
  })

export const evidenceRelations = [
  mapping('control', 'evidence_controls'),
  mapping('requirement', 'evidence_requirements'),
  mapping('policy', 'evidence_policies'),
  mapping('risk', 'evidence_risks'),
  mapping('risk_treatment', 'evidence_risk_treatments', 'evidenceIds'),
  mapping('vendor', 'evidence_vendors'),
  mapping('asset', 'evidence_assets'),
  mapping('security_finding', 'evidence_security_findings'),
  mapping('task', 'evidence_tasks'),
] as const
