import type { DescribedKind } from '../../../../model/described-kind.ts'
import type { AnyRecord } from '../../../client/records.ts'
import type { Filter, View } from '../view.ts'

/** What a filter is drawn from. */
export interface FilterProps {
  kind: DescribedKind
  filter: Filter
  view: View
  rows: readonly AnyRecord[]
  isNew: boolean
  /** @param name of the end of a filter that has two */
  set: (values: readonly string[], name?: string) => void
  remove: () => void
  closed: () => void
}
