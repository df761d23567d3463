import type { KindRules } from '../kind-rules.ts'

/** Of what does not count as implemented, proof says nothing. */
const NONE = { lacking: null, until: null }

export const rules: Partial<KindRules> = {
  derive: ({ implementationStatus }, facts) => {
    if (!facts?.proof) return {}
    const { lacking, until } = implementationStatus === 'implemented' ? facts.proof : NONE
    return { unproven: lacking !== null, unprovenReason: lacking, provenUntil: until }
  },
  refuse: (before, after, given) => {
    const degraded =
      before?.implementationStatus === 'implemented' && after.implementationStatus === 'in_progress'
    if (degraded && !(given.has('statusReason') && after.statusReason))
      return { path: 'statusReason', message: 'say what has changed since it was implemented' }
    return null
  },
}
