import { expect, test } from 'vitest'
import { FORM_SCOPES, SCOPES, WEBHOOK_SCOPES } from '../model/scopes.ts'
import { availableSignalTypes, SIGNAL_TYPES } from '../model/signal-types.ts'
import { readConfig } from '../server/config.ts'

/** The scopes, in the words of the contract. */
const FORM = `
read:frameworks | Read compliance frameworks and their controls
read:policies | Read policies and policy logs
read:controls | Read controls, statuses, ownership
read:risks | Read the risk register
read:evidence | Read evidence items and mappings
read:organization | Read basic organization details
read:users | Read user identities in the organization
read:vendors | Read vendor inventory
read:assets | Read asset inventory
read:personnel | Read personnel directory entries
read:datamaps | Read the privacy data map (systems, datasets, processing activities)
read:internal-audits | Read internal audits, tested controls, findings
write:policies | Create, draft, update policies (auditable)
write:controls | Update control status and ownership (auditable)
write:compliance | Create compliance plans and suggested tasks
write:risks | Create, update, link risks and security findings
write:evidence | Create, update, link evidence (no file uploads)
write:assets | Create, update, delete assets
write:vendors | Create, update, delete vendors
write:personnel | Create, update, delete personnel directory entries
write:datamaps | Push privacy manifests from CI (auditable)
write:ai-inventory | Push AI system inventory manifests from CI (auditable)
write:internal-audits | Create and manage internal audits and findings (auditable)`

/** The signal types, in the words of the contract. */
const SIGNALS = `
risk.created | A risk is added.
risk.updated | Title, status, category, rating, owner, due date or acceptance expiry changed.
risk.deleted | A risk is removed.
risk_treatment.created | A treatment is added to a risk.
risk_treatment.updated | Action, status, rating, owner or due date of a treatment changed.
risk_treatment.deleted | A treatment is removed.
vendor.created | A vendor is added (person, import or discovery).
vendor.updated | Name, status, lifecycle stage, category, owner or risk rating changed.
vendor.deleted | A vendor is removed.
control.updated | Implementation status, priority, risk level or owner changed.
evidence.created | Evidence added (upload or integration).
evidence.updated | Title, status, expiry date or owner changed.
evidence.deleted | Evidence removed.
policy.created | A policy is added, written, generated or imported.
policy.updated | Name, status, version, owner, approver or review date changed.
policy.deleted | A policy is removed.
security_finding.created | A finding is raised (person, scan or supplier review).
security_finding.updated | Title, status, severity, owner, due date or linked risk changed.
security_finding.deleted | A finding is removed.
inbound_hook.received | Another system posted a message to an inbound hook.
workflow.emitted | A workflow step raised a named signal for other workflows.
workflow.run_failed | A workflow run stopped on a failed step.
vendor.tier_changed (SR) | A supplier's tier changed.
assessment.closed (SR) | A supplier review closed with an outcome.
security_finding.supplier_replied (SR) | A supplier replied to a fix request or said it is fixed.
register_run.approved (SR) | A register run approved for filing.
vendor.breach_detected (SR) | A feed or partner reported a breach or incident at a supplier.
vendor.document_expiring (SR) | A supplier document expires within 30 days or has expired.
vendor.subprocessors_changed (SR) | A supplier's published sub-processor list changed.
vendor.dpf_status_changed (SR) | A supplier's data-privacy-framework certification changed status.
vendor.contract_notice_due (SR) | A supplier contract's notice date falls within the next 60 days.`

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [string, string])

test('the key form offers exactly the 23 scopes of the contract', () => {
  expect(Object.entries(FORM_SCOPES)).toEqual(rows(FORM))
  expect(Object.keys(FORM_SCOPES)).toHaveLength(23)
})

test('two more scopes exist, and no other', () => {
  expect(Object.keys(WEBHOOK_SCOPES)).toEqual(['read:webhooks', 'write:webhooks'])
  expect(Object.keys(SCOPES)).toHaveLength(25)
})

test('the catalogue holds exactly the 31 signal types of the contract', () => {
  const said = rows(SIGNALS).map(([type, sent]) => [type.replace(' (SR)', ''), sent])
  expect(Object.entries(SIGNAL_TYPES).map(([type, { description }]) => [type, description])).toEqual(said)
  for (const { label } of Object.values(SIGNAL_TYPES)) expect(label).toMatch(/^[A-Z]/)
})

test('the nine supplier types exist only with supplier risk management', () => {
  const supplier = rows(SIGNALS).flatMap(([type]) =>
    type.endsWith(' (SR)') ? [type.replace(' (SR)', '')] : [],
  )
  expect(supplier).toHaveLength(9)
  expect(availableSignalTypes({})).toEqual(
    Object.keys(SIGNAL_TYPES).filter((type) => !supplier.includes(type)),
  )
  expect(availableSignalTypes({ supplierRiskManagement: true })).toEqual(Object.keys(SIGNAL_TYPES))
})

test('the limits stand as the contract has them', () => {
  const config = readConfig({})
  expect(config.rateLimit).toEqual({ calls: 500, windowMs: 600_000 })
  expect(config.webhookRetryDelays).toEqual([30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000])
})
