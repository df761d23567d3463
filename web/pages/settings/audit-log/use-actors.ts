import { useMemo } from 'react'
import { useAnswer } from '../../../client/use-answer.ts'
import { auditLog } from '../../../copy/audit-log.ts'

/** As many as one page of a list has: who is not among them is found by an entry of theirs. */
const MOST = 200

export interface Actor {
  /** Which filter asks for them: a person is meant whatever they acted through. */
  readonly filter: 'actingUserId' | 'actorId'
  readonly id: string
  readonly name: string
}

/** Who may have done something here, in groups: people, keys, apps, and the service itself. */
export function useActors(): readonly { group: string; actors: readonly Actor[] }[] {
  const { data: users } = useAnswer('listUsers', { limit: MOST })
  const { data: keys } = useAnswer('listApiKeys', { limit: MOST })
  const { data: apps } = useAnswer('listConnectedApps', { limit: MOST })
  return useMemo(() => {
    const { people, keys: ofKeys, apps: ofApps, service, parts } = auditLog.filters.actors
    const programs = (all: readonly { id: string; name: string }[] = []) =>
      all.map(({ id, name }) => ({ filter: 'actorId' as const, id, name }))
    return [
      {
        group: people,
        actors: (users?.data ?? []).map(({ id, name }) => ({ filter: 'actingUserId' as const, id, name })),
      },
      { group: ofKeys, actors: programs(keys?.data) },
      { group: ofApps, actors: programs(apps?.data) },
      { group: service, actors: programs(Object.entries(parts).map(([id, name]) => ({ id, name }))) },
    ]
  }, [users, keys, apps])
}
