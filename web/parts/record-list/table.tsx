import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type CSSProperties, type MouseEvent, memo, type RefObject } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import { sortFieldsOf } from '../../../kinds/listing.ts'
import { type Field, fieldsOf, nameOf } from '../../client/fields.ts'
import type { AnyRecord, Principal } from '../../client/records.ts'
import { records, valueWord } from '../../words/records.ts'
import { Cell } from './cell.tsx'
import { GroupHead, MoreOfGroup } from './group-lines.tsx'
import styles from './table.module.css'
import type { Groups } from './use-groups.ts'
import { ROW_HEIGHT } from './use-window.ts'
import { nextSort } from './view.ts'

/** What a row can ask for. The same object for as long as the list stands, so that rows are not drawn again. */
export interface RowActs {
  select: (index: number, withRange: boolean) => void
  edit: (id: string | null, field?: string) => void
  setState: (record: AnyRecord, state: string) => void
  setPrincipal: (record: AnyRecord, field: string, principal: Principal | null) => void
  visit: (index: number) => void
  open: (path: string) => void
}

export interface Editing {
  id: string
  field: string
}

/** What the rows are drawn from, as a table or as cards. */
export interface RowsDrawn {
  kind: Kind
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

/** The rows in sight, at one height each, beneath a head that stays. */
export function Table({
  kind,
  label,
  columns,
  rows,
  groups,
  total,
  count,
  window: { first, last },
  sort,
  setSort,
  selected,
  selectAll,
  current,
  editing,
  canEdit,
  acts,
  body,
}: RowsDrawn) {
  const name = fieldsOf(kind).get(kind.columns[0]!)!
  const reference = fieldsOf(kind).get('reference')!
  const heads = [name, reference, ...columns]
  const width = columns.reduce((sum, field) => sum + widthOf(kind, field), NAME_WIDTH + REFERENCE_WIDTH + 36)
  const lines = groups?.lines.length ?? rows.length
  const above = Math.min(first, lines)
  const below = count - Math.min(last, lines)
  const rowAt = (record: AnyRecord, index: number) => (
    <Row
      key={record.id}
      kind={kind}
      columns={columns}
      record={record}
      index={index}
      isSelected={selected.has(record.id)}
      isCurrent={current === index}
      editing={editing?.id === record.id ? editing.field : null}
      canEdit={canEdit}
      acts={acts}
    />
  )
  const span = heads.length + (canEdit ? 1 : 0)
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <table
      className={styles.table}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      style={{ '--width': `${width}px` } as CSSProperties}
    >
      <colgroup>
        {canEdit && <col style={{ width: 36 }} />}
        <col />
        <col style={{ width: REFERENCE_WIDTH }} />
        {columns.map((field) => (
          <col key={field.name} style={{ width: widthOf(kind, field) }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {canEdit && (
            <th scope="col" className={styles.select}>
              <Checkbox
                aria-label={records.selectAll}
                checked={isAll}
                indeterminate={!isAll && selected.size > 0}
                onChange={selectAll}
              />
            </th>
          )}
          {heads.map((field) => (
            <Head key={field.name} field={field} kind={kind} sort={sort} setSort={setSort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body as RefObject<HTMLTableSectionElement | null>}>
        {above > 0 && <Gap rows={above} span={span} />}
        {groups
          ? groups.lines.slice(above, last).map((line) =>
              line.is === 'row' ? (
                rowAt(line.row, line.index)
              ) : (
                <tr key={`${line.is} ${line.group.value}`} className={styles.group}>
                  {line.is === 'head' ? (
                    <th scope="rowgroup" colSpan={span}>
                      <GroupHead kind={kind} group={line.group} groups={groups} />
                    </th>
                  ) : (
                    <td colSpan={span}>
                      <MoreOfGroup group={line.group} groups={groups} />
                    </td>
                  )}
                </tr>
              ),
            )
          : rows.slice(above, last).map((record, offset) => rowAt(record, above + offset))}
        {below > 0 && <Gap rows={below} span={span} />}
      </tbody>
    </table>
  )
}

/** What is called by it is what is read: it has all the room that the others leave. */
const NAME_WIDTH = 224
const REFERENCE_WIDTH = 88

const WIDTHS: Partial<Record<Field['form'], number>> = {
  principal: 136,
  day: 104,
  instant: 104,
  number: 76,
  flag: 84,
}

const OTHER_WIDTH = 136

/** A choice is as wide as the longest of its words; a state has a mark before it. */
function widthOf(kind: Kind, { name, form, isLevel, options }: Field): number {
  if (isLevel) return 96
  if (form !== 'choice') return WIDTHS[form] ?? OTHER_WIDTH
  const longest = Math.max(...options.map((option) => valueWord(option).length))
  const mark = name === kind.states?.field ? 20 : 0
  return Math.min(176, Math.max(96, 22 + mark + longest * 7))
}

/** Stands for rows that are out of sight, or still to come. */
function Gap({ rows, span }: { rows: number; span: number }) {
  return (
    <tr style={{ height: rows * ROW_HEIGHT }}>
      <td colSpan={span} className={styles.gap} />
    </tr>
  )
}

function Head({
  kind,
  field,
  sort,
  setSort,
}: {
  kind: Kind
  field: Field
  sort: string
  setSort: (sort: string) => void
}) {
  if (!sortFieldsOf(kind).includes(field.name)) return <th scope="col">{field.title}</th>
  const isUp = sort === field.name
  const isDown = sort === `-${field.name}`
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button
        type="button"
        className={styles.sort}
        title={records.sortBy(field.title)}
        onClick={() => setSort(nextSort(field, sort))}
      >
        {field.title}
        {isUp && <IconArrowUp size={12} aria-hidden />}
        {isDown && <IconArrowDown size={12} aria-hidden />}
      </button>
    </th>
  )
}

const Row = memo(function Row({
  kind,
  columns,
  record,
  index,
  isSelected,
  isCurrent,
  editing,
  canEdit,
  acts,
}: {
  kind: Kind
  columns: readonly Field[]
  record: AnyRecord
  index: number
  isSelected: boolean
  isCurrent: boolean
  editing: string | null
  canEdit: boolean
  acts: RowActs
}) {
  const path = `/${kind.path}/${record.id}`
  // Not the router's own link, which costs more than the rest of the row.
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    acts.open(path)
  }
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-current={isCurrent || undefined}
      aria-selected={canEdit ? isSelected : undefined}
      className={styles.row}
    >
      {canEdit && (
        <td className={styles.select}>
          <input
            type="checkbox"
            className={styles.check}
            aria-label={records.select(record.reference)}
            checked={isSelected}
            onChange={() => {}}
            onClick={(event) => acts.select(index, event.shiftKey)}
          />
        </td>
      )}
      <td>
        <a href={path} className={styles.name} onClick={open} onFocus={() => acts.visit(index)}>
          {nameOf(kind, record)}
        </a>
      </td>
      <td className={styles.reference}>{record.reference}</td>
      {columns.map((field) => (
        <td key={field.name}>
          <Cell
            kind={kind}
            field={field}
            record={record}
            canEdit={canEdit}
            isOpen={editing === field.name}
            acts={acts}
          />
        </td>
      ))}
    </tr>
  )
})
