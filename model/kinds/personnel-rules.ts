import type { KindRules } from '../kind-rules.ts'

export const rules: Partial<KindRules> = {
  derive: (_values, facts, write) =>
    write && facts ? { policiesAcknowledged: facts.counted.policiesAcknowledged } : {},
  refuseDeletion: (_, facts) =>
    facts.counted?.hasAcknowledged
      ? { conflict: 'The texts that they acknowledged are kept as proof: set the status to former instead.' }
      : null,
}
