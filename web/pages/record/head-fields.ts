import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { deadlineOf, ownerOf } from '../../../model/roles.ts'
import { givenBy, stagesOf } from '../../client/ratings.ts'

/** What stands beneath the title: how grave it is, unless a band of ratings says so, its state, owner and date. */
export function standingFields(kind: DescribedKind, record: Values): readonly string[] {
  const level = kind.ratings ? undefined : kind.level
  return [level, ...kind.states.map(({ field }) => field), ownerOf(kind), dateOf(kind, record)].filter(
    (name): name is string => name !== undefined && name in kind.fields,
  )
}

/**
 * The first of its dates that counts in the state in which it is; where none does, the first of the kind, but for that of
 * somebody whom it does not name: nobody is asked for anything by then.
 */
function dateOf(kind: DescribedKind, record: Values): string | undefined {
  const counting = Object.values(kind.deadlines).find(
    (deadline) => deadline.while?.includes(String(record[kind.states[0]?.field ?? ''])) ?? false,
  )
  const other = Object.values(kind.deadlines).find(({ whose }) => whose === undefined || record[whose])
  return (counting ?? other)?.field ?? deadlineOf(kind)
}

/** All fields that stand in the head. */
export const headFields = (kind: DescribedKind, record: Values): readonly string[] => [
  kind.named,
  ...standingFields(kind, record),
  ...stagesOf(kind).flatMap((stage) => givenBy(stage).map(({ name }) => name)),
]
