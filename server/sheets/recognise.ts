import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import type { Kind } from '../../model/kind.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { alike, memorable, type SheetColumn } from './columns.ts'

/*
 * Which column of a kind is meant by the words in the head of a file: its key or its title, however they are written,
 * or what somebody said the last time.
 */

/** What a column of a file is taken for, and what words in it stand for. */
export interface Recognised {
  readonly key: string | null
  /** Choices, by the letters of a word. */
  readonly meanings: Readonly<Record<string, string>>
}

/** @returns what is meant, in the order of the head */
export async function recognise(
  tx: Transaction,
  kind: Kind,
  columns: readonly SheetColumn[],
  head: readonly string[],
): Promise<Recognised[]> {
  const rows = await tx.read<Recognised & { title: string }>(
    remembered(tx.organizationId, kind.name, head.map(memorable)),
  )
  const said = new Map(rows.map((row) => [row.title, row]))
  const taken = new Set<string>()
  return head.map((title) => {
    const known = said.get(memorable(title))
    const key = known === undefined ? keyOf(columns, title) : known.key
    if (key === null || taken.has(key) || !columnAt(columns, key)) return { key: null, meanings: {} }
    taken.add(key)
    return { key, meanings: known?.meanings ?? {} }
  })
}

/** Keeps what the words were taken for. */
export function remember(
  tx: Transaction,
  kind: Kind,
  taken: readonly (Recognised & { readonly title: string })[],
): void {
  const all = new Map(taken.filter(({ title }) => title !== '').map((one) => [memorable(one.title), one]))
  const said = [...all.values()]
  tx.write(
    keep(
      tx.organizationId,
      kind.name,
      [...all.keys()],
      said.map(({ key }) => key),
      said.map(({ meanings }) => JSON.stringify(meanings)),
    ),
  )
}

/** The column with a key; also that of a custom field which nobody has defined. */
export function columnAt(columns: readonly SheetColumn[], key: string): SheetColumn | undefined {
  const known = columns.find((column) => column.key === key)
  if (known || !key.startsWith(CUSTOM) || key.length > CUSTOM.length + 100) return known
  const others = columns.find((column) => column.key === CUSTOM_FIELDS)
  const name = key.slice(CUSTOM.length)
  return (
    others && {
      ...others,
      key,
      title: name,
      path: [CUSTOM_FIELDS, name],
      field: { ...others.field, name, form: 'line' },
    }
  )
}

const CUSTOM = `${CUSTOM_FIELDS}.`

function keyOf(columns: readonly SheetColumn[], title: string): string | null {
  const plain = title.trim()
  if (plain === '') return null
  const found =
    columns.find(({ key }) => key === plain) ??
    columns.find((column) => column.title === plain) ??
    columns.find((column) => alike(column.title) === alike(plain)) ??
    columns.find(({ key }) => alike(key) === alike(plain)) ??
    columns.find(({ path, field }) => path.length > 1 && alike(field.title) === alike(plain)) ??
    columns.find((column) => plain.endsWith(`(${column.key})`))
  return found?.key ?? (plain.startsWith(CUSTOM) && plain.length > CUSTOM.length ? plain : null)
}

const remembered = statement(
  'select title, key, meanings from import_columns where organization_id = $1 and kind = $2 and title = any($3)',
)
const keep = statement(`
  insert into import_columns (organization_id, kind, title, key, meanings)
  select $1, $2, title, key, meanings::jsonb from unnest($3::text[], $4::text[], $5::text[]) as taken (title, key, meanings)
  on conflict (organization_id, kind, title) do update set key = excluded.key, meanings = excluded.meanings`)
