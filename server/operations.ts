import { isForPersons } from '../model/needs.ts'
import { attestationOperations, guestAttestationOperations } from './attestations/operations.ts'
import { commentOperations } from './comments/operations.ts'
import { deadlineOperations } from './deadlines/operations.ts'
import { fileOperations } from './files/operations.ts'
import { frameworkOperations } from './frameworks/operations.ts'
import { guestOperations, guestPassOperations } from './guests/operations.ts'
import { accountOperations, sessionOperations } from './identity/operations.ts'
import { jobOperations } from './jobs/operations.ts'
import { noticeOperations } from './notices/operations.ts'
import { connectedAppOperations, consentOperations } from './oauth/operations.ts'
import type { AnyOperation, CalledBy } from './operation.ts'
import { joiningOperations, organizationOperations } from './organization/operations.ts'
import { policyOperations } from './policies/operations.ts'
import { createCompliancePlanTask } from './records/add-plan-task.ts'
import { approveEvidence } from './records/approve-evidence.ts'
import { approveRiskAcceptance } from './records/approve-risk-acceptance.ts'
import { listAuditLog } from './records/audit-log.ts'
import { cancelCompliancePlan } from './records/cancel-compliance-plan.ts'
import { customFieldOperations } from './records/custom-fields.ts'
import { adoptVendor, dismissVendor, listDiscoveredVendors } from './records/discovered-vendors.ts'
import {
  rejectRiskAcceptance,
  revokeRiskAcceptance,
  withdrawRiskAcceptance,
} from './records/end-risk-acceptance.ts'
import { addEvidenceFiles, listEvidenceRevisions, removeEvidenceFile } from './records/evidence-files.ts'
import { exportAuditLog } from './records/export-audit-log.ts'
import { layOutCompliancePlan } from './records/lay-out-compliance-plan.ts'
import { listWaiting } from './records/list-waiting.ts'
import { mergeVendor, previewVendorMerge } from './records/merge-vendor.ts'
import { recordOperations } from './records/operations.ts'
import { listOwnershipPrincipals } from './records/ownership-principals.ts'
import { getRecentActivity } from './records/recent-activity.ts'
import { getRecentChanges } from './records/recent-changes.ts'
import { listRecordOperations } from './records/record-operations.ts'
import { rejectEvidence } from './records/reject-evidence.ts'
import { getPersonnelResponsibilities } from './records/responsibilities.ts'
import { reviewVendor } from './records/review-vendor.ts'
import { getRiskTrend } from './records/risk-trend.ts'
import { createSavedView, deleteSavedView, listSavedViews } from './records/saved-views.ts'
import { search } from './records/search.ts'
import { setTaskStatus } from './records/set-task-status.ts'
import { addStarterSet, getStarterSet, removeStarterSet } from './records/starter-set.ts'
import { submitEvidence } from './records/submit-evidence.ts'
import { summarizeRegisters } from './records/summarize-registers.ts'
import { tickTask } from './records/tick-task.ts'
import { startExport } from './sheets/export-job.ts'
import { exportOperations } from './sheets/exports.ts'
import { bulkChangeOperations } from './sheets/operations.ts'
import { deliveryOperations } from './webhooks/deliveries.ts'
import { endpointOperations } from './webhooks/endpoints.ts'

/* For the web app, which takes nothing else of the server. */
export type { RecordAnswers } from './records/answers.ts'

const otherOperations = {
  search,
  approveRiskAcceptance,
  rejectRiskAcceptance,
  revokeRiskAcceptance,
  withdrawRiskAcceptance,
  submitEvidence,
  approveEvidence,
  rejectEvidence,
  addEvidenceFiles,
  removeEvidenceFile,
  listEvidenceRevisions,
  layOutCompliancePlan,
  cancelCompliancePlan,
  createCompliancePlanTask,
  setTaskStatus,
  tickTask,
  ...frameworkOperations,
  ...policyOperations,
  listDiscoveredVendors,
  adoptVendor,
  dismissVendor,
  reviewVendor,
  previewVendorMerge,
  mergeVendor,
  ...endpointOperations,
  ...deliveryOperations,
  listOwnershipPrincipals,
  getPersonnelResponsibilities,
  listAuditLog,
  getRecentChanges,
  getRecentActivity,
  getRiskTrend,
  getStarterSet,
  addStarterSet,
  removeStarterSet,
  exportAuditLog,
  listSavedViews,
  createSavedView,
  deleteSavedView,
  ...customFieldOperations,
  ...deadlineOperations,
  listWaiting,
  summarizeRegisters,
  ...jobOperations,
  ...bulkChangeOperations,
  startExport,
  ...fileOperations,
  ...noticeOperations,
  ...commentOperations,
  ...guestPassOperations,
  ...attestationOperations,
}

const accounts = { ...accountOperations, ...organizationOperations, ...connectedAppOperations }

/** For browsers alone: no program comes in by them. */
const ofBrowsers = {
  ...joiningOperations,
  ...sessionOperations,
  ...consentOperations,
  ...guestOperations,
  ...guestAttestationOperations,
}

/** Those written by hand, by name: whoever calls them in this language has their types. */
export const operationsByHand = { ...accounts, ...otherOperations, ...ofBrowsers, listRecordOperations }

/** The one list of everything the service can do, in the order of the documents. */
export const operations: readonly AnyOperation[] = [
  ...Object.values(accounts),
  ...recordOperations,
  ...exportOperations,
  ...Object.values(otherOperations),
  ...Object.values(ofBrowsers),
  listRecordOperations,
]

/** Those of a list that are for one who calls so. */
export const operationsBy = (by: CalledBy, all = operations): readonly AnyOperation[] =>
  all.filter((operation) => operation.by === by)

/** Those of a list that a key or token may call at all; what only a person may do is refused to every one. */
export const openToPrograms = (all = operations): readonly AnyOperation[] =>
  all.filter(({ by, needs }) => by === 'credential' && !isForPersons(needs))
