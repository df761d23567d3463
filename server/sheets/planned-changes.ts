import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import type { BulkChange } from './bulk-change.ts'
import { type Cell, cellOf, listed } from './cells.ts'
import { columnsOf, type MappedColumn, readSheetWords, type SheetColumn } from './columns.ts'
import { readNames } from './names.ts'
import type { PreparedRow } from './prepare-rows.ts'
import type { RowOutcome } from './write-rows.ts'

/*
 * What a row would write, field by field: what an export would say of the record before it and after it, where the two
 * are not the same. It is read from the record as the rules leave it, so that what follows from a cell is told with it.
 */

/** A field that a row would write. */
export interface PlannedChange {
  readonly field: string
  /** As an export says it; null where there is nothing. */
  readonly before: string | null
  readonly after: string | null
}

/** @returns of each row what it would write; nothing for one that writes nothing */
export async function changesOf(
  context: TransactionContext,
  { kind }: BulkChange,
  mapped: readonly MappedColumn[],
  rows: readonly PreparedRow[],
  outcomes: readonly RowOutcome[],
): Promise<PlannedChange[][]> {
  const written = rows.map((row, index) => {
    const outcome = outcomes[index]!
    if (!('record' in outcome) || outcome.outcome === 'deleted') return null
    if (outcome.outcome === 'unchanged' && row.awaits.length === 0) return null
    return { row, after: outcome.record }
  })
  const records = written.flatMap((one) =>
    one ? [...(one.row.before ? [one.row.before] : []), one.after] : [],
  )
  if (records.length === 0) return rows.map(() => [])
  const known = columnsOf(kind, await readSheetWords(context, kind))
  const keys = new Set(known.map(({ key }) => key))
  const columns = [
    ...known,
    ...mapped.map(({ column }) => column).filter(({ key }) => !keys.has(key)),
  ].filter(({ isTaken }) => isTaken)
  const defined = new Set(
    columns.flatMap(({ path }) => (path[0] === CUSTOM_FIELDS && path[1] ? [path[1]] : [])),
  )
  const [names, references] = await Promise.all([
    readNames(context, columns, records),
    readReferences(context, rows),
  ])
  const shown = (column: SheetColumn, record: Values): Cell => cellOf(column, record, names, defined, 'shown')
  return written.map((one) => {
    if (!one) return []
    const { row, after } = one
    return columns.flatMap((column): PlannedChange[] => {
      const linked = column.side && row.links.get(column.side)
      if (column.side && !linked) return []
      const was = row.before && shown(column, row.before)
      const toCome = row.awaits.flatMap(({ field, word }) => (field === column.key ? [word] : []))
      const is = linked
        ? listed([...[...new Set(linked)].toSorted().map((id) => references.get(id) ?? id), ...toCome])
        : toCome.length > 0
          ? listed(toCome)
          : shown(column, after)
      if (was === is) return []
      const told = (cell: Cell) => wordsOf(column, cell)
      return [{ field: column.key, ...apart(told(was), told(is)) }]
    })
  })
}

/** The references of what rows are to be linked with: whoever brings them in has named it. */
async function readReferences(
  { tx }: TransactionContext,
  rows: readonly PreparedRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ links }) => [...links.values()].flat()))]
  if (ids.length === 0) return new Map()
  const read = await tx.read<{ id: string; reference: string }>(references(tx.organizationId, ids))
  return new Map(read.map(({ id, reference }) => [id, reference]))
}

const references = statement(
  'select id, reference from known_records where organization_id = $1 and id = any($2)',
)

const DAY_START = 'T00:00:00.000Z'

/** A day that is given for a moment is its first one, but where something holds until then. */
function wordsOf({ field: { form, isDeadline } }: SheetColumn, cell: Cell): string | null {
  if (cell === null) return null
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  const text = String(cell)
  const isDay = form === 'instant' && !isDeadline && text.endsWith(DAY_START)
  return isDay ? text.slice(0, -DAY_START.length) : text
}

const LONGEST = 500
const LEAD = 40

/** Both sides, as long as a screen shows them; of long texts, from shortly before they part. */
function apart(before: string | null, after: string | null): Pick<PlannedChange, 'before' | 'after'> {
  const from = Math.max(0, partingOf(before ?? '', after ?? '') - LEAD)
  const isLong = [before, after].some((text) => (text?.length ?? 0) > LONGEST)
  const cut = (text: string | null) =>
    text === null || !isLong
      ? text
      : `${from > 0 ? '…' : ''}${text.slice(from, from + LONGEST).toWellFormed()}${text.length > from + LONGEST ? '…' : ''}`
  return { before: cut(before), after: cut(after) }
}

function partingOf(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  return at
}
