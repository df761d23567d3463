import type { DescribedKind } from '../../../model/described-kind.ts'
import { deadlineOf, ownerOf } from '../../../model/roles.ts'
import { givenBy, stagesOf } from '../../client/ratings.ts'

/** What stands beneath the title: how grave it is, unless a band of ratings says so, its state, owner and date. */
export function standingFields(kind: DescribedKind): readonly string[] {
  const level = kind.ratings ? undefined : kind.level
  return [level, ...kind.states.map(({ field }) => field), ownerOf(kind), deadlineOf(kind)].filter(
    (name): name is string => name !== undefined && name in kind.fields,
  )
}

/** All fields that stand in the head. */
export const headFields = (kind: DescribedKind): readonly string[] => [
  kind.named,
  ...standingFields(kind),
  ...stagesOf(kind).flatMap((stage) => givenBy(stage).map(({ name }) => name)),
]
