import type { KindRules } from '../kind-rules.ts'

export const rules: Partial<KindRules> = {
  derive: (_values, facts) => (facts?.above ? { policyId: facts.above.policyId } : {}),
}
