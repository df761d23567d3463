import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import { type Kind, SERVICE_FIELDS } from '../../model/kind.ts'
import type { Side } from '../../model/relations.ts'
import { type Row, statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { differs } from '../records/change-rules.ts'
import { tableOf } from '../records/table.ts'
import { type Awaited, addedByRows, apartFrom } from './added-by-rows.ts'
import { address } from './address-rows.ts'
import type { BulkChange } from './bulk-change.ts'
import { type BulkRow, cellAt, type Problem } from './bulk-row.ts'
import { type Cell, cellOf, fittedLike } from './cells.ts'
import { isOtherCustomFields, isPerson, type MappedColumn, type SheetColumn, valueIn } from './columns.ts'
import { fillIn, isNeeded, OTHER } from './fill-in.ts'
import { composed, type Lookups, lookUp, Wanted } from './lookups.ts'
import { putCurrencies, type Said } from './money-signs.ts'
import { type Names, readNames } from './names.ts'
import { shortened, shownValue } from './problem-values.ts'
import { isEmpty } from './read-file.ts'
import { staleWords } from './stale-words.ts'
import { faultOfCell, faultOfSet, noteWanted, saysNothing, takeCell, textOf } from './take-cell.ts'
import { linksBefore } from './undone-rows.ts'

/*
 * What the rows of a file ask for: which record each is about, and what is to become of it. A cell that says of a record
 * what an export would say of it asks for nothing; so what was taken out and comes back is left as it is, whatever its
 * words could mean besides.
 */

export interface PreparedRow {
  readonly row: BulkRow
  /** The record that it is about; null where it adds one. */
  readonly before: Values | null
  /** By which other rows about the same are told; null where there can be none. */
  readonly about: string | null
  readonly given: Values
  /** Of each side that is to be linked otherwise, with what. */
  readonly links: ReadonlyMap<Side, readonly string[]>
  /** What it names that other rows of the file add; while it is carried out none, as these are written then. */
  readonly awaits: readonly Awaited[]
  readonly problems: readonly Problem[]
  /** Values that match nothing and that the user has said to leave empty. */
  readonly emptied?: readonly Emptied[]
  /** Whether it names a record that is not here, or more than one: then it is not known what it lacks. */
  readonly isLost?: boolean
}

/** Rows of a selection name their records, and one that takes something back the version that it was written on. */
/** A value of a file that is left empty. */
export interface Emptied {
  readonly column: number
  readonly value: string
}

export async function prepareSelected(
  context: TransactionContext,
  bulk: BulkChange,
  rows: readonly BulkRow[],
): Promise<PreparedRow[]> {
  const known = await recordsOf(
    context,
    bulk.kind,
    rows.map(({ recordId }) => recordId!),
  )
  return Promise.all(
    rows.map(async (row) => {
      const before = known.get(row.recordId!) ?? null
      const message = !before
        ? bulk.undoes === null
          ? 'the record is gone: leave it out'
          : 'it was deleted in the meantime'
        : row.version !== null && row.version !== before.version
          ? 'somebody has changed it in the meantime: it is left as it is'
          : null
      const isLost = message !== null
      const problems = isLost ? [{ column: null, field: null, value: null, message }] : []
      const given = givenTo(bulk, row)
      const takesBack = !isLost && row.unlinks && !row.deletes
      const links = takesBack ? await linksBefore(context, bulk.kind, row.recordId!, row.unlinks) : new Map()
      return { row, before, about: row.recordId, given, links, awaits: [], problems, isLost }
    }),
  )
}

/** What a row of a selection is changed to. */
export const givenTo = ({ change }: Pick<BulkChange, 'change'>, row: BulkRow): Values =>
  row.change ?? change ?? {}

/** @param isRehearsal whether what rows of the file add may be named, as it will be there */
export async function prepareRows(
  context: TransactionContext,
  bulk: BulkChange,
  columns: readonly MappedColumn[],
  rows: readonly BulkRow[],
  isRehearsal: boolean,
): Promise<PreparedRow[]> {
  const { kind } = bulk
  const addressed = await address(context, bulk, columns, rows)
  const known = await recordsOf(
    context,
    kind,
    addressed.flatMap(({ id }) => id ?? []),
  )
  const asked = columns.filter(({ column }) => column.isTaken)
  const names = await readNames(
    context,
    asked.map(({ column }) => column),
    [...known.values()],
  )
  const defined = new Set(
    columns.flatMap(({ column: { path } }) => (path[0] === CUSTOM_FIELDS && path[1] ? [path[1]] : [])),
  )
  const wanted = new Wanted()
  const moving = rows.map((row, index) => {
    const before = known.get(addressed[index]!.id ?? '') ?? null
    const { isLed } = addressed[index]!
    const moved = asked.filter(
      (one) =>
        !(isLed && one.column.key === 'externalId') &&
        isMoved(one, row, before, names, defined, bulk.clearsEmpty),
    )
    for (const { index: at, column } of moved)
      if (!isEmpty(cellAt(row, at)) && !saysNothing(column, cellAt(row, at)))
        noteWanted(column, cellAt(row, at), wanted)
    return { row, before, moved, ...addressed[index]! }
  })
  const lookups = await lookUp(context, wanted, (of, words) =>
    of === kind ? addedByRows(context, bulk, columns, words, isRehearsal) : Promise.resolve(new Map()),
  )
  const mapped = new Set(columns.map(({ column }) => column.key))
  return moving.map(({ row, before, moved, about, problem }) => {
    const taken = take(bulk, row, before, moved, lookups, mapped)
    const asks =
      Object.keys(taken.given).length + taken.links.size + taken.awaits.length + taken.problems.length > 0
    const stale = before && asks ? staleness(bulk.kind, before, row, columns) : null
    const told = taken.problems.filter(({ column }) => column !== problem?.column)
    const unset = problemsOfSet(row, columns)
    const problems = [...(problem ? [problem] : []), ...(stale ? [stale] : []), ...told, ...unset]
    return { row, before, about, ...taken, problems, isLost: problem !== null }
  })
}

/** Whether a cell asks for anything. */
function isMoved(
  { index, column }: MappedColumn,
  row: BulkRow,
  before: Values | null,
  names: Names,
  defined: ReadonlySet<string>,
  clearsEmpty: boolean,
): boolean {
  const cell = cellAt(row, index)
  const shown = before && cellOf(column, before, names, defined, 'shown')
  if (isEmpty(cell) || saysNothing(column, cell)) return before !== null && clearsEmpty && shown !== null
  if (!before) return true
  if (typeof cell === 'object' && cell !== null && 'json' in cell)
    return !isDeepStrictEqual(cell.json, valueIn(before, column))
  if (shown === null) return true
  const text = composed(textOf(cell, column))
  const says = (value: Cell) => composed(fittedLike(text, String(value)).trim()) === text
  return !says(shown) && !says(cellOf(column, before, names, defined, 'keys'))
}

/** What the cells of a row ask for. */
function take(
  bulk: BulkChange,
  row: BulkRow,
  before: Values | null,
  moved: readonly MappedColumn[],
  lookups: Lookups,
  mapped: ReadonlySet<string>,
): Pick<PreparedRow, 'given' | 'links' | 'awaits' | 'problems' | 'emptied'> {
  const given: Record<string, unknown> = {}
  const links = new Map<Side, readonly string[]>()
  const awaits: Awaited[] = []
  const problems: Problem[] = []
  const currencies: Said[number][] = []
  const emptied: Emptied[] = []
  for (const { index, column } of moved) {
    const cell = cellAt(row, index)
    const meant =
      isEmpty(cell) || saysNothing(column, cell)
        ? { is: column.side ? [] : null }
        : takeCell(column, cell, lookups)
    if ('fault' in meant && meant.unknown && column.emptiesUnmatched) {
      emptied.push({ column: index, value: shownValue(cell, column) ?? '' })
      if (!before && isNeeded(bulk.kind, column)) put(given, before, column, OTHER)
    } else if ('fault' in meant)
      problems.push({
        column: index,
        field: column.key,
        value: shownValue(cell, column),
        message: meant.fault,
        ...(meant.unknown ? { unknown: meant.unknown.map(shortened) } : {}),
        ...(meant.unknown && isPerson(column) ? { isOfOne: true as const } : {}),
      })
    else {
      const [there, toCome] = apartFrom(meant.is)
      awaits.push(...toCome.map((one) => ({ ...one, column: index, field: column.key })))
      if (column.side) links.set(column.side, [...new Set(there as string[])])
      else if (toCome.length === 0) put(given, before, column, meant.is)
      if (column.field.isMoney && meant.is !== null)
        currencies.push({ column, index, value: textOf(cell, column) })
    }
  }
  problems.push(...putCurrencies(given, currencies))
  const filled = fillIn(bulk.kind, before, given, mapped)
  return {
    given: before ? withoutSame(bulk.kind, before, filled) : filled,
    ...{ links, awaits, problems, emptied },
  }
}

/** Of a row that would change a record which has changed since the file was taken out. */
function staleness(
  kind: Kind,
  before: Values,
  row: BulkRow,
  columns: readonly MappedColumn[],
): Problem | null {
  const updated = columns.find(({ column }) => column.key === 'updatedAt')
  const cell = updated ? cellAt(row, updated.index) : null
  if (!updated || isEmpty(cell)) return null
  const { index, column } = updated
  const message = staleWords(kind, before, cell, column.title)
  return message === null
    ? null
    : { column: index, field: column.key, value: shownValue(cell, column), message }
}

/** Of what the service sets on every record: what nobody could set. */
const problemsOfSet = (row: BulkRow, columns: readonly MappedColumn[]): Problem[] =>
  columns.flatMap(({ index, column }) => {
    const cell = cellAt(row, index)
    if (isEmpty(cell) || !(column.key in SERVICE_FIELDS) || column.field.form !== 'choice') return []
    const message = faultOfCell(cell, column) ?? faultOfSet(column, cell)
    return message === null
      ? []
      : [{ column: index, field: column.key, value: shownValue(cell, column), message }]
  })

/** What asks for something else than there is, however it was written. */
function withoutSame(kind: Kind, before: Values, given: Values): Values {
  const isSame = (name: string, value: unknown, there: Values) =>
    !differs(kind, name, there, { [name]: value })
  const left = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (name !== CUSTOM_FIELDS) return isSame(name, value, before) ? [] : [[name, value]]
    const there = (before[name] ?? {}) as Values
    const moved = Object.entries(value as Values).filter(([one, inner]) => !isSame(one, inner, there))
    return moved.length > 0 ? [[name, Object.fromEntries(moved)]] : []
  })
  return Object.fromEntries(left)
}

/** Parts of an object are put together with those that stand; custom fields are given by name. */
function put(
  given: Record<string, unknown>,
  before: Values | null,
  column: SheetColumn,
  value: unknown,
): void {
  const [name, ...parts] = column.path as [string, ...string[]]
  if (isOtherCustomFields(column)) given[name] = { ...(given[name] as Values), ...(value as Values) }
  else if (name === CUSTOM_FIELDS) given[name] = { ...(given[name] as Values), [parts[0]!]: value }
  else if (parts.length === 0) given[name] = value
  else {
    const whole = { ...((given[name] ?? before?.[name]) as Values | null) } as Record<string, unknown>
    if (value === null) delete whole[parts[0]!]
    else whole[parts[0]!] = value
    given[name] = Object.keys(whole).length > 0 ? whole : null
  }
}

async function recordsOf(
  { tx }: TransactionContext,
  kind: Kind,
  ids: readonly string[],
): Promise<Map<string, Values>> {
  if (ids.length === 0) return new Map()
  const table = tableOf(kind)
  const read = statement(`${table.select} where r.organization_id = $1 and r.id = any($2)`)
  const rows = await tx.read<Row>(read(tx.organizationId, ids))
  return new Map(rows.map((row) => [row.id as string, table.record(row)]))
}
