import type { MouseEvent, RefObject } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { nameOf } from '../../../model/roles.ts'
import type { Field } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { ArchivedMark } from '../archived-mark.tsx'
import { Cell } from './cell.tsx'
import type { RowActs } from './row-acts.ts'
import type { Groups } from './use-groups.ts'

/*
 * What a row is, be it drawn as a line of the table or as a card. Each takes plain values, so that a row is drawn
 * again only when something of it changed.
 */

export interface Editing {
  id: string
  field: string
}

/** What the rows are drawn from, as a table or as cards. */
export interface RowsDrawn {
  kind: DescribedKind
  label: string
  columns: readonly Field[]
  rows: readonly AnyRecord[]
  /** Where the rows stand in groups. */
  groups: Groups | null
  total: number | undefined
  /** How many rows there is room for: those that are here, and those that can still come. */
  count: number
  window: { first: number; last: number }
  sort: string
  setSort: (sort: string) => void
  selected: ReadonlyMap<string, unknown>
  selectAll: () => void
  current: number
  editing: Editing | null
  canEdit: boolean
  acts: RowActs
  body: RefObject<HTMLElement | null>
}

/** What one row is drawn from. */
export interface RowDrawn {
  kind: DescribedKind
  columns: readonly Field[]
  record: AnyRecord
  index: number
  isSelected: boolean
  isCurrent: boolean
  /** The field that is being changed. */
  editing: string | null
  canEdit: boolean
  acts: RowActs
}

/** @param index its place among the rows, groups left out */
export function rowDrawn(
  { kind, columns, selected, current, editing, canEdit, acts }: RowsDrawn,
  record: AnyRecord,
  index: number,
): RowDrawn {
  return {
    kind,
    columns,
    record,
    index,
    isSelected: selected.has(record.id),
    isCurrent: current === index,
    editing: editing?.id === record.id ? editing.field : null,
    canEdit,
    acts,
  }
}

/** How many of the lines stand above the window, and how many below it. */
export function linesAround({ rows, groups, count, window: { first, last } }: RowsDrawn): {
  above: number
  below: number
} {
  const lines = groups?.lines.length ?? rows.length
  return { above: Math.min(first, lines), below: count - Math.min(last, lines) }
}

/** The name, which leads to the record. Not the router's own link, which costs more than the rest of the row. */
export function RowName({
  kind,
  record,
  index,
  acts,
  className,
}: Pick<RowDrawn, 'kind' | 'record' | 'index' | 'acts'> & { className: string | undefined }) {
  const path = `/${kind.page}/${record.id}`
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    acts.open(path)
  }
  return (
    <a href={path} className={className} onClick={open} onFocus={() => acts.visit(index)}>
      {record.archivedAt && <ArchivedMark />}
      {nameOf(kind, record)}
    </a>
  )
}

/** What the row has in a column. */
export function RowCell({
  field,
  row: { kind, record, canEdit, editing, acts },
}: {
  field: Field
  row: RowDrawn
}) {
  return (
    <Cell
      kind={kind}
      field={field}
      record={record}
      canEdit={canEdit && record.archivedAt === null}
      isOpen={editing === field.name}
      acts={acts}
    />
  )
}
