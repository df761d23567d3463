import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { parseInput } from '../input.ts'
import type { TransactionContext } from '../operation.ts'
import { submitEvidence } from '../records/submit-evidence.ts'
import { asGiven } from './as-given.ts'

/*
 * A state that an operation alone leads to is none that an edit gives. Where its kind says so (`inBulk`), a selection is
 * led there all the same: each record by the operation, with its rules and all that it writes. Such an operation judges
 * before it writes anything, so that one record which is refused has changed nothing.
 */

const OPERATIONS = [submitEvidence]

type Operation = (typeof OPERATIONS)[number]

interface Leading {
  readonly operation: Operation
  /** The state that it leads to, which it is not told. */
  readonly field: string
}

/** What leads a record to what it is given; null where an edit does. */
export function leadingTo(kind: Kind, before: Values, given: Values): Leading | null {
  for (const { field, byAction = {}, inBulk = [] } of kind.states) {
    const state = given[field]
    if (typeof state !== 'string' || state === before[field] || !inBulk.includes(state)) continue
    const operation = OPERATIONS.find(({ name }) => byAction[state]!.includes(name))
    if (operation) return { operation, field }
  }
  return null
}

/** @returns the record as it is then */
export async function leadThere(
  context: TransactionContext,
  { operation, field }: Leading,
  { id, version }: { readonly id: string; readonly version: number },
  { [field]: _state, ...given }: Values,
): Promise<Values> {
  const { needs, on } = operation
  refuseUnlessAllowed(needs, context.caller, {})
  const said = Object.entries(given).map(([name, value]) => [name, asGiven(value)])
  const input = parseInput(operation, { id, ifMatch: version, ...Object.fromEntries(said) })
  const { kind, when = {}, who } = on!
  return operation.run({ ...context, actsOn: { kind, id, when, who } }, input as never)
}
