import type { KindRules } from '../kind-rules.ts'

export const rules: Partial<KindRules> = {
  refuse: (before, after, given) => {
    const degraded =
      before?.implementationStatus === 'implemented' && after.implementationStatus === 'in_progress'
    if (degraded && !(given.has('statusReason') && after.statusReason))
      return { path: 'statusReason', message: 'say what has changed since it was implemented' }
    return null
  },
}
