import {
  approvePolicyException,
  denyPolicyException,
  revokePolicyException,
  withdrawPolicyException,
} from './decide-policy-exception.ts'
import { approvePolicyVersion, rejectPolicyVersion } from './decide-policy-version.ts'
import { createPolicyVersion, updatePolicyVersion } from './draft-policy-version.ts'
import { discardPolicyVersion, withdrawPolicyVersion } from './end-policy-version.ts'
import { exportPolicyVersion } from './export-policy-version.ts'
import { createPolicyFromFile } from './from-file.ts'
import { createPolicyFromTemplate, listPolicyTemplates } from './from-template.ts'
import { getPolicyTemplate } from './get-policy-template.ts'
import { getPolicyLog } from './policy-log.ts'
import { publishPolicyVersion } from './publish-policy-version.ts'
import { restorePolicy, retirePolicy } from './retire-policy.ts'
import { submitPolicyVersion } from './submit-policy-version.ts'
import { getTemplateRequirements, linkTemplateRequirements } from './template-requirements.ts'
import { downloadPolicyPicture, downloadPolicyVersionFile, putPolicyVersionFile } from './version-file.ts'

/** What is done with policies beside the verbs of their kinds. */
export const policyOperations = {
  createPolicyVersion,
  updatePolicyVersion,
  putPolicyVersionFile,
  downloadPolicyVersionFile,
  downloadPolicyPicture,
  submitPolicyVersion,
  withdrawPolicyVersion,
  approvePolicyVersion,
  rejectPolicyVersion,
  publishPolicyVersion,
  discardPolicyVersion,
  retirePolicy,
  restorePolicy,
  exportPolicyVersion,
  getPolicyLog,
  listPolicyTemplates,
  getPolicyTemplate,
  createPolicyFromTemplate,
  getTemplateRequirements,
  linkTemplateRequirements,
  createPolicyFromFile,
  approvePolicyException,
  denyPolicyException,
  revokePolicyException,
  withdrawPolicyException,
}
