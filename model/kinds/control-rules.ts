import type { KindRules } from '../kind-rules.ts'

export const rules: Partial<KindRules> = {
  derive: ({ implementationStatus }, facts) => {
    if (!facts?.proof) return {}
    const unprovenReason = implementationStatus === 'implemented' ? facts.proof.lacking : null
    return { unproven: unprovenReason !== null, unprovenReason }
  },
  refuse: (before, after, given) => {
    const degraded =
      before?.implementationStatus === 'implemented' && after.implementationStatus === 'in_progress'
    if (degraded && !(given.has('statusReason') && after.statusReason))
      return { path: 'statusReason', message: 'say what has changed since it was implemented' }
    return null
  },
}
