import { columnOf } from '../../model/column-names.ts'
import { storageOf } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import type { Side } from '../../model/relations.ts'
import { nameColumn } from '../../model/roles.ts'
import { linkColumns } from '../../model/sides.ts'
import { actorOf } from '../caller/caller.ts'
import { statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { type AuditRow, entry, insertEntries } from '../journal/audit.ts'
import type { TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { refuseArchived } from './archived.ts'
import { attributesAfter } from './link-attributes.ts'
import { endsOf, eventOf, refuseFull, type Told } from './link-changes.ts'
import { attributeValues } from './link-statements.ts'
import { referenceIn } from './reference.ts'

/*
 * Links of many new records with what stands already, by a few statements for all of them: one by one each link would
 * take five. None of them has a link yet, and nobody else can see them, so nothing leads round and only what is there
 * has to be locked and counted.
 */

/** A new record, and what it is to be linked with by each side. */
export interface NewLinks {
  readonly here: string
  readonly links: ReadonlyMap<Side, readonly string[]>
}

/**
 * Links records of one kind that the same transaction has made.
 * @throws {Refusal} `not_found` where one of the others is not here, `conflict` where it is archived, `link_limit_reached`
 */
export async function linkNewRecords(
  { tx, caller }: TransactionContext,
  all: readonly NewLinks[],
): Promise<void> {
  const sides = [...new Set(all.flatMap(({ links }) => [...links.keys()]))]
  const wanted = sides
    .map((side) => ({ side, pairs: pairsOf(all, side) }))
    .filter(({ pairs }) => pairs.length > 0)
  if (wanted.length === 0) return
  const [others, { time, here }] = await Promise.all([
    lockOthers(tx, wanted),
    nameNew(tx, sides[0]!.kind, [...new Set(wanted.flatMap(({ pairs }) => pairs.map(([one]) => one)))]),
  ])
  const counts = await Promise.all(
    wanted.map(({ side, pairs }) =>
      countThere(
        tx,
        side,
        pairs.map(([, there]) => there),
      ),
    ),
  )
  const entries: AuditRow[] = []
  for (const [index, { side, pairs }] of wanted.entries()) {
    const says = attributesAfter(side, null, {})
    const gained = new Map<string, number>(counts[index])
    for (const [one, other] of pairs) {
      const there = others.get(other)
      if (!there) throw notFound()
      refuseArchived(side.other, { ...there })
      const [ours, theirs] = [gained.get(one) ?? 0, gained.get(other) ?? 0]
      refuseFull(side, ours, theirs)
      gained.set(one, ours + 1).set(other, theirs + 1)
      for (const end of endsOf(side, here.get(one)!, there))
        entries.push(entry(caller, eventOf('link', time, end, null, says)))
    }
    const by = JSON.stringify(actorOf(caller))
    const [from, to] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
    tx.write(putAll(side)(tx.organizationId, from, to, time, by, ...attributeValues(side, says)))
  }
  tx.write(insertEntries(entries))
}

type Pair = readonly [here: string, there: string]

interface Wanted {
  readonly side: Side
  readonly pairs: readonly Pair[]
}

const pairsOf = (all: readonly NewLinks[], side: Side): Pair[] =>
  all.flatMap(({ here, links }) => [...new Set(links.get(side) ?? [])].map((there) => [here, there] as const))

/** In the order of their ids whatever their kinds, as whoever links has them: an id begins with what tells its kind. */
async function lockOthers(tx: Transaction, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, Other>> {
  const byKind = Map.groupBy(wanted, ({ side }) => side.other)
  const inOrder = [...byKind]
    .map(([kind, those]) => ({
      kind,
      ids: [...new Set(those.flatMap(({ pairs }) => pairs.map(([, there]) => there)))].sort(),
    }))
    .toSorted((one, other) => (one.ids[0]! < other.ids[0]! ? -1 : 1))
  const rows = await Promise.all(
    inOrder.map(({ kind, ids }) => tx.read<Other>(lockMany(kind)(tx.organizationId, ids))),
  )
  return new Map(rows.flat().map((row) => [row.id, row]))
}

async function nameNew(tx: Transaction, kind: Kind, ids: readonly string[]) {
  const rows = await tx.read<Told & { time: string }>(nameMany(kind)(tx.organizationId, ids))
  return { time: rows[0]!.time, here: new Map(rows.map(({ time: _, ...row }) => [row.id, row])) }
}

/** How many links each of some records at the other end of a side has by it; those that have none are left out. */
export async function countThere(
  tx: Transaction,
  side: Side,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.read<{ id: string; count: number }>(
    countMany(side)(tx.organizationId, [...new Set(ids)]),
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** What a new record is linked with. */
type Other = Told & { readonly archivedAt: string | null }

const told = (kind: Kind) =>
  `id, ${referenceIn(kind)} as reference, ${nameColumn(kind)} as title, archived_at as "archivedAt"`

const lockMany = statementOf(
  (kind: Kind) => `select ${told(kind)} from ${kind.table}
    where organization_id = $1 and id = any($2::text[]) order by id for no key update`,
)

const nameMany = statementOf(
  (kind: Kind) => `select ${told(kind)}, clock_now() as time from ${kind.table}
    where organization_id = $1 and id = any($2::text[])`,
)

const countMany = statementOf((side: Side) => {
  const { there } = linkColumns(side)
  return `select ${there} as id, count(*) from ${side.relation.table}
    where organization_id = $1 and ${there} = any($2::text[]) group by ${there}`
})

/** $2 are the new records and $3 what each is linked with; then when, by whom, and what all of these links say. */
const putAll = statementOf((side: Side) => {
  const { here, there } = linkColumns(side)
  const fields = Object.entries(side.relation.fields)
  const columns = [
    'organization_id',
    here,
    there,
    'linked_at',
    'linked_by',
    ...fields.map(([field]) => columnOf(field)),
  ]
  const says = fields.map(([, schema], index) => `, $${index + 6}::${storageOf(schema)}`)
  return `insert into ${side.relation.table} (${columns.join(', ')})
    select $1, here, there, $4::timestamptz, $5::jsonb${says.join('')}
      from unnest($2::text[], $3::text[]) as pairs (here, there)`
})
