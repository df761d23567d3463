import { useMemo } from 'react'
import { useSignedIn } from '../../../client/session.ts'
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

/** Entries with the names of those who were removed: no list of people has them, and they are looked for most. */
const REMOVALS = { action: ['user.remove' as const], outcome: ['success' as const], limit: MOST }

/**
 * Who may have done something here, in groups: people, removed people, keys, apps, and the service itself. Auditors have
 * no right to list keys and apps: they find the entries of one through an entry that names it.
 */
export function useActors(): readonly { group: string; actors: readonly Actor[] }[] {
  const { data: users } = useAnswer('listUsers', { limit: MOST })
  const { data: removals } = useAnswer('listAuditLog', REMOVALS)
  const enabled = useSignedIn().capabilities.includes('settings.manage')
  const { data: keys } = useAnswer('listApiKeys', { limit: MOST }, { enabled })
  const { data: apps } = useAnswer('listConnectedApps', { limit: MOST }, { enabled })
  return useMemo(() => {
    const { people, removed: gone, keys: ofKeys, apps: ofApps, service, parts } = auditLog.filters.actors
    const living = new Set(users?.data.map(({ id }) => id))
    const removed = new Map(removals?.data.map(({ subject }) => [subject.id, subject.title ?? subject.id]))
    const persons = (all: Iterable<readonly [id: string, name: string]>) =>
      Array.from(all, ([id, name]) => ({ filter: 'actingUserId' as const, id, name }))
    const programs = (all: readonly { id: string; name: string }[] = []) =>
      all.map(({ id, name }) => ({ filter: 'actorId' as const, id, name }))
    return [
      { group: people, actors: persons(users?.data.map(({ id, name }) => [id, name]) ?? []) },
      { group: gone, actors: persons([...removed].filter(([id]) => !living.has(id))) },
      ...(enabled
        ? [
            { group: ofKeys, actors: programs(keys?.data) },
            { group: ofApps, actors: programs(apps?.data) },
          ]
        : []),
      { group: service, actors: programs(Object.entries(parts).map(([id, name]) => ({ id, name }))) },
    ]
  }, [users, removals, keys, apps, enabled])
}
