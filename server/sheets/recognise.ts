import { CUSTOM_FIELDS } from '../../model/custom-field.ts'
import type { Kind } from '../../model/kind.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { alike, type DateOrder, isDate, memorable, type SheetColumn } from './columns.ts'
import { folded, withoutBrackets } from './reading/alike.ts'
import { columnsMeant } from './title-synonyms.ts'

/*
 * Which column of a kind is meant by the words in the head of a file: one whose key or title they are, what somebody
 * said the last time, or one whose key or title they are but for how they are written; where that leaves a title over,
 * a column that is often called so. What the service itself writes outranks what was said, so that an export comes in
 * as what it was for everybody in the organization.
 */

/** What a column of a file is taken for, and what words in it stand for. */
export interface Recognised {
  readonly key: string | null
  /** Choices, or the ids of people, by the letters of a word. */
  readonly meanings: Readonly<Record<string, string>>
  /** Of dates, what whoever brings the file in has said that comes first there. */
  readonly dates?: DateOrder
  /** Of amounts, likewise, in which currency those are that say none. */
  readonly currency?: string
}

/** @returns what is meant, in the order of the head */
export async function recogniseHead(
  tx: Transaction,
  kind: Kind,
  columns: readonly SheetColumn[],
  head: readonly string[],
  userId: string,
): Promise<Recognised[]> {
  const rows = await tx.read<Recognised & { title: string }>(
    remembered(tx.organizationId, kind.name, head.map(memorable), userId),
  )
  return recognise(kind, columns, new Map(rows.map((row) => [row.title, row])), head)
}

export const NOTHING_SAID: ReadonlyMap<string, Recognised> = new Map()

/** @param said what was said of titles, by their letters */
export function recognise(
  kind: Kind,
  columns: readonly SheetColumn[],
  said: ReadonlyMap<string, Recognised>,
  head: readonly string[],
): Recognised[] {
  const own = head.map((title) => exactly(columns, title)?.key)
  const reserved = new Set(own)
  const taken = new Set<string>()
  const found = head.map((title, at): Recognised => {
    const known = said.get(memorable(title))
    const other = known ? (known.key ?? nearly(columns, title)?.key ?? null) : keyOf(columns, title)
    const key = own[at] ?? (other !== null && reserved.has(other) ? null : other)
    const column = key === null ? undefined : columnAt(columns, key)
    if (key === null || taken.has(key) || !column || isSet(column)) return { key: null, meanings: {} }
    taken.add(key)
    if (known?.key !== key) return { key, meanings: {} }
    const { meanings, dates } = known
    return { key, meanings, ...(dates && { dates }) }
  })
  const open = head.flatMap((title, at) =>
    found[at]!.key !== null ||
    isTitleOfSet(columns, title) ||
    title.trim() === '' ||
    said.has(memorable(title))
      ? []
      : [[at, title] as const],
  )
  const meant = columnsMeant(kind, columns, new Map(open), taken)
  const all = found.map((one, at) => (meant.has(at) ? { key: meant.get(at)!, meanings: {} } : one))
  return withPartsOfName(kind, columns, head, all)
}

/** Titles that mean the whole name where it stands alone, and one part of it next to the other part. */
const BARE_NAME = new Set(['name', 'nom', 'nombre'])

/** "Vorname; Name", "Nom; Prénom" and "Nombre; Apellidos" have the name in two parts. */
function withPartsOfName(
  kind: Kind,
  columns: readonly SheetColumn[],
  head: readonly string[],
  all: readonly Recognised[],
): Recognised[] {
  const { composed } = kind
  const whole = composed ? all.findIndex(({ key }) => key === composed.field) : -1
  const bare = folded(withoutBrackets(head[whole] ?? ''))
  if (!composed || !BARE_NAME.has(bare)) return [...all]
  const fields = composed.parts.filter((part) => Object.hasOwn(kind.fields, part))
  const missing = fields.filter((part) => !all.some(({ key }) => key === part))
  const [part, ...others] = missing
  const isPart = part !== undefined && others.length === 0 && columnAt(columns, part) !== undefined
  return all.map((one, at) => (isPart && at === whole ? { key: part, meanings: {} } : one))
}

/**
 * Keeps what the words were taken for, where that is of use to whoever brings in the next file. What comes first in dates
 * is kept for whoever said it alone: a colleague may write them otherwise, and would see no error.
 */
export function remember(
  { tx, caller }: TransactionContext,
  kind: Kind,
  columns: readonly SheetColumn[],
  taken: readonly (Recognised & { readonly title: string })[],
): void {
  const all = new Map<string, Recognised>()
  for (const one of taken.filter((each) => isMemorable(columns, each))) {
    const title = memorable(one.title)
    // Of two columns that are called alike, what one is left out for says nothing of the other.
    if ((all.get(title)?.key ?? null) === null) all.set(title, one)
  }
  const said = [...all.values()]
  tx.write(
    keep(
      tx.organizationId,
      kind.name,
      [...all.keys()],
      said.map(({ key }) => key),
      said.map(({ meanings }) => JSON.stringify(meanings)),
      said.map(({ key, dates }) => {
        const of = key === null ? undefined : columnAt(columns, key)
        return JSON.stringify(dates && of && isDate(of) ? { [caller.userId]: dates } : {})
      }),
    ),
  )
}

/** A title that is just that of a column is never said to be another's; nor is one that is much like it left out. */
function isMemorable(
  columns: readonly SheetColumn[],
  { title, key }: Recognised & { readonly title: string },
): boolean {
  if (title === '') return false
  const own = exactly(columns, title)
  if (own) return own.key === key
  return key !== null || !nearly(columns, title)
}

/** The column with a key; also that of a custom field which nobody has defined. */
export function columnAt(columns: readonly SheetColumn[], key: string): SheetColumn | undefined {
  const known = columns.find((column) => column.key === key)
  const name = key.startsWith(CUSTOM) ? key.slice(CUSTOM.length) : ''
  if (known || name.trim() === '' || name.length > 100) return known
  const others = columns.find((column) => column.key === CUSTOM_FIELDS)
  return (
    others && {
      ...others,
      key,
      title: name,
      path: [CUSTOM_FIELDS, name],
      isFree: true,
      field: { ...others.field, name, form: 'line' },
    }
  )
}

const CUSTOM = `${CUSTOM_FIELDS}.`

function keyOf(columns: readonly SheetColumn[], title: string): string | null {
  const plain = title.trim()
  if (plain === '') return null
  const letters = alike(plain)
  const found =
    exactly(columns, plain) ??
    nearly(columns, plain) ??
    columns.find((column) => column.path.length > 1 && lettersOf(column).field === letters) ??
    (plain.endsWith(')') ? columns.find((column) => plain.endsWith(`(${column.key})`)) : undefined)
  return found?.key ?? (columnAt(columns, plain) ? plain : null)
}

/** Fields that the service sets and that are still of use in a file: they find a record, or check one. */
const USED: readonly string[] = ['id', 'reference', 'updatedAt', 'source']

/** Whether only the service sets the field of a column. A link that is made from its other side is no such field. */
const isSet = ({ key, isTaken, side }: SheetColumn): boolean => !isTaken && !side && !USED.includes(key)

/** Whether a title is that of a field that only the service sets: no file gives it a value. */
export function isTitleOfSet(columns: readonly SheetColumn[], title: string): boolean {
  const column = exactly(columns, title) ?? nearly(columns, title)
  return column !== undefined && isSet(column)
}

/** The column whose key or title a title is, letter by letter: so it stands in what the service writes. */
function exactly(columns: readonly SheetColumn[], title: string): SheetColumn | undefined {
  const plain = title.trim()
  return columns.find(({ key }) => key === plain) ?? columns.find((column) => column.title === plain)
}

/** The same, but for capitals, spaces and signs. */
function nearly(columns: readonly SheetColumn[], title: string): SheetColumn | undefined {
  const letters = alike(title)
  return (
    columns.find((column) => lettersOf(column).title === letters) ??
    columns.find((column) => lettersOf(column).key === letters)
  )
}

interface Letters {
  readonly title: string
  readonly key: string
  readonly field: string
}

const known = new WeakMap<SheetColumn, Letters>()

/** By what a column is found, worked out once: at the top of a wide sheet thousands of words ask for it. */
function lettersOf(column: SheetColumn): Letters {
  const before = known.get(column)
  if (before) return before
  const { title, key, field } = column
  const letters = { title: alike(title), key: alike(key), field: alike(field.title) }
  known.set(column, letters)
  return letters
}

const remembered = statement(
  `select title, key, meanings, dates->>$4::text as dates
     from import_columns where organization_id = $1 and kind = $2 and title = any($3)`,
)
const keep = statement(`
  insert into import_columns (organization_id, kind, title, key, meanings, dates)
  select $1, $2, title, key, meanings::jsonb, dates::jsonb
    from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as taken (title, key, meanings, dates)
  on conflict (organization_id, kind, title) do update
     set key = excluded.key, meanings = excluded.meanings, dates = import_columns.dates || excluded.dates`)
