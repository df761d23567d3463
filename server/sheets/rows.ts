import type { Values } from '../../model/complaint.ts'
import { type Child, childKinds } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import type { Caller } from '../caller/caller.ts'
import { statementOf } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { listRecords } from '../records/list.ts'
import { mayRead, readableBy } from '../records/readable.ts'
import { type Cell, type CellWords, cellOf } from './cells.ts'
import { columnsOf, readSheetWords, type SheetColumn, type SheetWords } from './columns.ts'
import { readNames } from './names.ts'

/*
 * What an export reads, a stretch of the list at a time with all that belongs to it, each in a transaction of its own:
 * whoever takes a file slowly holds nothing of the database, and no more than a stretch is in memory. Rows come in the
 * order of the list.
 */

const STRETCH = 250
/** Where no index gives the order, all rows are sorted for each stretch: then it is longer. */
const SORTED_STRETCH = 2_000
/** Parents whose children, or records whose links, are read at one time. */
const PARENTS = 500

/** A kind as one export has it. */
export interface ExportedKind {
  readonly kind: Kind
  readonly words: SheetWords
  readonly columns: readonly SheetColumn[]
  readonly cellsOf: (context: TransactionContext, records: readonly Values[]) => Promise<Cell[][]>
}

export async function exportedKind(
  context: TransactionContext,
  kind: Kind,
  asWords: CellWords,
): Promise<ExportedKind> {
  const words = await readSheetWords(context, kind)
  const columns = columnsOf(kind, words)
  const defined = new Set(words.custom.flatMap(({ name, retired }) => (retired ? [] : [name])))
  return {
    kind,
    words,
    columns,
    cellsOf: async (within, records) => {
      const names = await readNames(within, columns, records)
      return records.map((record) => columns.map((column) => cellOf(column, record, names, defined, asWords)))
    },
  }
}

/** A stretch of the records of a list, and where the next begins. */
export async function readStretch(
  context: TransactionContext,
  kind: Kind,
  filters: Values,
  cursor: string | null,
): Promise<{ records: readonly Values[]; next: string | null }> {
  const isSorted = !['-createdAt', 'createdAt', '-updatedAt', 'updatedAt'].includes(String(filters.sort))
  const limit = isSorted ? SORTED_STRETCH : STRETCH
  const given = { ...filters, limit, ...(cursor === null ? {} : { cursor }) }
  const { data, nextCursor } = await listRecords(context, kind, given)
  return { records: data.map((record) => readableBy(context.caller, kind, record)), next: nextCursor }
}

/** The kinds whose records stand under those of a kind, as far as a caller may read them. */
export const childrenShown = (caller: Caller, kind: Kind): readonly Child[] =>
  childKinds(kind).filter((child) => mayRead(caller, child))

/** From which sides the links of a kind are shown to a caller. */
export const sidesShown = (caller: Caller, kind: Kind): readonly Side[] =>
  sidesOf(kind).filter(({ other }) => mayRead(caller, other))

/** The records under those with some ids, a stretch at a time. */
export async function* childrenOf(
  context: TransactionContext,
  child: Child,
  ids: readonly string[],
): AsyncGenerator<readonly Values[]> {
  for (let from = 0; from < ids.length; from += PARENTS) {
    const filters = { [child.under.field]: ids.slice(from, from + PARENTS), sort: 'createdAt' }
    for (let cursor: string | null = null; ; ) {
      const { records, next } = await readStretch(context, child, filters, cursor)
      if (records.length > 0) yield records
      if (next === null) break
      cursor = next
    }
  }
}

export interface LinkRow {
  readonly reference: string
  readonly called: string
  readonly linkedReference: string
  readonly linkedCalled: string
  readonly attributes: Values
  readonly linkedAt: string
}

/** The links of those with some ids, from one side. */
export async function* linksOf(
  { tx }: TransactionContext,
  side: Side,
  ids: readonly string[],
): AsyncGenerator<readonly LinkRow[]> {
  for (let from = 0; from < ids.length; from += PARENTS)
    yield await tx.read<LinkRow>(read(side)(tx.organizationId, ids.slice(from, from + PARENTS)))
}

const read = statementOf((side: Side) => {
  const { here, there } = linkColumns(side)
  return `
    select h.reference, h.called, t.reference as "linkedReference", t.called as "linkedCalled",
           to_jsonb(l) as attributes, l.linked_at as "linkedAt"
      from ${side.relation.table} l
      join known_records h on h.organization_id = l.organization_id and h.id = l.${here}
      join known_records t on t.organization_id = l.organization_id and t.id = l.${there}
     where l.organization_id = $1 and l.${here} = any($2)
     order by array_position($2::text[], l.${here}), l.${there}`
})
