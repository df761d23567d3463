import type { KindRules } from '../kind-rules.ts'

export const rules: Partial<KindRules> = {
  derive: (_values, facts, write) =>
    write && facts ? { policiesAcknowledged: facts.counted.policiesAcknowledged } : {},
}
