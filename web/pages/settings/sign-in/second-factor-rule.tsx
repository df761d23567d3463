import { OrganizationRule } from '../../../components/organization-rule.tsx'
import { secondFactorRule } from '../../../copy/sign-in-providers.ts'

/** Whether everybody needs a second factor here. */
export const SecondFactorRule = () => (
  <OrganizationRule rule="secondFactorRequired" isGoodOn words={secondFactorRule} />
)
