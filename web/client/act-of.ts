import { spelled } from '../../model/described-field.ts'
import type { KindEntry } from '../../model/described-kind.ts'
import type { StateMachine } from '../../model/states.ts'
import type { Changes } from './journal.ts'

export interface Act {
  /** What was done, in the words of its operation. */
  readonly verb: string
  /** The field whose state it set, and that state. */
  readonly field: string
  readonly state: string
}

/**
 * The operation that a change of a record came from. The journal tells each as an edit; but where one operation alone
 * leads to the state that the record came to, it was that one.
 */
export function actOf(
  kind: Pick<KindEntry, 'name'> & { readonly states: readonly StateMachine[] },
  changes: Changes,
): Act | null {
  for (const { field, byAction = {} } of kind.states) {
    const state = String(changes[field]?.to)
    const [operation, ...others] = byAction[state] ?? []
    if (operation && others.length === 0) return { verb: verbOf(operation, kind), field, state }
  }
  return null
}

/** `approveVendor` as "Approve". */
function verbOf(operation: string, { name }: Pick<KindEntry, 'name'>): string {
  const kind = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return spelled(operation.replace(kind, ''))
}
