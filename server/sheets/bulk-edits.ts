import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { statement } from '../database/connect.ts'
import { parseInput } from '../input.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { findRecordIds, listShape } from '../records/list.ts'
import { needsOfFilters } from '../records/readable.ts'
import { changeShape } from '../records/schemas.ts'
import { invalid, Refusal } from '../refusal.ts'
import { countRows, insertBulkChange, NEEDS, PATH, planRows, type } from './begin-bulk-change.ts'
import { bulkChange, findBulkChange, kindByName, needsToChange, shownBulkChange } from './bulk-change.ts'

/** Records that one change is made for, at most. */
const SELECTED_AT_MOST = 10_000

export const startBulkEdit = operation({
  name: 'startBulkEdit',
  method: 'POST',
  path: `${PATH}/edit`,
  needs: NEEDS,
  needsFor: (input) => [
    needsToChange(kindByName(input.type), 'selection'),
    ...needsOfFilters(kindByName(input.type), (input.filters ?? {}) as Values),
  ],
  writes: true,
  title: 'Make one change for many records',
  description: `Plans it for up to ${SELECTED_AT_MOST} records, by their ids or by the filters of their list; nothing is written yet.`,
  takes: { bytes: 1024 * 1024 },
  judgesEach: 'change',
  input: z.strictObject({
    type,
    ids: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(SELECTED_AT_MOST)
      .optional()
      .meta({ title: 'Records' })
      .describe('The ids of the records'),
    filters: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ title: 'Filters' })
      .describe('In place of ids: those of the list; {} is all of it'),
    change: z
      .record(z.string(), z.unknown())
      .meta({ title: 'Change' })
      .describe('The fields that the update of one record takes'),
  }),
  output: bulkChange,
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, { type, ids, filters, change }) => {
    const { tx } = context
    const kind = kindByName(type)
    if ((ids === undefined) === (filters === undefined))
      throw invalid({ path: 'ids', message: 'give either ids, or filters' })
    const given = parsedAt('change', z.strictObject(changeShape(kind)), change)
    if (Object.keys(given).length === 0)
      throw invalid({ path: 'change', message: 'names no field: give at least one' })
    const selected = ids ?? (await idsOf(context, kind.name, filters!))
    const id = await insertBulkChange(context, {
      kind: kind.name,
      origin: 'selection',
      change: JSON.stringify(given),
    })
    tx.write(insertSelected(tx.organizationId, id, [...new Set(selected)]))
    tx.write(countRows(tx.organizationId, id))
    await planRows(context, id)
    return shownBulkChange(context, await findBulkChange(context, id))
  },
})

async function idsOf(context: TransactionContext, type: string, filters: Values): Promise<string[]> {
  const kind = kindByName(type)
  const { limit, cursor, ...shape } = listShape(kind)
  const input = parsedAt('filters', z.strictObject(shape), filters)
  const ids = await findRecordIds(context, kind, input, SELECTED_AT_MOST + 1)
  if (ids.length > SELECTED_AT_MOST)
    throw new Refusal(
      'conflict',
      `More than ${SELECTED_AT_MOST} ${kind.noun.many} match: narrow the filters, and change them in parts.`,
    )
  if (ids.length === 0) throw invalid({ path: 'filters', message: 'let nothing through: widen them' })
  return ids
}

/** The input below a name, whose errors say where in all of it they are. */
function parsedAt(name: string, input: z.ZodObject, given: Values): Values {
  try {
    return parseInput({ input }, given)
  } catch (error) {
    const errors = error instanceof Refusal && (error.members.errors as { path: string; message: string }[])
    throw errors
      ? invalid(...errors.map(({ path, message }) => ({ path: `${name}.${path}`, message })))
      : error
  }
}

const insertSelected = statement(`
  insert into bulk_change_rows (organization_id, bulk_change_id, number, record_id)
  select $1, $2, place, id from unnest($3::text[]) with ordinality as selected (id, place)`)
