import { type InStates, isByAction, type StateMachine } from '../../../model/states.ts'

export interface StateRow {
  readonly id: string
  /** The states that may follow, each with the buttons that lead there; none, where it is chosen. */
  readonly next: readonly { readonly state: string; readonly by: readonly string[] }[]
  /** The buttons that alone lead to it; null of one that can be chosen. */
  readonly only: readonly string[] | null
}

/** An operation on the records of a kind, as far as it is told here. */
interface OnRecords {
  readonly name: string
  readonly button: string
  readonly when: InStates
}

/** The states of a machine in their order, but for those that nothing leads to yet. */
export function stateRows(machine: StateMachine, operations: readonly OnRecords[]): StateRow[] {
  const { field, next, byAction = {} } = machine
  const leadingTo = (state: string) => operations.filter(({ name }) => byAction[state]?.includes(name))
  const acts = (from: string) =>
    Object.keys(byAction).flatMap((state) => {
      const by = leadingTo(state).filter(({ when }) => when[field]?.includes(from) ?? state !== from)
      return by.length > 0 ? [{ state, by: by.map(({ button }) => button) }] : []
    })
  return Object.keys(next)
    .filter((state) => byAction[state]?.length !== 0)
    .map((id) => ({
      id,
      next: [...acts(id), ...next[id]!.map((state) => ({ state, by: [] }))],
      only: isByAction(machine, id) ? leadingTo(id).map(({ button }) => button) : null,
    }))
}
