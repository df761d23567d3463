import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type MouseEvent, memo, type ReactElement, type RefObject } from 'react'
import { type Kind, principalFields } from '../../../kinds/kind.ts'
import { sortFieldsOf } from '../../../kinds/listing.ts'
import { type Field, fieldsOf, nameOf } from '../../client/fields.ts'
import type { AnyRecord, Principal } from '../../client/records.ts'
import { records, valueWord } from '../../words/records.ts'
import { Picker, principals } from '../picker.tsx'
import { RecordValue } from '../record-value.tsx'
import { StateMark } from '../state-mark.tsx'
import { StateMenu } from '../state-menu.tsx'
import styles from './table.module.css'
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

/** The rows in sight, at one height each, beneath a head that stays. */
export function Table({
  kind,
  label,
  columns,
  rows,
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
}: {
  kind: Kind
  label: string
  columns: readonly Field[]
  rows: readonly AnyRecord[]
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
  body: RefObject<HTMLTableSectionElement | null>
}) {
  const name = fieldsOf(kind).get(kind.columns[0]!)!
  const reference = fieldsOf(kind).get('reference')!
  const heads = [name, reference, ...columns]
  const width = columns.reduce((sum, field) => sum + widthOf(field), canEdit ? 360 : 324)
  const above = Math.min(first, rows.length)
  const below = count - Math.min(last, rows.length)
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <table
      className={styles.table}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      style={{ minWidth: width }}
    >
      <colgroup>
        {canEdit && <col style={{ width: 36 }} />}
        <col />
        <col style={{ width: 104 }} />
        {columns.map((field) => (
          <col key={field.name} style={{ width: widthOf(field) }} />
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
      <tbody ref={body}>
        {above > 0 && <Gap rows={above} span={heads.length + 1} />}
        {rows.slice(above, last).map((record, offset) => (
          <Row
            key={record.id}
            kind={kind}
            columns={columns}
            record={record}
            index={above + offset}
            isSelected={selected.has(record.id)}
            isCurrent={current === above + offset}
            editing={editing?.id === record.id ? editing.field : null}
            canEdit={canEdit}
            acts={acts}
          />
        ))}
        {below > 0 && <Gap rows={below} span={heads.length + 1} />}
      </tbody>
    </table>
  )
}

const WIDTHS: Partial<Record<Field['form'], number>> = {
  principal: 160,
  day: 116,
  instant: 116,
  number: 84,
  flag: 92,
}

const OTHER_WIDTH = 148

/** A choice is as wide as the longest of its words, with room for its mark. */
function widthOf({ form, isLevel, options }: Field): number {
  if (isLevel) return 104
  if (form !== 'choice') return WIDTHS[form] ?? OTHER_WIDTH
  const longest = Math.max(...options.map((option) => valueWord(option).length))
  return Math.min(176, Math.max(104, 44 + longest * 7))
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
          {canEdit && isEditable(kind, field) ? (
            <EditableCell
              kind={kind}
              field={field}
              record={record}
              isOpen={editing === field.name}
              acts={acts}
            />
          ) : (
            <RecordValue kind={kind} field={field} record={record} />
          )}
        </td>
      ))}
    </tr>
  )
})

const isEditable = (kind: Kind, { name }: Field): boolean =>
  name === kind.states?.field || principalFields(kind).includes(name)

/** A value that is a button; what can be chosen is drawn once it is asked for. */
function EditableCell({
  kind,
  field,
  record,
  isOpen,
  acts,
}: {
  kind: Kind
  field: Field
  record: AnyRecord
  isOpen: boolean
  acts: RowActs
}): ReactElement {
  const value = record[field.name]
  const button = (
    <button
      type="button"
      className={styles.value}
      aria-haspopup="true"
      aria-expanded={isOpen}
      title={records.changeField(field.title, record.reference)}
      onClick={() => acts.edit(record.id, field.name)}
    >
      {field.name === kind.states?.field ? (
        <StateMark kind={kind} state={String(value)} />
      ) : (
        <RecordValue kind={kind} field={field} record={record} />
      )}
    </button>
  )
  if (!isOpen) return button
  const close = () => acts.edit(null)
  if (field.name === kind.states?.field)
    return (
      <StateMenu kind={kind} record={record} choose={(state) => acts.setState(record, state)} close={close}>
        {button}
      </StateMenu>
    )
  return (
    <Picker
      source={principals}
      nothing={value ? records.owner.nobody : undefined}
      placeholder={records.owner.search}
      choose={(principal) => acts.setPrincipal(record, field.name, principal)}
      close={close}
    >
      {button}
    </Picker>
  )
}
