import type { Values } from '../../model/complaint.ts'
import { kindOfPrefix } from '../../model/family.ts'
import { targetOf } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { invalid } from '../refusal.ts'
import { wayBack } from './archived.ts'
import { readTogether } from './read-together.ts'
import { referenceIn } from './reference.ts'

/*
 * A field is pointed at nothing that is archived, as no link leads there. What it points at already it keeps when that is
 * archived; so it is no matter that the two may happen at once, and nothing is locked. What an operation decides is
 * not judged: a merge and the task that comes again carry on what stood there.
 */

/** A record that is archived, among those asked for. */
export interface ArchivedTarget {
  readonly id: string
  readonly reference: string
  readonly archivedAt: string
}

/** Those of a kind among them that are archived, by their ids. */
export async function archivedAmong(
  tx: Transaction,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ArchivedTarget>> {
  const rows = await Promise.all(ids.map((id) => readTogether<ArchivedTarget>(tx, findArchived(kind), id)))
  return new Map(rows.flatMap((row) => (row ? [[row.id, row]] : [])))
}

/**
 * @param given the fields that a caller gives another value, with that
 * @throws {Refusal} `validation_failed`, with each field that would point at what is archived
 */
export async function refuseArchivedTargets(tx: Transaction, kind: Kind, given: Values): Promise<void> {
  const pointing = targetsOf(kind).flatMap(([path, target]) => {
    const id = given[path]
    return typeof id === 'string' ? [{ path, id, target }] : []
  })
  if (pointing.length === 0) return
  const archived = await Promise.all(
    pointing.map(async ({ path, id, target }) => {
      const found = (await archivedAmong(tx, target, [id])).get(id)
      const way = wayBack(target)
      return found && { path, message: `is ${found.reference}, which is archived: name another, or ${way}` }
    }),
  )
  const faults = archived.filter((fault) => fault !== undefined)
  if (faults.length > 0) throw invalid(...faults)
}

/** The fields that point at a record. The parent is judged where it is held, and stays as it is. */
const targetsOf = once((kind: Kind) =>
  Object.entries(kind.fields).flatMap(([name, field]) => {
    const target = name === kind.under?.field ? undefined : kindOfPrefix(targetOf(field))
    return target ? [[name, target] as const] : []
  }),
)

const findArchived = statementOf(
  (
    kind: Kind,
  ) => `select id, ${referenceIn(kind)} as reference, archived_at as "archivedAt" from ${kind.table}
    where organization_id = $1 and id = any($2::text[]) and archived_at is not null`,
)
