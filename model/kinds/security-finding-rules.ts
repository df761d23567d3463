import type { Values } from '../complaint.ts'
import { dayOfSla, type FindingSla } from '../finding-sla.ts'
import type { KindRules } from '../kind-rules.ts'

/** The states in which nothing is left to do. */
export const ENDED: readonly string[] = ['resolved', 'risk_accepted', 'false_positive', 'duplicate']

export const rules: Partial<KindRules> = {
  derive: (given, facts, write) => {
    if (!facts || !write) return {}
    const { before, time } = write
    const isRegression = before?.status === 'resolved' && given.status === 'open'
    // It was found anew, unless somebody says when.
    const isFoundNow = isRegression && given.detectedAt === before.detectedAt
    const values: Values = {
      ...given,
      detectedAt: isFoundNow ? time : (given.detectedAt ?? before?.createdAt ?? time),
    }
    return {
      detectedAt: values.detectedAt,
      acceptanceEnded: values.status === 'risk_accepted' ? !facts.linkedRisk.isAccepted : null,
      regressed: isRegression || (before?.regressionOf ?? null) !== null,
      ...due(values, before, facts.sla),
      resolvedAt: values.status === 'resolved' ? (values.resolvedAt ?? time) : null,
      ...(isRegression ? reopened(values, before) : {}),
    }
  },
  refuse: (before, after, _given, _decided, facts) => {
    if (facts?.sla && after.detectedAt !== before?.detectedAt && isYetToCome(after.detectedAt, facts.sla.now))
      return { path: 'detectedAt', message: 'is yet to come: give when it was found, or leave it out' }
    if (after.status !== 'risk_accepted' || facts?.linkedRisk?.isAccepted) return null
    const stays = before?.status === after.status && before?.linkedRiskId === after.linkedRiskId
    return stays
      ? null
      : { path: 'linkedRiskId', message: 'is not accepted: have an acceptance of the risk approved first' }
  },
}

/** Days alone and clocks that are fast are no time that is yet to come: a day is left for these. */
const isYetToCome = (time: unknown, now: string): boolean =>
  Date.parse(String(time)) > Date.parse(now) + 24 * 3_600_000

/**
 * By when it is to be resolved. A date that somebody set stays until it is cleared. One that follows from the setting
 * moves with severity, detection and the setting itself, but for what has ended: that it was in time, or late, stays true.
 */
function due(values: Values, before: Values | null, sla: FindingSla): Values {
  const isSet = values.dueDate !== (before?.dueDate ?? null)
  if (isSet ? values.dueDate !== null : before?.dueDateSource === 'manual') return { dueDateSource: 'manual' }
  const hasEnded = ENDED.includes(String(values.status))
  const isAsBefore = ['severity', 'detectedAt', 'dueDateSource'].every(
    (field) => values[field] === before?.[field],
  )
  return hasEnded && isAsBefore && !isSet
    ? {}
    : { dueDate: dayOfSla(sla, values.severity, String(values.detectedAt)), dueDateSource: 'sla' }
}

/** What opening it again undoes is kept; how it was mended is said anew when it is. */
function reopened({ resolution }: Values, before: Values): Values {
  const { resolvedAt, resolution: told } = before
  return {
    regressionOf: { resolvedAt, ...(told ? { resolution: told } : {}) },
    resolution: resolution === told ? null : resolution,
  }
}
