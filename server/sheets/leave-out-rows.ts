import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { operation } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { countRows, id, NEEDS, PATH } from './begin-bulk-change.ts'
import { bulkChange, FOR_CHANGE, findBulkChange, shownBulkChange } from './bulk-change.ts'
import { planAnew, refuseUnlessLeft } from './imports.ts'

const AT_MOST = 1_000

export const leaveOutImportRows = operation({
  name: 'leaveOutImportRows',
  method: 'POST',
  path: `${PATH}/{id}/leave-out`,
  needs: NEEDS,
  writes: true,
  title: 'Leave rows of an import out',
  description:
    'Such as a line of totals. The others are planned again, as one may have waited for what was left out; the file that is sent once more has all of its rows again.',
  input: z.strictObject({
    id,
    rows: z
      .array(z.int().min(1))
      .min(1)
      .max(AT_MOST)
      .meta({ title: 'Rows' })
      .describe('By their numbers; none that was written already'),
  }),
  output: bulkChange,
  refusals: ['conflict'],
  run: async (context, { id, rows }) => {
    const { tx } = context
    const bulk = await findBulkChange(context, id, FOR_CHANGE)
    if (bulk.stage === 'begun' || bulk.stage === 'read')
      throw new Refusal('conflict', 'It is not planned yet: plan it by planImport first.')
    await refuseUnlessLeft(context, bulk)
    const removed = await tx.read(remove(tx.organizationId, id, rows))
    if (removed.length < new Set(rows).size)
      throw invalid({
        path: 'rows',
        message: 'names some that are not there or were written already: leave them out',
      })
    tx.write(countRows(tx.organizationId, id))
    await planAnew(context, bulk)
    return shownBulkChange(context, await findBulkChange(context, id))
  },
})

const remove = statement(`
  delete from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and number = any($3::int[])
     and (done is null or done = 'refused') returning number`)
