import { type CatalogRequirement, IMPORTANCES, REQUIREMENT_KINDS } from '../catalog.ts'
import { type Findings, quoted, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { faultOfText } from './shape.ts'

/* The columns of a table, found by their titles, and what is taken from the cells of a row. */

const TITLES = {
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

type ColumnName = keyof typeof TITLES

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

/** @throws {Unreadable} without a column of keys */
export function columnsIn(head: readonly string[], findings: Findings): Column[] {
  const columns: Column[] = []
  for (const [index, title] of head.entries()) {
    const asked = title
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ' ')
      .trim()
    const name = (Object.keys(TITLES) as ColumnName[]).find((one) =>
      (TITLES[one] as readonly string[]).includes(asked),
    )
    const before = columns.find((column) => column.name === name)
    if (name === undefined) {
      if (asked !== '') findings.note(`Column ${letterOf(index)} (${quoted(title)}) is left out.`)
    } else if (before)
      findings.fault(
        `row 1, column ${letterOf(index)}`,
        `is taken for ${name}, as column ${letterOf(before.index)} is: leave one of them out`,
      )
    else columns.push({ name, index })
  }
  if (!columns.some(({ name }) => name === 'key'))
    throw new Unreadable(
      'row 1',
      `No column is called “key”: the first row names the columns, of which there are ${Object.keys(TITLES).join(', ')}.`,
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

const FLAGS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, x: true, 1: true },
  ...{ false: false, no: false, 0: false },
}

/** null, which is told, where it has no key. */
export function takeRow(
  number: number,
  cells: readonly unknown[],
  columns: readonly Column[],
  findings: Findings,
): Taken | null {
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
  if (key === undefined && isEmpty('key'))
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
    kind: chosen('kind', same(REQUIREMENT_KINDS)),
    assessable: chosen('assessable', FLAGS),
    levels: [...new Set((text('levels', LIMITS.text) ?? '').split(/[|,;]/).map((one) => one.trim()))].filter(
      Boolean,
    ),
    place: `row ${number}`,
  }
  if (key === undefined) return null
  const there = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return { key, ...row, ...there }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

const same = <Value extends string>(values: readonly Value[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<string, Value>
