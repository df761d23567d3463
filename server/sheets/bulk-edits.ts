import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { inNumber } from '../../model/noun.ts'
import { statement } from '../database/connect.ts'
import { parseInputAt } from '../input.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { findRecordIds, parseFilters } from '../records/list.ts'
import { needsOfFilters } from '../records/readable.ts'
import { changeShape } from '../records/schemas.ts'
import { invalid, Refusal } from '../refusal.ts'
import { countRows, insertBulkChange, NEEDS, PATH, planRows, typeOfEdit } from './begin-bulk-change.ts'
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
    type: typeOfEdit,
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
      .optional()
      .meta({ title: 'Change' })
      .describe(
        'The fields that the update of one record takes; also the status in_review of evidence, alone or with a reviewer: each record is sent to it',
      ),
    changes: z
      .array(
        z.strictObject({
          ids: z.array(z.string().min(1).max(100)).min(1).max(SELECTED_AT_MOST),
          change: z.record(z.string(), z.unknown()),
        }),
      )
      .min(1)
      .max(100)
      .optional()
      .meta({ title: 'Changes' })
      .describe(
        'In place of ids, filters and change: which records are changed to what, where not all are alike',
      ),
  }),
  output: bulkChange,
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, { type, ids, filters, change, changes }) => {
    const kind = kindByName(type)
    const given = [ids, filters, changes].filter((one) => one !== undefined)
    if (given.length !== 1 || (changes !== undefined) === (change !== undefined))
      throw invalid({ path: 'ids', message: 'give ids and change, or filters and change, or changes alone' })
    const groups = changes
      ? changes.map((one, at) => ({
          ids: one.ids,
          change: changeAt(kind, `changes.${at}.change`, one.change),
        }))
      : [{ ids: ids ?? [], change: changeAt(kind, 'change', change!) }]
    if (filters) groups[0]!.ids = await idsOf(context, kind.name, filters)
    const selected = groups.flatMap((group) => group.ids)
    if (selected.length > SELECTED_AT_MOST) throw invalid({ path: 'changes', message: TOO_MANY })
    return begin(context, kind, groups)
  },
})

const TOO_MANY = `name more than ${SELECTED_AT_MOST} records: change them in parts`

interface Group {
  ids: readonly string[]
  readonly change: Values
}

async function begin(context: TransactionContext, kind: Kind, groups: readonly Group[]) {
  const { tx } = context
  const isOne = groups.length === 1
  const change = isOne ? JSON.stringify(groups[0]!.change) : null
  const id = await insertBulkChange(context, { kind: kind.name, origin: 'selection', change })
  // Of a record that is named twice, the first counts.
  const rows = new Map(groups.flatMap((group) => group.ids.map((one) => [one, group] as const)).toReversed())
  const ids = [...new Set(groups.flatMap((group) => group.ids))]
  const own = isOne ? ids.map(() => null) : ids.map((one) => JSON.stringify(rows.get(one)!.change))
  tx.write(insertSelected(tx.organizationId, id, ids, own))
  return plan(context, id)
}

async function plan(context: TransactionContext, id: string) {
  const { tx } = context
  tx.write(countRows(tx.organizationId, id))
  await planRows(context, id)
  return shownBulkChange(context, await findBulkChange(context, id))
}

/** @throws {Refusal} `validation_failed` with where in the input it stands */
function changeAt(kind: Kind, path: string, change: Values): Values {
  const given = parseInputAt(path, z.strictObject(changeShape(kind)), change)
  if (Object.keys(given).length === 0) throw invalid({ path, message: 'names no field: give at least one' })
  return given
}

async function idsOf(context: TransactionContext, type: string, filters: Values): Promise<string[]> {
  const kind = kindByName(type)
  const input = parseFilters(kind, filters)
  const ids = await findRecordIds(context, kind, input, SELECTED_AT_MOST + 1)
  if (ids.length > SELECTED_AT_MOST)
    throw new Refusal(
      'conflict',
      `More than ${SELECTED_AT_MOST} ${inNumber(kind.noun, SELECTED_AT_MOST)} match: narrow the filters, and change them in parts.`,
    )
  if (ids.length === 0) throw invalid({ path: 'filters', message: 'let nothing through: widen them' })
  return ids
}

const insertSelected = statement(`
  insert into bulk_change_rows (organization_id, bulk_change_id, number, record_id, change)
  select $1, $2, place, id, change::jsonb
    from unnest($3::text[], $4::text[]) with ordinality as selected (id, change, place)`)
