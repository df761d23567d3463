import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { prepared } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { takeTurn } from '../database/turns.ts'
import { invalid } from '../refusal.ts'
import { pointersLetIn } from './let-in.ts'

/**
 * Asserts that what a record points at never leads back to it: its manager's manager's manager is somebody else.
 *
 * Two changes that together make a circle are each right by themselves. So those of one field take turns, to the
 * end of their transactions, and each looks once it is its turn; and those of one transaction reckon with what it has
 * let in before. What is new cannot close a circle: nothing points at it yet.
 *
 * @param changed the fields that move, with what they will hold
 * @throws {Refusal} `validation_failed`, with the field named
 */
export async function refuseCircles(tx: Transaction, kind: Kind, id: string, changed: Values): Promise<void> {
  for (const field of kind.acyclic) {
    if (!(field in changed)) continue
    const target = changed[field] as string | null
    const letIn = pointersLetIn(tx, kind.name, field)
    const others = [[...letIn.keys()], [...letIn.values()]]
    letIn.set(id, target)
    if (target === null) continue
    const climb = climbing(kind, columnOf(field))
    const [, rows] = await Promise.all([
      tx.read(takeTurn(`${tx.organizationId} ${kind.name} ${field}`)),
      tx.read<{ steps: number }>(climb(tx.organizationId, target, id, ...others)),
    ])
    if (!rows[0]) continue
    letIn.delete(id)
    throw invalid({ path: field, message: circleOf(rows[0].steps) })
  }
}

/** After how many steps what a field holds leads from one record to another; null where it does not. */
export async function stepsBetween(
  tx: Transaction,
  kind: Kind,
  field: string,
  from: string,
  to: string,
): Promise<number | null> {
  const climb = climbing(kind, columnOf(field))
  const [row] = await tx.read<{ steps: number }>(climb(tx.organizationId, from, to, [], []))
  return row?.steps ?? null
}

const circleOf = (steps: number): string =>
  steps === 0
    ? 'points at the record itself: choose another'
    : `leads back to this record after ${steps} ${steps === 1 ? 'step' : 'steps'}: choose another, or change one on the way first`

/** $4 and $5: records that will point elsewhere than they do, and where. */
const climbing = ({ table }: Kind, column: string) =>
  prepared(`
    with recursive moved (id, target) as (
      select * from unnest($4::text[], $5::text[])
    ), up (id, steps) as (
      select $2::text collate "C", 0
      union all
      select (case when m.id is null then r.${column} else m.target end) collate "C", up.steps + 1 from up
        left join moved m on m.id = up.id
        left join ${table} r on r.organization_id = $1 and r.id = up.id
       where up.id <> $3 and case when m.id is null then r.${column} else m.target end is not null
    ) cycle id set is_round using path
    select steps from up where id = $3 limit 1`)
