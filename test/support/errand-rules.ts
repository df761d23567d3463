import type { KindRules } from '../../model/kind-rules.ts'

export const rules: Partial<KindRules> = {
  derive: ({ fare }, facts) => ({
    zone: facts?.home?.zone ?? null,
    budget: (facts?.others?.fares ?? 0) + Number(fare ?? 0),
  }),
  refuse: (before, after, _given, _decided, facts) =>
    after.run === 'running' && before?.run !== 'running' && facts?.above?.phase === 'over'
      ? { path: 'run', message: 'the undertaking is over: begin none of its errands' }
      : null,
}
