import { OrganizationRule } from '../../../components/organization-rule.tsx'
import { organization } from '../../../copy/organization.ts'

/** Whether those who wrote a policy may approve it alone. */
export const SelfApproval = () => (
  <OrganizationRule rule="allowSelfApproval" isGoodOn={false} words={organization.selfApproval} />
)
