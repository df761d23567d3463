import type { Kind } from '../../model/kind.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { refuseFull } from '../records/link-changes.ts'
import { asRefusal } from '../records/row-refusal.ts'
import { Refusal } from '../refusal.ts'
import type { Awaited } from './added-by-rows.ts'
import { type BulkChange, mappedColumns } from './bulk-change.ts'
import type { Problem } from './bulk-row.ts'
import { withoutStop } from './problem-words.ts'
import { WRITES } from './row-counts.ts'
import { countsThere } from './row-links.ts'
import { type TurnOrRing, turnsOf } from './turns-of-rows.ts'
import type { Linked } from './undone-rows.ts'

/*
 * What the rows of a file come to together, once each is planned by itself: a row that names what another adds comes in
 * the turn behind it; rows that name each other in a ring have none; and of the links that each may make, some may be too
 * many for what all of them are linked with.
 */

interface LinkingRow {
  readonly number: number
  readonly awaits: readonly Awaited[]
  readonly linked: Linked | null
}

/** Gives the rows of a plan their turns; those that cannot be carried out beside the others become errors. */
export async function judgeTogether(context: TransactionContext, bulk: BulkChange): Promise<void> {
  const { tx } = context
  if (bulk.origin !== 'file') return
  const rows = await tx.read<LinkingRow>(linking(tx.organizationId, bulk.id))
  if (rows.length === 0) return
  const awaited = [...new Set(rows.flatMap(({ awaits }) => awaits.map(({ row }) => row)))]
  const [good, columns, links] = await Promise.all([
    tx.read<{ number: number }>(writing(tx.organizationId, bulk.id, awaited)),
    mappedColumns(context, bulk),
    countLinks(context, bulk.kind, rows),
  ])
  const turns = turnsOf(new Map(rows.map(({ number, awaits }) => [number, awaits.map(({ row }) => row)])))
  const written = new Set(good.map(({ number }) => number))
  const inOrder = rows.toSorted(
    (one, other) => turnIn(turns, one) - turnIn(turns, other) || one.number - other.number,
  )
  const told = inOrder.flatMap((row) => {
    const found = turns.get(row.number)!
    const lost = row.awaits.flatMap((one) => {
      const message = faultOf(row.number, one, found, written)
      return message === null ? [] : [{ column: one.column, field: one.field, value: one.word, message }]
    })
    const problems =
      lost.length > 0
        ? lost
        : links.take(row).map(({ field, message }): Problem => {
            const column = columns.find(({ column }) => column.key === field)?.index ?? null
            return { column, field, value: null, message }
          })
    if (problems.length > 0) written.delete(row.number)
    const turn = typeof found === 'number' ? found : 0
    return turn > 0 || problems.length > 0 ? [{ number: row.number, turn, problems }] : []
  })
  if (told.length > 0) tx.write(keep(tx.organizationId, bulk.id, JSON.stringify(told)))
}

/** Those in a ring, and what waits for these, come last: none of them is written. */
const turnIn = (turns: ReadonlyMap<number, TurnOrRing>, { number }: LinkingRow): number => {
  const found = turns.get(number)!
  return typeof found === 'number' ? found : Number.MAX_SAFE_INTEGER
}

const RING_TOLD = 6

function faultOf(
  number: number,
  { word, row }: Awaited,
  found: TurnOrRing,
  written: ReadonlySet<number>,
): string | null {
  if (typeof found !== 'number' && found.includes(number) && found.includes(row)) {
    if (found.length === 1) return `${word} is what this row adds itself: name another`
    const told = found.length > RING_TOLD ? [...found.slice(0, RING_TOLD), '…'] : found
    return `${word} is added by row ${row} of this file, and that leads back to this row: rows ${told.join(', ')} name each other in a ring, so take one of the names out`
  }
  if (typeof found === 'number' && written.has(row)) return null
  return `${word} is added by row ${row} of this file, which has errors: correct that row as well`
}

interface Links {
  /** Counts the links that a row makes and ends, where all of them can be. @returns why they cannot */
  readonly take: (row: LinkingRow) => readonly { field: string; message: string }[]
}

/** How many links all have that rows name: those that stand, and those that rows make. */
async function countLinks(
  { tx }: TransactionContext,
  kind: Kind,
  rows: readonly LinkingRow[],
): Promise<Links> {
  const sides = new Map(sidesOf(kind).map((side) => [side.word, side]))
  const linksOf = ({ linked }: LinkingRow) =>
    Object.entries(linked ?? {}).flatMap(([word, { added, ended }]) => {
      const side = sides.get(word)
      return side ? [{ side, added, ended: Object.keys(ended) }] : []
    })
  const counts = await countsThere(
    tx,
    rows.map((row) => new Map(linksOf(row).map(({ side, added, ended }) => [side, [...added, ...ended]]))),
  )
  const toCome = new Map<string, number>()
  const count = (side: Side, id: string) => counts.get(side)?.get(id) ?? toCome.get(`${side.word} ${id}`) ?? 0
  const move = (side: Side, id: string, by: number) => {
    const known = counts.get(side)
    if (known?.has(id)) known.set(id, known.get(id)! + by)
    else toCome.set(`${side.word} ${id}`, count(side, id) + by)
  }
  return {
    take: (row) => {
      const added = [
        ...linksOf(row).flatMap(({ side, added }) => added.map((id) => ({ side, id }))),
        ...row.awaits.flatMap(({ field, row: number }) => {
          const side = sides.get(field.replace(/^links\./, ''))
          return side && field.startsWith('links.') ? [{ side, id: `row ${number}` }] : []
        }),
      ]
      const full = added.flatMap(({ side, id }) => {
        const refusal = asRefusal(() => refuseFull(side, 0, count(side, id)))
        return refusal instanceof Refusal
          ? [{ field: `links.${side.word}`, message: withoutStop(refusal.message) }]
          : []
      })
      if (full.length > 0) return full.slice(0, 1)
      for (const { side, id } of added) move(side, id, 1)
      for (const { side, ended } of linksOf(row)) for (const id of ended) move(side, id, -1)
      return []
    },
  }
}

const linking = statement(`
  select number, awaits, linked from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and done is null and ${WRITES}
     and (awaits <> '[]' or linked is not null)
   order by number`)

const writing = statement(`
  select number from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and number = any($3::int[]) and done is null and ${WRITES}`)

const keep = statement(`
  update bulk_change_rows r
     set turn = t.turn, problems = t.problems,
         planned = case when t.problems = '[]' then r.planned else 'error' end,
         changes = case when t.problems = '[]' then r.changes else '[]' end
    from jsonb_to_recordset($3::jsonb) as t (number int, turn int, problems jsonb)
   where r.organization_id = $1 and r.bulk_change_id = $2 and r.number = t.number`)
