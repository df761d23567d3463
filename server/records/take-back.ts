import type { Values } from '../../model/complaint.ts'
import type { Facts } from '../../model/fact.ts'
import type { Kind } from '../../model/kind.ts'
import { isByAction } from '../../model/states.ts'
import { isPerson } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { IfMatch } from '../database/locked-row.ts'
import type { TransactionContext } from '../operation.ts'

const AT_MOST = '1 hour'

/**
 * Whether a change takes back a step of the same person's. Asked only where it would be refused otherwise, so that no
 * other change waits for it.
 */
export async function isUndo(
  context: TransactionContext,
  kind: Kind,
  before: Values,
  after: Values,
  given: ReadonlySet<string>,
  ifMatch: IfMatch | undefined,
  facts: Facts,
): Promise<boolean> {
  const left = kind.states.filter(({ field }) => before[field] !== after[field])
  if (left.length === 0) return false
  const isRefused =
    kind.refuse(before, after, given, undefined, facts) !== null ||
    left.some(({ field, leavingNeeds = {} }) => String(before[field]) in leavingNeeds)
  return isRefused && (await takesBack(context, kind, before, after, ifMatch))
}

/** The states that a change leaves as they are: nobody chooses them by it. */
export const unmovedStates = ({ states }: Kind, before: Values, after: Values): ReadonlySet<string> =>
  new Set(states.flatMap(({ field }) => (before[field] === after[field] ? [field] : [])))

/** A record as if it had been in the states that a change leads to. */
export const inStatesOf = ({ states }: Kind, record: Values, { ...moved }: Values): Values => ({
  ...record,
  ...Object.fromEntries(states.map(({ field }) => [field, moved[field]])),
})

/**
 * Whether a change leads a record back to the state in which the same person found it when they changed it last:
 * an undo. It may go where no other step leads, since nothing is decided anew by it.
 *
 * It is one only for a person, who says by the version that they know of no change since theirs, and soon after it.
 */
async function takesBack(
  { tx, caller }: TransactionContext,
  kind: Kind,
  before: Values,
  after: Values,
  ifMatch: IfMatch | undefined,
): Promise<boolean> {
  if (ifMatch === undefined || !isPerson(caller)) return false
  const { organizationId } = tx
  const moved = kind.states.filter(({ field }) => before[field] !== after[field])
  // What an act of its own led to has more behind it than a state, which an edit would leave standing, or not bring back.
  const states = [before, after].flatMap((one) =>
    moved.map((machine) => [machine, String(one[machine.field])] as const),
  )
  if (states.some(([machine, state]) => isByAction(machine, state))) return false
  const found = await Promise.all(
    moved.map(({ field }) =>
      tx.read(
        find(
          organizationId,
          before.id,
          `${kind.name}.update`,
          before.updatedAt,
          caller.userId,
          field,
          after[field],
        ),
      ),
    ),
  )
  return found.every((rows) => rows.length > 0)
}

const find = statement(`
  select from audit_entries a
   where a.organization_id = $1 and a.subject_id = $2 and a.action = $3 and a.time = $4::timestamptz
     and a.time > clock_now() - interval '${AT_MOST}'
     and a.outcome = 'success' and a.actor->>'actingUserId' = $5 and a.changes->$6->>'from' = $7`)
