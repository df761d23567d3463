import { z } from 'zod'
import { type Query, statement } from '../database/connect.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { countRows, id, NEEDS, PATH } from './begin-bulk-change.ts'
import { type BulkChange, bulkChange, FOR_CHANGE, findBulkChange, shownBulkChange } from './bulk-change.ts'
import { planAnew, refuseUnlessLeft } from './imports.ts'

/* Rows of a file that are none, such as a line of totals: they are kept beside the others, to be taken back in. */

const AT_MOST = 1_000

const input = (description: string) =>
  z.strictObject({
    id,
    rows: z.array(z.int().min(1)).min(1).max(AT_MOST).meta({ title: 'Rows' }).describe(description),
  })

export const leaveOutImportRows = operation({
  name: 'leaveOutImportRows',
  method: 'POST',
  path: `${PATH}/{id}/leave-out`,
  needs: NEEDS,
  writes: true,
  title: 'Leave rows of an import out',
  description:
    'Such as a line of totals. The others are planned again, as one may have waited for what was left out; restoreImportRows takes them back in, and so does the file that is sent once more.',
  input: input('By their numbers; none that was written already'),
  output: bulkChange,
  refusals: ['conflict'],
  run: (context, given) =>
    moved(context, given, leaveOut, 'names some that are not there or were written already: leave them out'),
})

export const restoreImportRows = operation({
  name: 'restoreImportRows',
  method: 'POST',
  path: `${PATH}/{id}/restore`,
  needs: NEEDS,
  writes: true,
  title: 'Take rows back into an import',
  description: 'That were left out of it. All that are not written are planned again.',
  input: input('By their numbers'),
  output: bulkChange,
  refusals: ['conflict'],
  run: (context, given) =>
    moved(context, given, restore, 'names some that were not left out: leave them out'),
})

/** @throws {Refusal} `validation_failed` where not all of the rows could be moved; then none is */
async function moved(
  context: TransactionContext,
  { id, rows }: { readonly id: string; readonly rows: readonly number[] },
  move: (organizationId: string, id: string, rows: readonly number[]) => Query,
  fault: string,
) {
  const { tx } = context
  const bulk = await findBulkChange(context, id, FOR_CHANGE)
  if (bulk.stage === 'begun' || bulk.stage === 'read')
    throw new Refusal('conflict', 'It is not planned yet: plan it by planImport first.')
  if (move === leaveOut) await refuseUnlessLeft(context, bulk)
  else refuseRestoring(bulk)
  const done = await tx.read(move(tx.organizationId, id, rows))
  if (done.length < new Set(rows).size) throw invalid({ path: 'rows', message: fault })
  tx.write(countRows(tx.organizationId, id))
  await planAnew(context, bulk)
  return shownBulkChange(context, await findBulkChange(context, id))
}

/** What was carried out wholly may have a row more to carry out. */
function refuseRestoring({
  origin,
  stage,
  hasStopped,
}: Pick<BulkChange, 'origin' | 'stage' | 'hasStopped'>): void {
  if (origin !== 'file') throw new Refusal('conflict', 'It is no import: it has no rows that were left out.')
  if (stage === 'applying' && !hasStopped)
    throw new Refusal('conflict', 'It is being carried out: wait until it is over, or cancel its job.')
}

const leaveOut = statement(`
  with gone as (
    delete from bulk_change_rows
     where organization_id = $1 and bulk_change_id = $2 and number = any($3::int[])
       and (done is null or done = 'refused') returning *)
  insert into bulk_change_left_out (organization_id, bulk_change_id, number, cells)
  select organization_id, bulk_change_id, number, cells from gone returning number`)

const restore = statement(`
  with back as (
    delete from bulk_change_left_out
     where organization_id = $1 and bulk_change_id = $2 and number = any($3::int[]) returning *)
  insert into bulk_change_rows (organization_id, bulk_change_id, number, cells)
  select organization_id, bulk_change_id, number, cells from back returning number`)
