import type { Values } from '../../model/complaint.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Side } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { statement, statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { daysEnding } from '../records/ends-of-days.ts'
import { mayRead } from '../records/readable.ts'
import { type SheetColumn, valueIn } from './columns.ts'

/** What ids and moments in records stand for, as cells have it. */
export interface Names {
  /** A person by name, with their id where others have the same. */
  principal(of: { readonly refId: string; readonly displayName: string }): string
  /** A record by its reference and its name; by its id where its reader may not know more. */
  record(id: string): string
  /** The references of what a record is linked with. */
  linksOf(side: Side, id: string): readonly string[]
  /** Until when something holds, or is to be done: the day, where it is all of that. */
  until(moment: string): string
}

/** Reads what the ids in some records stand for. */
export async function readNames(
  { tx, caller }: TransactionContext,
  columns: readonly SheetColumn[],
  records: readonly Values[],
): Promise<Names> {
  const valuesOf = (form: string) =>
    columns
      .filter(({ field, side }) => field.form === form && !side)
      .flatMap((column) => records.map((record) => valueIn(record, column)).filter((one) => one !== null))
  const readable = new Set(everyKind.filter((kind) => mayRead(caller, kind)).map(({ idPrefix }) => idPrefix))
  const pointed = [...new Set(valuesOf('record').map(String))]
  const people = valuesOf('principal') as { refId: string; displayName: string }[]
  const sides = columns.flatMap(({ side }) => side ?? [])
  const [called, users, links, until] = await Promise.all([
    readCalled(
      tx,
      pointed.filter((id) => readable.has(prefixOf(id))),
    ),
    readUsers(
      tx,
      pointed.filter((id) => prefixOf(id) === 'usr'),
    ),
    Promise.all(sides.map(async (side) => [side, await readLinks(tx, side, records)] as const)),
    daysEnding(tx),
  ])
  const shared = await readShared(tx, [...people.map((one) => one.displayName), ...users.values()])
  const person = (id: string, name: string) => (shared.has(name) ? `${name} [${id}]` : name)
  const linked = new Map(links)
  return {
    principal: ({ refId, displayName }) => person(refId, displayName),
    record: (id) => {
      const user = users.get(id)
      return user === undefined ? (called.get(id) ?? id) : person(id, user)
    },
    linksOf: (side, id) => linked.get(side)?.get(id) ?? [],
    until,
  }
}

const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

async function readCalled(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.read<{ id: string; reference: string; called: string }>(
    called(tx.organizationId, ids),
  )
  return new Map(rows.map((row) => [row.id, `${row.reference} ${row.called}`]))
}

async function readUsers(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.read<{ id: string; name: string }>(users(tx.organizationId, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Which of some names are not those of one human alone: a user and their own entry in the directory are one. */
async function readShared(tx: Transaction, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const rows = await tx.read<{ name: string }>(sharedNames(tx.organizationId, [...new Set(names)]))
  return new Set(rows.map(({ name }) => name))
}

async function readLinks(
  tx: Transaction,
  side: Side,
  records: readonly Values[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.read<{ id: string; linked: string[] }>(
    readLinked(side)(
      tx.organizationId,
      records.map(({ id }) => id),
    ),
  )
  return new Map(rows.map(({ id, linked }) => [id, linked]))
}

const readLinked = statementOf((side: Side) => {
  const { here, there } = linkColumns(side)
  return `
    select l.${here} as id, array_agg(k.reference order by l.${there}) as linked
      from ${side.relation.table} l
      join known_records k on k.organization_id = l.organization_id and k.id = l.${there}
     where l.organization_id = $1 and l.${here} = any($2) group by l.${here}`
})

const called = statement(
  'select id, reference, called from known_records where organization_id = $1 and id = any($2)',
)
const users = statement(
  'select user_id as id, name from members where organization_id = $1 and user_id = any($2)',
)
const sharedNames = statement(`
  select name from (
    select name from members where organization_id = $1 and name = any($2) and status <> 'removed'
    union all
    select full_name from personnel where organization_id = $1 and full_name = any($2) and user_id is null) all_names
   group by name having count(*) > 1`)
