import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { operation } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { countRows, id, insertBulkChange, NEEDS, PATH, planRows } from './begin-bulk-change.ts'
import { bulkChange, findBulkChange, shownBulkChange } from './bulk-change.ts'
import { STANDS } from './row-counts.ts'

export const undoBulkChange = operation({
  name: 'undoBulkChange',
  method: 'POST',
  path: `${PATH}/{id}/undo`,
  needs: NEEDS,
  writes: true,
  title: 'Take a change of many records back',
  description:
    'Plans a change that deletes each record which an import added, and gives each other record what it had before. Nothing is written yet; a record that anybody has changed, linked or commented on since is left as it is, and told.',
  input: z.strictObject({ id }),
  output: bulkChange,
  refusals: ['conflict'],
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, input) => {
    const { tx } = context
    const bulk = await findBulkChange(context, input.id)
    if (bulk.stage === 'applying' && !bulk.hasStopped)
      throw new Refusal('conflict', 'It is being carried out: wait until it is over, or cancel its job.')
    const id = await insertBulkChange(context, {
      kind: bulk.kind.name,
      origin: 'selection',
      file_name: bulk.fileName,
      undoes: bulk.id,
    })
    const [made] = await tx.read(insertBack(tx.organizationId, id, bulk.id))
    if (!made)
      throw new Refusal(
        'conflict',
        'It has written no record, or all of it was taken back already: there is nothing to take back.',
      )
    tx.write(countRows(tx.organizationId, id))
    await planRows(context, id)
    return shownBulkChange(context, await findBulkChange(context, id))
  },
})

/** What was taken back already is not done once more. What was added last, as it names what was added before it, goes first. */
const insertBack = statement(`
  insert into bulk_change_rows (organization_id, bulk_change_id, number, record_id, version, change, unlinks, deletes, turn)
  select organization_id, $2, number, record_id, written_version, back, linked, done = 'created',
         (select max(turn) from bulk_change_rows where organization_id = $1 and bulk_change_id = $3) - turn
    from bulk_change_rows r
   where organization_id = $1 and bulk_change_id = $3
     and ${STANDS}
  returning number`)
