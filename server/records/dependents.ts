import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import { type Child, childKinds } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { holdingSides, type Side, sidesOf } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { isClearable, type Pointer, pointersTo } from './pointers.ts'

/*
 * What depends on a record, counted in one statement: whoever is about to delete it sees what goes with it and what
 * stands in the way, before they are refused. It is what the kinds say of their fields and links that decides, as it is
 * for the deletion itself (removal.ts).
 */

const ON_DELETION = ['deleted', 'kept', 'unlinked', 'refused_unless_unlinked', 'refused'] as const

export const dependentCounts = z
  .object({
    data: z.array(
      z.object({
        type: z.string().describe('Their kind'),
        as: z.string().describe('The field that names it, or what links call them'),
        count: z.int(),
        onDeletion: z
          .enum(ON_DELETION)
          .describe('What becomes of them, or that they keep it; some unless force is unlink'),
      }),
    ),
  })
  .meta({ id: 'Dependents', title: 'What depends on a record, by kind' })

type Counts = z.infer<typeof dependentCounts>
type OnDeletion = (typeof ON_DELETION)[number]

/**
 * Counts what depends on a record; what nothing does so by is left out.
 * @throws {Refusal} `not_found`
 */
export async function countDependents({ tx }: TransactionContext, kind: Kind, id: string): Promise<Counts> {
  const { ways, count } = countingOf(kind)
  const rows = await tx.read<{ way: number; count: number }>(count(tx.organizationId, id))
  // The record itself is counted as the first of them.
  if (!rows.some(({ way, count }) => way === ITSELF && count > 0)) throw notFound()
  return {
    data: rows.flatMap(({ way, count }) => (way > ITSELF && count > 0 ? [{ ...ways[way]!, count }] : [])),
  }
}

interface Way {
  readonly type: string
  readonly as: string
  readonly onDeletion: OnDeletion
}

interface Counting {
  readonly ways: readonly (Way | null)[]
  readonly count: ReturnType<typeof statement>
}

const ITSELF = 0
const countingOf = once(makeCounting)

function makeCounting(kind: Kind): Counting {
  const parts = [
    { way: null, from: kind.table, column: 'id' },
    ...childKinds(kind).map(ofChild),
    ...pointersTo(kind)
      .filter(({ kind: one, field }) => field !== one.under?.field)
      .map(ofPointer),
    ...sidesOf(kind).map(ofSide),
  ]
  const counts = parts.map(
    ({ from, column }, way) =>
      `select ${way} as way, count(*)::int as count from ${from} where organization_id = $1 and ${column} = $2`,
  )
  return { ways: parts.map(({ way }) => way), count: statement(`${counts.join(' union all ')} order by way`) }
}

interface Part {
  readonly way: Way | null
  readonly from: string
  readonly column: string
}

const WITH_PARENT = { delete: 'deleted', keep: 'kept', refuse: 'refused' } as const

const ofChild = ({ name, table, under }: Child): Part => ({
  way: { type: name, as: under.field, onDeletion: WITH_PARENT[under.withParent] },
  from: table,
  column: columnOf(under.field),
})

const ofPointer = (pointer: Pointer): Part => ({
  way: {
    type: pointer.kind.name,
    as: pointer.field,
    onDeletion: isClearable(pointer) ? 'refused_unless_unlinked' : 'refused',
  },
  from: pointer.kind.table,
  column: pointer.column,
})

const ofSide = (side: Side): Part => ({
  way: {
    type: side.other.name,
    as: side.word,
    onDeletion: side.relation.holds && !side.writes ? 'refused_unless_unlinked' : 'unlinked',
  },
  from: side.relation.table,
  column: linkColumns(side).here,
})

/** Whether anything keeps records of the kind from being deleted unless the call says to unlink it. */
export const hasUnlinkable = (kind: Kind): boolean =>
  holdingSides(kind).length > 0 || pointersTo(kind).some(isClearable)
