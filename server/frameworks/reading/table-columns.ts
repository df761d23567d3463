import { type CatalogRequirement, IMPORTANCES, REQUIREMENT_KINDS } from '../catalog.ts'
import { type Findings, quoted, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { faultOfText } from './shape.ts'

/* The columns of a table, found by their titles, and what is taken from the cells of a row. */

/** What the columns of a table are called. */
export const TITLES = {
  key: ['key', 'ref', 'ref id', 'reference', 'identifier', 'id', 'number'],
  parent: ['parent', 'parent key', 'parent id', 'parent ref id'],
  depth: ['depth'],
  title: ['title', 'name'],
  text: ['text', 'description', 'requirement', 'statement'],
  guidance: ['guidance'],
  kind: ['kind', 'type'],
  assessable: ['assessable'],
  levels: ['levels', 'level', 'implementation groups', 'implementation group', 'baselines'],
  importance: ['importance'],
  weight: ['weight'],
  typicalEvidence: ['typical evidence', 'evidence'],
  annotation: ['annotation', 'note', 'notes'],
} as const

export type ColumnName = keyof typeof TITLES

/** What a column of a table can be taken for. */
export const COLUMN_NAMES = Object.keys(TITLES) as [ColumnName, ...ColumnName[]]

export interface Column {
  readonly name: ColumnName
  /** Its place in the table, counted from 0. */
  readonly index: number
}

/** A row, before it is known what it stands beneath. */
export type Taken = Omit<CatalogRequirement, 'kind' | 'assessable' | 'parentKey'> & {
  readonly parent: string | undefined
  readonly depth: number | undefined
  readonly kind: CatalogRequirement['kind'] | undefined
  readonly assessable: boolean | undefined
}

const named = (title: string): ColumnName | null => {
  const asked = title
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
  return COLUMN_NAMES.find((one) => (TITLES[one] as readonly string[]).includes(asked)) ?? null
}

/** What the columns of a table are taken for by their titles. Of two that are taken for the same, the second is not. */
export const proposedFor = (head: readonly string[]): (ColumnName | null)[] => {
  const names = head.map(named)
  return names.map((name, index) => (name !== null && names.indexOf(name) === index ? name : null))
}

/**
 * @param chosen what each column is taken for; by the titles, where it is left out
 * @throws {Unreadable} without a column of keys
 */
export function columnsIn(
  head: readonly string[],
  findings: Findings,
  { chosen, headRow = 1 }: { chosen?: readonly (ColumnName | null)[]; headRow?: number } = {},
): Column[] {
  const columns: Column[] = []
  for (const [index, title] of head.entries()) {
    const name = chosen ? (chosen[index] ?? null) : named(title)
    const before = columns.find((column) => column.name === name)
    if (name === null) {
      if (title.trim() !== '') findings.note(`Column ${letterOf(index)} (${quoted(title)}) is left out.`)
    } else if (before)
      findings.fault(
        `row ${headRow}, column ${letterOf(index)}`,
        `is taken for ${name}, as column ${letterOf(before.index)} is: leave one of them out`,
      )
    else columns.push({ name, index })
  }
  if (!columns.some(({ name }) => name === 'key'))
    throw new Unreadable(
      `row ${headRow}`,
      chosen
        ? 'No column is chosen as key: choose the one with the keys of the requirements.'
        : `No column is called “key”: the first row names the columns, of which there are ${COLUMN_NAMES.join(', ')}.`,
    )
  return columns
}

/** As spreadsheets call a column. */
function letterOf(index: number): string {
  let [letters, rest] = ['', index]
  do {
    letters = String.fromCharCode(65 + (rest % 26)) + letters
    rest = Math.floor(rest / 26) - 1
  } while (rest >= 0)
  return letters
}

/** Marks, where an empty cell is the other answer. */
const MARKS = ['x', '✓', '✔', '☑', '☒', '✗', '✘', '●', '•', '*']
const YES = ['true', 'yes', 'y', '1', 'ja', 'j', 'oui', 'o', 'sí', 'si', 'sì', 'sim', 'tak', 'ano', 'da']
const NO = ['false', 'no', 'n', '0', 'nein', 'non', 'nee', 'nej', 'não', 'nie', 'ne', '-', '–', '—', '☐']

const FLAGS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries([...YES, ...MARKS].map((word) => [word, true])),
  ...Object.fromEntries(NO.map((word) => [word, false])),
}

/**
 * Whether a column marks what is assessable: by a mark such as x, or by saying yes in some cells and nothing in the
 * others. An empty cell then means no.
 */
export function isMarking(column: Column | undefined, rows: readonly (readonly unknown[])[]): boolean {
  if (!column) return false
  const words = new Set(
    rows.map((cells) =>
      String(cells[column.index] ?? '')
        .trim()
        .toLowerCase(),
    ),
  )
  if (MARKS.some((mark) => words.has(mark))) return true
  return YES.some((word) => words.has(word)) && !NO.some((word) => words.has(word))
}

/** What a row is read by, beside its cells. */
export interface RowRules {
  /** Whether an empty cell of assessable means no. */
  readonly isMarking: boolean
  /** Whether rows below this one are deeper. */
  readonly isAbove: boolean
}

/** null, which is a fault, where it has no key and is no heading. A heading without a key has the key null. */
export function takeRow(
  number: number,
  cells: readonly unknown[],
  columns: readonly Column[],
  findings: Findings,
  rules: RowRules = { isMarking: false, isAbove: false },
): (Omit<Taken, 'key'> & { readonly key: string | null }) | null {
  const placeOf = (name: ColumnName) =>
    `row ${number}, column ${letterOf(columns.find((column) => column.name === name)!.index)}`
  const cell = (name: ColumnName): unknown => {
    const index = columns.find((column) => column.name === name)?.index
    return index === undefined ? undefined : (cells[index] ?? undefined)
  }
  const text = (name: ColumnName, longest: number): string | undefined => {
    const value = cell(name)
    if (value === undefined) return undefined
    if (typeof value === 'object') {
      findings.fault(placeOf(name), 'is a date or an object: make the cell a text')
      return undefined
    }
    const said = String(value).trim()
    const fault = faultOfText(said, longest)
    if (fault) findings.fault(placeOf(name), fault)
    return fault || said === '' ? undefined : said
  }
  const chosen = <Value>(name: ColumnName, choices: Readonly<Record<string, Value>>): Value | undefined => {
    const said = text(name, LIMITS.key)?.toLowerCase()
    if (said === undefined) return undefined
    if (Object.hasOwn(choices, said)) return choices[said]
    findings.fault(placeOf(name), `is ${quoted(said)}: give one of ${Object.keys(choices).join(', ')}`)
    return undefined
  }
  const counted = (name: ColumnName, isTaken: (value: number) => boolean, right: string) => {
    const said = text(name, LIMITS.key)
    if (said === undefined) return undefined
    const value = Number(said)
    if (isTaken(value)) return value
    findings.fault(placeOf(name), `is ${quoted(said)}: give ${right}`)
    return undefined
  }
  const isEmpty = (name: ColumnName) => [undefined, null].includes(cell(name) as null) || isBlank(cell(name))
  const key = text('key', LIMITS.key)
  const assessable =
    chosen('assessable', FLAGS) ?? (rules.isMarking && isEmpty('assessable') ? false : undefined)
  const kind = chosen('kind', same(REQUIREMENT_KINDS))
  const isHeading =
    isEmpty('key') &&
    assessable !== true &&
    !(isEmpty('title') && isEmpty('text')) &&
    (assessable === false ||
      kind === 'group' ||
      kind === 'statement' ||
      (kind === undefined && rules.isAbove))
  if (key === undefined && isEmpty('key') && !isHeading)
    findings.fault(placeOf('key'), 'is empty: give the key that the requirement is printed with')
  if (columns.some(({ name }) => name === 'title') && isEmpty('title') && isEmpty('text'))
    findings.fault(placeOf('title'), 'is empty: give a title, or a text whose first line is one')
  const optional = {
    title: text('title', LIMITS.title),
    text: text('text', LIMITS.text),
    guidance: text('guidance', LIMITS.text),
    typicalEvidence: text('typicalEvidence', LIMITS.typicalEvidence),
    annotation: text('annotation', LIMITS.text),
    importance: chosen('importance', same(IMPORTANCES)),
    weight: counted('weight', (value) => value >= 0 && value <= 1_000, 'a number from 0 to 1000'),
  }
  const row = {
    parent: text('parent', LIMITS.key),
    depth: counted('depth', (value) => Number.isInteger(value) && value >= 1, 'a whole number from 1'),
    kind,
    assessable,
    levels: [...new Set((text('levels', LIMITS.text) ?? '').split(/[|,;]/).map((one) => one.trim()))].filter(
      Boolean,
    ),
    place: `row ${number}`,
  }
  if (key === undefined && !isHeading) return null
  const there = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return { key: key ?? null, ...row, ...there }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

const same = <Value extends string>(values: readonly Value[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<string, Value>
