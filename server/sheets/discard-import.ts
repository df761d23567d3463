import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { nothing, operation } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { id, NEEDS, PATH } from './begin-bulk-change.ts'
import { FOR_CHANGE, findBulkChange } from './bulk-change.ts'

/** What was written by one is told, and can be taken back, for as long as it is kept: that is not thrown away. */
export const discardImport = operation({
  name: 'discardImport',
  method: 'DELETE',
  path: `${PATH}/{id}`,
  needs: NEEDS,
  writes: true,
  title: 'Discard an import that wrote nothing',
  description: 'Its file and its plan go.',
  input: z.strictObject({ id }),
  output: nothing,
  refusals: ['conflict'],
  annotations: { destructive: true },
  run: async (context, input) => {
    const { tx } = context
    const { origin, stage } = await findBulkChange(context, input.id, FOR_CHANGE)
    if (origin !== 'file') throw new Refusal('conflict', 'It is no import.')
    if (stage === 'planning' || stage === 'applying')
      throw new Refusal(
        'conflict',
        'A job is at it: wait until it is over, or cancel the job and plan it again.',
      )
    const gone = await tx.read(discard(tx.organizationId, input.id))
    if (gone.length === 0)
      throw new Refusal('conflict', 'It has written records: take it back by undoBulkChange instead.')
    return null
  },
})

/** Its rows go with it, by their foreign keys. */
const discard = statement(`
  delete from bulk_changes b where organization_id = $1 and id = $2
     and not exists (select from bulk_change_rows r where r.organization_id = b.organization_id
                        and r.bulk_change_id = b.id and r.done in ('created', 'changed', 'deleted'))
  returning id`)
