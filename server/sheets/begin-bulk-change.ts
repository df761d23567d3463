import { sql } from 'kysely'
import { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { actorOf } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { startJob } from '../jobs/start-job.ts'
import { person, type TransactionContext } from '../operation.ts'
import { KNOWN } from './address-rows.ts'
import { AT_ONCE, findBulkChange, KEPT_DAYS, toJob } from './bulk-change.ts'
import { planAtOnce, planBulkChange } from './plan-bulk-change.ts'
import { underWay } from './row-counts.ts'

/* What changes of many records have in common, whether they come from a file or a selection. */

export const PATH = '/v1/bulk-changes'
/** Somebody who may add or change records of any kind; of which, is asked with each. */
export const NEEDS = person(
  ...new Set(
    everyKind.flatMap((kind) =>
      (['create', 'update'] as const).flatMap((verb) => needsOf(kind, verb)?.anyOf ?? []),
    ),
  ),
)

const ofKinds = (verb: 'create' | 'update') =>
  z
    .enum(everyKind.filter((kind) => needsOf(kind, verb)).map(({ name }) => name) as [string, ...string[]])
    .meta({ title: 'Type' })
    .describe('The kind of the records')

/** What nobody adds by itself comes in by no file. */
export const typeOfImport = ofKinds('create')
/** What nobody changes once it is there is changed by no selection. */
export const typeOfEdit = ofKinds('update')
export const id = z.string().min(1).max(100).describe('The id of a bulk change')

/** @returns the id of a new one */
export async function insertBulkChange(
  { tx, caller }: TransactionContext,
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = newId('blk')
  const time = await tx.now
  const all = {
    organization_id: tx.organizationId,
    id,
    identity: KNOWN,
    row_count: 0,
    stage: 'planning',
    created_at: time,
    created_by: JSON.stringify(actorOf(caller)),
    created_by_user: caller.userId,
    ...values,
  }
  const names = [...Object.keys(all), 'kept_until']
  const kept = sql`${time}::timestamptz + ${KEPT_DAYS} * interval '1 day'`
  tx.write(
    build(sql`insert into bulk_changes (${sql.raw(names.join(', '))})
      values (${sql.join([...Object.values(all), kept])})`),
  )
  return id
}

/** Plans a few rows at once, and starts the job that plans many. */
export async function planRows(context: TransactionContext, id: string): Promise<void> {
  const { tx } = context
  const bulk = await findBulkChange(context, id)
  if (bulk.rowCount <= AT_ONCE) {
    await planAtOnce(context, bulk)
    return tx.write(underWay(tx.organizationId, id, 'planned', null))
  }
  const job = await startJob(context, planBulkChange, toJob(bulk))
  tx.write(underWay(tx.organizationId, id, 'planning', job))
}

export const countRows = statement(`
  update bulk_changes set row_count =
    (select count(*) from bulk_change_rows where organization_id = $1 and bulk_change_id = $2)
   where organization_id = $1 and id = $2`)
