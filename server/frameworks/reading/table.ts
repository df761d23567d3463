import type { Catalog, CatalogLevel, CatalogRequirement } from '../catalog.ts'
import { arrange } from './arrange.ts'
import { type Findings, quoted, type Reading, reading, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { slug } from './slug.ts'
import { type Column, type ColumnName, columnsIn, isMarking, type Taken, takeRow } from './table-columns.ts'

/*
 * A framework of one's own, as a table: a row for each requirement. Which stands beneath which is said by the key of the
 * parent, by a depth, or by keys that begin with those of their parents (5, 5.1, 5.1.2).
 */

export type Hierarchy = 'parent' | 'depth' | 'dotted'

/** What a table does not say of itself. */
export type TableAbout = Omit<Catalog, 'levels' | 'requirements'>

export interface Table {
  readonly head: readonly string[]
  /** The row in which the head is; the first, where it is left out. */
  readonly headRow?: number
  /** What each column is taken for; by the titles, where it is left out. */
  readonly columns?: readonly (ColumnName | null)[]
  /** With the number by which a spreadsheet shows each. */
  readonly rows: Iterable<readonly [number: number, cells: readonly unknown[]]>
}

/** @param hierarchy by the column that is there, where it is left out */
export const readTable = (table: Table, about: TableAbout, hierarchy?: Hierarchy): Reading =>
  reading((findings) => {
    const { head, headRow, columns: chosen } = table
    const columns = columnsIn(head, findings, { ...(chosen && { chosen }), ...(headRow && { headRow }) })
    const by = hierarchyOf(columns, hierarchy)
    const taken = withKeys(rowsOf(table, columns, by, findings))
    const found = withParents(taken, by, findings)
    const levels = levelsOf(found)
    return { ...about, levels, requirements: arrange(found, levels, findings) }
  })

type Keyless = Omit<Taken, 'key'> & { readonly key: string | null }

function rowsOf(
  table: Table,
  columns: readonly Column[],
  by: Hierarchy | null,
  findings: Findings,
): Keyless[] {
  const rows: (readonly [number: number, cells: readonly unknown[]])[] = []
  for (const row of table.rows) {
    if (rows.length > LIMITS.requirements) break
    rows.push(row)
  }
  const column = (name: ColumnName) => columns.find((one) => one.name === name)
  const marks = isMarking(
    column('assessable'),
    rows.map(([, cells]) => cells),
  )
  const depthOf = (at: number) => Number(rows[at]?.[1][column('depth')?.index ?? -1] ?? 0)
  return rows.flatMap(([number, cells], at) => {
    const isAbove = by === 'depth' && depthOf(at + 1) > depthOf(at)
    return takeRow(number, cells, columns, findings, { isMarking: marks, isAbove }) ?? []
  })
}

/** Headings that have no key are called by their title. */
function withKeys(rows: readonly Keyless[]): Taken[] {
  const keys = new Set(rows.map(({ key }) => key))
  /** The last number behind each name: to begin again for each row would take the square of their number. */
  const numbers = new Map<string, number>()
  return rows.map((row) => {
    if (row.key !== null) return { ...row, key: row.key }
    const name = slug(row.title ?? row.text ?? '').slice(0, LIMITS.key - 6)
    let key = name
    let number = numbers.get(name) ?? 1
    while (keys.has(key)) {
      number += 1
      key = `${name}-${number}`
    }
    numbers.set(name, number)
    keys.add(key)
    return { ...row, key }
  })
}

/** All that rows name, up to the first that are too many. */
function levelsOf(found: readonly CatalogRequirement[]): CatalogLevel[] {
  const keys = new Set<string>()
  for (const { levels } of found)
    for (const level of levels) {
      if (keys.size > LIMITS.levels) break
      keys.add(level.normalize('NFC'))
    }
  return [...keys].map((key) => ({ key, title: key }))
}

function hierarchyOf(columns: readonly Column[], wanted: Hierarchy | undefined): Hierarchy | null {
  const has = (name: 'parent' | 'depth') => columns.some((column) => column.name === name)
  if (wanted === undefined) return has('parent') ? 'parent' : has('depth') ? 'depth' : null
  if (wanted !== 'dotted' && !has(wanted))
    throw new Unreadable(
      '',
      `The table has no column ${quoted(wanted)}: add it, or say what else tells what stands beneath what.`,
    )
  return wanted
}

function withParents(
  taken: readonly Taken[],
  by: Hierarchy | null,
  findings: Findings,
): CatalogRequirement[] {
  const keys = new Set(taken.map(({ key }) => key))
  /** The last at each depth. */
  const above: (string | undefined)[] = []
  const parents = taken.map(({ key, parent, depth, place }, index) => {
    if (by === 'parent') return parent
    if (by === 'dotted') return dottedParent(key, keys)
    if (by !== 'depth') return undefined
    if (depth === undefined) {
      findings.fault(place, 'has no depth: give 1, or one more than that of the row it stands beneath')
      return undefined
    }
    if (depth > above.length + 1)
      findings.fault(
        place,
        `has depth ${depth} behind ${index === 0 ? 'no row' : `one of ${above.length}`}: give at most ${above.length + 1}`,
      )
    above.length = Math.min(depth - 1, above.length)
    above.push(key)
    return depth > 1 ? above[depth - 2] : undefined
  })
  const withChildren = new Set(parents)
  return taken.map(({ key, parent: _, depth: __, kind, assessable, ...rest }, index) => {
    const parentKey = parents[index]
    const is = kind ?? (withChildren.has(key) && assessable !== true ? 'group' : 'requirement')
    return {
      key,
      ...(parentKey !== undefined && { parentKey }),
      kind: is,
      assessable: assessable ?? (is === 'requirement' || is === 'question'),
      ...rest,
    }
  })
}

/** The longest beginning of it that is a key: of A.5.1.2 that is A.5.1, else A.5, else A. */
function dottedParent(key: string, keys: ReadonlySet<string>): string | undefined {
  // A key that is longer than any may be is refused, and has no parent that is one.
  if (key.length > LIMITS.requirementKey) return undefined
  for (let end = key.length - 1; end > 0; end -= 1)
    if (key[end] === '.' || key[end] === '(' || key[end] === '-') {
      const beginning = key.slice(0, end).trimEnd()
      if (keys.has(beginning)) return beginning
    }
  return undefined
}
