import { z } from 'zod'
import { callsOf } from '../../model/calls.ts'
import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { childKinds, isChild, parentKind, pathsOf } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import type { Needs } from '../../model/needs.ts'
import { archivingMachine, withArticle } from '../../model/roles.ts'
import { statementOf } from '../database/connect.ts'
import type { IfMatch } from '../database/locked-row.ts'
import { type AnyOperation, operation, type TransactionContext } from '../operation.ts'
import { changeRecords, lockRecords, writeMoves } from './change-many.ts'
import { changeRecord } from './change-record.ts'
import { holdThere } from './children.ts'
import { readableBy } from './readable.ts'
import { changeOf } from './record-events.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { sharedTools } from './shared-tools.ts'
import { getRecord, lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

/*
 * A record that is done with and is kept all the same is archived. It is left out of lists and counts, its deadlines end,
 * and it takes no change (archived.ts) until it is brought back. What would be deleted with it goes into the archive with
 * it, at the same instant, and comes back with it; what was archived before by itself stays there.
 *
 * The record is locked first, and what is under it then in the order of its ids, as whoever deletes does; nobody adds a
 * record under it meanwhile.
 */

/** Both operations of a kind, for whoever may delete its records. */
export const archiveOperationsOf = (kind: Kind, needs: Needs): AnyOperation[] => [
  archive(kind, needs),
  unarchive(kind, needs),
]

function archive(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).archive,
    sharedTool: { ...sharedTools.archive, kind },
    method: 'POST',
    path: `${pathsOf(kind).one}/archive`,
    needs,
    writes: true,
    title: `Archive ${withArticle(kind.noun)}`,
    description: sharedTools.archive.description,
    input: z.strictObject({ id: ID, ifMatch: IF_MATCH }),
    output: recordSchema(kind),
    headers: IF_MATCH_HEADER,
    annotations: { idempotent: true },
    run: async (context, { id, ifMatch }) =>
      readableBy(context.caller, kind, await archiveRecord(context, kind, id, ifMatch)) as never,
  })
}

function unarchive(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).unarchive,
    sharedTool: { ...sharedTools.unarchive, kind },
    method: 'POST',
    path: `${pathsOf(kind).one}/unarchive`,
    needs,
    writes: true,
    title: `Unarchive ${withArticle(kind.noun)}`,
    description: sharedTools.unarchive.description,
    input: z.strictObject({ id: ID, ifMatch: IF_MATCH }),
    output: recordSchema(kind),
    headers: IF_MATCH_HEADER,
    refusals: isChild(kind) ? ['conflict'] : [],
    annotations: { idempotent: true },
    run: async (context, { id, ifMatch }) =>
      readableBy(context.caller, kind, await unarchiveRecord(context, kind, id, ifMatch)) as never,
  })
}

/** @returns the record, as it is by then; one that is archived already stays as it is. @throws as `lockRecord` does */
async function archiveRecord(
  context: TransactionContext,
  kind: Kind,
  id: string,
  ifMatch?: IfMatch,
): Promise<Values> {
  const { before, time } = await lockRecord(context, tableOf(kind), id, ifMatch)
  if (before.archivedAt) return before
  await archiveUnder(context, kind, [id], time, `The ${kind.noun.one} was archived`)
  const machine = archivingMachine(kind)
  return changeRecord(context, kind, id, {
    set: { archivedAt: time, ...(machine && { [machine.field]: machine.archived.state }) },
    verb: 'archive',
  })
}

/**
 * @returns the record, as it is by then; one that is not archived stays as it is
 * @throws {Refusal} `not_found`, `version_mismatch`, `conflict` where it is under a record that is archived
 */
async function unarchiveRecord(
  context: TransactionContext,
  kind: Kind,
  id: string,
  ifMatch?: IfMatch,
): Promise<Values> {
  // Its parent before it, as whoever archives that has them.
  if (isChild(kind)) {
    const { [kind.under.field]: parent } = await getRecord(context, kind, id)
    if (parent) await holdThere(context.tx, parentKind(kind), parent as string)
  }
  const { before } = await lockRecord(context, tableOf(kind), id, ifMatch)
  if (!before.archivedAt) return before
  await unarchiveUnder(context, kind, [id], before.archivedAt, `The ${kind.noun.one} was unarchived`)
  const machine = archivingMachine(kind)
  return changeRecord(context, kind, id, {
    set: { archivedAt: null, ...(machine && { [machine.field]: machine.archived.back }) },
    verb: 'unarchive',
  })
}

/** Nothing else of them moves, so their rules are not asked. */
async function archiveUnder(
  context: TransactionContext,
  kind: Kind,
  parents: readonly string[],
  archivedAt: string,
  reason: string,
): Promise<void> {
  for (const { child, ids } of await lockUnder(context, kind, parents, null)) {
    await archiveUnder(context, child, ids, archivedAt, reason)
    const told = { reason, verb: 'archive' } as const
    const moves = (await lockRecords(context, child, ids)).flatMap(({ before, time }) => {
      const move = changeOf(child, context.caller, before, { ...before, archivedAt }, time, told)
      return move ? [{ before, ...move }] : []
    })
    await writeMoves(context, child, moves)
  }
}

/** Whatever else follows from their values is worked out anew: it was left as it stood. */
async function unarchiveUnder(
  context: TransactionContext,
  kind: Kind,
  parents: readonly string[],
  archivedAt: unknown,
  reason: string,
): Promise<void> {
  for (const { child, ids } of await lockUnder(context, kind, parents, archivedAt)) {
    await unarchiveUnder(context, child, ids, archivedAt, reason)
    await changeRecords(context, child, ids, { archivedAt: null }, { reason, verb: 'unarchive' })
  }
}

/** Locks, of what would be deleted with records, what was archived at an instant, or is not archived. */
async function lockUnder(
  { tx }: TransactionContext,
  kind: Kind,
  parents: readonly string[],
  archivedAt: unknown,
) {
  const found = []
  for (const child of childKinds(kind).filter(({ under }) => under.withParent === 'delete')) {
    const rows = await tx.read<{ id: string }>(lockThose(child)(tx.organizationId, parents, archivedAt))
    if (rows.length > 0) found.push({ child, ids: rows.map(({ id }) => id) })
  }
  return found
}

const lockThose = statementOf(
  ({ table, under }: Kind) => `
  select id from ${table}
   where organization_id = $1 and ${columnOf(under!.field)} = any($2)
     and archived_at is not distinct from $3::timestamptz
   order by id for no key update`,
)
