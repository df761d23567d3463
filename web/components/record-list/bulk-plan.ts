import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { ownerOf } from '../../../model/roles.ts'
import type { StateMachine } from '../../../model/states.ts'
import type { AnyRecord, Principal } from '../../client/records.ts'
import { nextStates } from '../../client/states.ts'
import { records, valueWord } from '../../copy/records.ts'

const words = records.bulk

/** What a change of many records would do, before anything is sent. */
export interface Plan {
  readonly change: Values
  readonly able: readonly AnyRecord[]
  /** In words: which of the others stay as they are, and why. */
  readonly left: readonly string[]
  /** Whether some of those cannot be changed, rather than being so already. */
  readonly isPartial: boolean
}

/** @param capabilities of the person */
export function planState(
  machine: StateMachine,
  selected: readonly AnyRecord[],
  state: string,
  capabilities: readonly string[],
): Plan {
  const { field, next } = machine
  const able = selected.filter((record) => nextStates(machine, record, capabilities).includes(state))
  const already = selected.filter((record) => record[field] === state)
  const unable = selected.filter((record) => !able.includes(record) && !already.includes(record))
  const byState = Map.groupBy(unable, (record) => String(record[field]))
  return {
    change: { [field]: state },
    able,
    isPartial: unable.length > 0,
    left: [
      ...[...byState].map(([from, { length }]) =>
        next[from]?.includes(state)
          ? words.forAdmins(length, valueWord(from))
          : words.unable(length, valueWord(from), next[from]?.map(valueWord) ?? []),
      ),
      ...(already.length > 0 ? [words.already(already.length, valueWord(state))] : []),
    ],
  }
}

export function planOwner(
  kind: DescribedKind,
  selected: readonly AnyRecord[],
  owner: Principal | null,
): Plan {
  const field = ownerOf(kind)!
  const able = selected.filter(
    (record) => ((record[field] as Principal | null)?.refId ?? null) !== (owner?.refId ?? null),
  )
  const already = selected.length - able.length
  const left = already > 0 ? [words.already(already, owner?.displayName ?? records.owner.nobody)] : []
  return { change: { [field]: owner }, able, isPartial: false, left }
}
