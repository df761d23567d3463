import { type RawBuilder, sql } from 'kysely'
import { awaitedStates } from '../../model/deadlines.ts'
import type { Kind, Waiting } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Caller } from '../caller/caller.ts'
import { isAskedOf } from '../records/list-waiting.ts'

/** A date by which others wait for whoever is to see to it, and the states of its record in which they do. */
interface Awaited {
  readonly kind: Kind
  readonly waiting: Waiting
  readonly deadline: string
  readonly states: readonly string[]
}

const AWAITED = everyKind.flatMap((kind) =>
  kind.waits.flatMap((waiting) =>
    Object.entries(kind.deadlines).flatMap(([deadline, one]): Awaited[] => {
      const states = awaitedStates(kind, one, waiting)
      return states.length > 0 ? [{ kind, waiting, deadline, states }] : []
    }),
  ),
)

/** Whether a row `d` of the deadlines is none of what `listWaiting` tells its owner, who calls, that it waits for them. */
export function isNotAwaited(caller: Caller): RawBuilder<boolean> {
  const awaited = AWAITED.filter(({ kind, waiting }) => isAskedOf(caller, kind, waiting))
  return sql`not (${sql.join([sql`false`, ...awaited.map(isAwaited)], sql` or `)})`
}

const isAwaited = ({ kind, deadline, states }: Awaited) => sql`
  (d.kind = ${sql.lit(kind.name)} and d.name = ${sql.lit(deadline)} and exists (
    select from known_records w where w.organization_id = d.organization_id and w.id = d.record_id
       and w.state in (${sql.join(states.map((state) => sql.lit(state)))})))`
