import type { Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

interface Phase {
  readonly key: string
  readonly startDate?: string | null
  readonly endDate?: string | null
  readonly status?: string | null
}

export const rules: Partial<KindRules> = {
  derive: ({ phases }) => {
    const ends = ((phases ?? []) as readonly Phase[]).flatMap(({ endDate, status }) =>
      endDate && status !== 'done' ? [endDate] : [],
    )
    return { nextPhaseEnd: ends.sort()[0] ?? null }
  },
  refuse: (before, after: Values, _given, _decided, facts) => {
    const writer = facts?.writer as { readonly person: string | null } | undefined
    // A program suggests; that something is begun is a person's word.
    if (before === null && writer?.person === null && after.status !== 'draft')
      return { path: 'status', message: 'is for a person to say: leave it out, and the plan is a draft' }
    const phases = (after.phases ?? []) as readonly Phase[]
    for (const [at, { key, startDate, endDate }] of phases.entries()) {
      if (phases.findIndex((other) => other.key === key) !== at)
        return { path: `phases.${at}.key`, message: `is that of another phase: give each a key of its own` }
      if (startDate && endDate && endDate < startDate)
        return { path: `phases.${at}.endDate`, message: `is before its start: give ${startDate} or later` }
    }
    return null
  },
}
