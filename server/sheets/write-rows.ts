import { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { may } from '../caller/rights.ts'
import { parseInput } from '../input.ts'
import type { TransactionContext } from '../operation.ts'
import { prepareChange, writeChange } from '../records/change-record.ts'
import { holdParents } from '../records/children.ts'
import { createRecords } from '../records/create-record.ts'
import type { JudgedLink } from '../records/link-records.ts'
import { rowRefusal } from '../records/row-refusal.ts'
import { changeShape, creationSchema, READ_ONLY } from '../records/schemas.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import type { Refusal } from '../refusal.ts'
import type { BulkChange } from './bulk-change.ts'
import type { Problem } from './bulk-row.ts'
import { columnOfField, type MappedColumn, NOWHERE } from './columns.ts'
import { leadingTo, leadThere } from './lead-by-operation.ts'
import type { PreparedRow } from './prepare-rows.ts'
import { shownGiven, shownValue } from './problem-values.ts'
import { inWordsOf, isLedTo, withoutStop } from './problem-words.ts'
import { judgeLinks, linkAdded, refusalsOfLinks } from './row-links.ts'
import { deleteUntouched, type Linked, linkedAnew } from './undone-rows.ts'

/*
 * What prepared rows come to, where records are written: those that are added by one statement, the others each as any
 * change. The plan asks the same with a context that writes nothing (records/rehearsal.ts), so that a row is planned by
 * the rules it is carried out by.
 */

/** What became of a row, or what keeps it from being what it asks for. */
export type RowOutcome =
  | {
      readonly outcome: 'created' | 'changed' | 'deleted' | 'unchanged'
      readonly recordId: string
      readonly version: number
      /** As it is then. */
      readonly record: Values
      /** What it was linked with and unlinked from by its row. */
      readonly linked?: Linked | null
    }
  | { readonly problems: readonly Problem[] }

/**
 * @param isRehearsal whether what is added will not be there, so that nothing can be linked with it
 * @throws what a row is refused for once something was written: then nothing is
 */
export async function writeRows(
  context: TransactionContext,
  bulk: BulkChange,
  columns: readonly MappedColumn[],
  rows: readonly PreparedRow[],
  isRehearsal: boolean,
): Promise<RowOutcome[]> {
  const { kind } = bulk
  await holdParents(
    context.tx,
    kind,
    rows.map(({ given }) => given),
  )
  const outcomes: RowOutcome[] = []
  const refused = (at: number, refusal: Refusal) => {
    const before = told[at]!.problems
    const more = problemsOf(kind, refusal, rows[at]!, columns).filter((one) => !isTold(one, before))
    outcomes[at] = { problems: [...before, ...more] }
  }
  const came = (at: number, outcome: RowOutcome) => {
    if (told[at]!.problems.length === 0) outcomes[at] = outcome
  }
  const adding: { at: number; given: Values }[] = []
  const changing: number[] = []
  const told = rows.map((row) => (isRehearsal ? judgeCells(kind, row, columns) : { ...row, isWhole: true }))
  for (const [at, { before, given, problems, isWhole }] of told.entries()) {
    if (problems.length > 0) outcomes[at] = { problems }
    // Where nothing is written, a row with faults is judged by what is left of it, for what else is wrong.
    if (problems.length > 0 && !(isRehearsal && isWhole)) continue
    if (before) changing.push(at)
    else
      try {
        adding.push({ at, given: parseInput(schemasOf(kind).one, { ...given, source: 'import' }) })
      } catch (error) {
        refused(at, rowRefusal(error))
      }
  }
  const changes = needsOf(kind, 'update')
  const mayChange = changes !== undefined && may(context.caller, changes)
  // In the order in which whoever writes several takes them.
  changing.sort((one, other) => (String(rows[one]!.before!.id) < String(rows[other]!.before!.id) ? -1 : 1))
  await Promise.all(
    changing.map(async (at) => {
      const { given, links, problems } = told[at]!
      const isSame = Object.keys(given).length === 0
      if (!mayChange && !(isSame && links.size === 0)) {
        const message = `${kind.noun.many} are not changed by an import: leave this row out`
        outcomes[at] = { problems: [...problems, { column: null, field: null, value: null, message }] }
        return
      }
      try {
        came(at, await changeOne(context, bulk, told[at]!, isRehearsal))
      } catch (error) {
        refused(at, rowRefusal(error))
      }
    }),
  )
  const unlinkable = await refusalsOfLinks(
    context.tx,
    adding.map(({ at }) => rows[at]!.links),
  )
  const added = adding.filter(({ at }, place) => {
    const refusal = unlinkable[place]
    if (refusal) refused(at, refusal)
    return !refusal
  })
  const made = await createRecords(context, kind, added)
  for (const [place, { at }] of added.entries()) {
    const record = made[place]!
    if (record instanceof Error) refused(at, record)
    else {
      const linked = linkedAnew(kind, rows[at]!.given, rows[at]!.links)
      came(at, { outcome: 'created', recordId: String(record.id), version: 1, record, linked })
    }
  }
  if (!isRehearsal)
    await linkAdded(
      context,
      added.flatMap(({ at }) => {
        const outcome = outcomes[at]!
        return 'recordId' in outcome ? [{ here: outcome.recordId, links: rows[at]!.links }] : []
      }),
    )
  return outcomes
}

/** All of a row is judged before any of it is written, so that one that is refused has changed nothing. */
async function changeOne(
  context: TransactionContext,
  { id: bulkId, kind, origin }: BulkChange,
  { row, before, given, links }: PreparedRow,
  isRehearsal: boolean,
): Promise<RowOutcome> {
  const { id, version } = before as { id: string; version: number }
  if (row.deletes) {
    await deleteUntouched(context, kind, { id, version }, row.unlinks, isRehearsal ? bulkId : null)
    return { outcome: 'deleted', recordId: id, version, record: before! }
  }
  const leading = origin === 'selection' ? leadingTo(kind, before!, given) : null
  if (leading) {
    const record = await leadThere(context, leading, { id, version }, given)
    return { outcome: 'changed', recordId: id, version: record.version as number, record }
  }
  const change = Object.keys(given).length === 0 ? null : parseInput(schemasOf(kind).change, given)
  const linking: JudgedLink[] = []
  try {
    const linked = await judgeLinks(context, id, links, row.unlinks, (one) => linking.push(one))
    const prepared =
      change &&
      (await prepareChange(context, kind, id, { given: change, ifMatch: version }, () =>
        lockRecord(context, tableOf(kind), id, version),
      ))
    const after = prepared ? await writeChange(context, kind, prepared) : before!
    // What is rehearsed stays let in: the rows behind it are judged beside it.
    if (!isRehearsal) for (const { write } of linking) write()
    const outcome = after.version === version && linking.length === 0 ? 'unchanged' : 'changed'
    const more = linking.length > 0 ? { linked } : {}
    return { outcome, recordId: id, version: after.version as number, record: after, ...more }
  } catch (error) {
    for (const { forget } of linking) forget()
    throw error
  }
}

const schemasOf = once((kind: Kind) => ({
  one: { input: creationSchema(kind) },
  change: { input: z.strictObject({ id: READ_ONLY, ...changeShape(kind) }) },
}))

interface Judged extends PreparedRow {
  /** Whether what is left of it can be judged by the rules of its kind. */
  readonly isWhole: boolean
}

const TURNS = 3

/**
 * A row without the cells that cannot be taken, which are told with it: those that stand for nothing, and those whose
 * field takes no such value. What is missing is told besides, unless it stands there and cannot be taken.
 */
function judgeCells(kind: Kind, row: PreparedRow, columns: readonly MappedColumn[]): Judged {
  const { one, change } = schemasOf(kind)
  const isNew = !row.before && !row.isLost
  const problems = [...row.problems]
  let { given } = row
  for (let turn = 0; turn < TURNS; turn++) {
    const faults = faultsOf(() => {
      if (isNew) parseInput(one, { ...given, source: 'import' })
      else if (Object.keys(given).length > 0) parseInput(change, given)
    })
    if (!faults && (problems.length === 0 || turn > 0))
      return { ...row, given, problems, isWhole: !row.isLost }
    const more = faults ? problemsOf(kind, faults, row, columns) : []
    problems.push(...more.filter((found) => !isTold(found, problems)))
    given = without(given, problems)
  }
  return { ...row, given, problems, isWhole: false }
}

function faultsOf(judge: () => void): Refusal | null {
  try {
    judge()
    return null
  } catch (error) {
    return rowRefusal(error)
  }
}

/** Custom fields and links are each their own; of any other, its parts are one value. */
const rootOf = (field: string): string =>
  field.split('.', field.startsWith(`${CUSTOM_FIELDS}.`) || field.startsWith('links.') ? 2 : 1).join('.')

const without = (given: Values, problems: readonly Problem[]): Values => {
  const faulty = new Set(problems.flatMap(({ field }) => (field === null ? [] : [rootOf(field)])))
  const left = Object.entries(given).filter(([field]) => !faulty.has(field))
  return Object.fromEntries(
    left.map(([field, value]) => {
      if (field !== CUSTOM_FIELDS || value === null) return [field, value]
      const inner = Object.entries(value as Values).filter(([name]) => !faulty.has(`${field}.${name}`))
      return [field, Object.fromEntries(inner)]
    }),
  )
}

/** Whether a problem is about a field of which another is told already, or may well come of that. */
const isTold = ({ field, value }: Problem, told: readonly Problem[]): boolean =>
  field !== null &&
  told.some(
    (one) =>
      one.field === field || (value === null && one.field !== null && rootOf(one.field) === rootOf(field)),
  )

/** A refusal, by the cells that it is about. */
export function problemsOf(
  kind: Kind,
  refusal: Refusal,
  { row, given }: Pick<PreparedRow, 'row' | 'given'>,
  columns: readonly MappedColumn[],
): Problem[] {
  const { errors, path, field, fields } = refusal.members as {
    errors?: readonly { path: string; message: string }[]
    path?: string
    field?: string
    fields?: readonly string[]
  }
  const named = [path, field, ...(fields ?? [])].filter((one) => one !== undefined)
  const told = errors ?? named.map((one) => ({ path: one, message: withoutStop(refusal.message) }))
  if (told.length === 0)
    return [{ column: null, field: null, value: null, message: withoutStop(refusal.message) }]
  return told.map((one) => {
    const about = columns
      .filter(({ column }) => isAbout(column.path, one.path))
      .toSorted((a, b) => b.column.path.length - a.column.path.length)[0]
    const column = about?.column ?? columnOfField(kind, one.path)
    const value =
      about && (row.cells ? shownValue(row.cells[about.index] ?? null, column!) : shownGiven(given, column!))
    const isAsked =
      about !== undefined && about.index !== NOWHERE && value !== null && isLedTo(about.column, given)
    return {
      column: about && about.index !== NOWHERE ? about.index : null,
      field: about?.column.key ?? one.path,
      value: value ?? null,
      message:
        (column && inWordsOf(kind, column, { given, value: value ?? null, ...one }, refusal)) ?? one.message,
      ...(isAsked && value ? { unknown: [value] } : {}),
    }
  })
}

/** Whether the path of an error leads to a column, or to the field that it is a part of. */
const isAbout = (column: readonly string[], path: string): boolean => {
  const whole = column.join('.')
  return path === whole || path.startsWith(`${whole}.`) || (column.length > 1 && whole.startsWith(`${path}.`))
}
