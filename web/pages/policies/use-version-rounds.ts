import { useQuery } from '@tanstack/react-query'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, archivedWith, recordQuery } from '../../client/records.ts'
import type { Version } from './version.ts'

/** A version with its corrections: people are asked once about all of them. */
export interface VersionRound {
  /** The latest first. */
  readonly ids: readonly string[]
  readonly labels: readonly string[]
  readonly isInForce: boolean
}

/** The rounds in which people were asked about a policy, the latest first. */
export function useVersionRounds(policy: AnyRecord): readonly VersionRound[] {
  const { data } = useQuery(
    recordQuery(kindIndex.policy_version, 'list', {
      policyId: [policy.id],
      status: ['published', 'superseded'],
      ...archivedWith(policy),
      limit: 200,
    }),
  )
  const versions = ((data?.data ?? []) as readonly AnyRecord[] as readonly Version[]).toSorted(
    (one, other) => other.major - one.major || other.minor - one.minor,
  )
  return [...Map.groupBy(versions, ({ major }) => major).values()].map((all) => ({
    ids: all.map(({ id }) => id),
    labels: all.map(({ label }) => label),
    isInForce: all.some(({ id }) => id === policy.currentVersionId),
  }))
}
