import { type MouseEvent, memo, type RefObject } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import { type Field, nameOf } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { records } from '../../words/records.ts'
import styles from './cards.module.css'
import { Cell } from './cell.tsx'
import { GroupHead, MoreOfGroup } from './group-lines.tsx'
import type { RowActs, RowsDrawn } from './table.tsx'
import { CARD_HEIGHT } from './use-window.ts'

/** How many values a card has room for. */
const VALUES_AT_MOST = 4

/** The rows in sight as cards, where a table has no room: at one height each, with what the first columns have. */
export function Cards({
  kind,
  label,
  columns,
  rows,
  groups,
  count,
  window: { first, last },
  selected,
  current,
  editing,
  canEdit,
  acts,
  body,
}: RowsDrawn) {
  const lines = groups?.lines.length ?? rows.length
  const above = Math.min(first, lines)
  const below = count - Math.min(last, lines)
  const cardAt = (record: AnyRecord, index: number) => (
    <Card
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
  return (
    <ul ref={body as RefObject<HTMLUListElement | null>} className={styles.cards} aria-label={label}>
      {above > 0 && <li aria-hidden style={{ height: above * CARD_HEIGHT }} />}
      {groups
        ? groups.lines.slice(above, last).map((line) =>
            line.is === 'row' ? (
              cardAt(line.row, line.index)
            ) : (
              <li key={`${line.is} ${line.group.value}`} className={styles.group}>
                {line.is === 'head' ? (
                  <GroupHead kind={kind} group={line.group} groups={groups} />
                ) : (
                  <MoreOfGroup group={line.group} groups={groups} />
                )}
              </li>
            ),
          )
        : rows.slice(above, last).map((record, offset) => cardAt(record, above + offset))}
      {below > 0 && <li aria-hidden style={{ height: below * CARD_HEIGHT }} />}
    </ul>
  )
}

const Card = memo(function Card({
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
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    acts.open(path)
  }
  const isSet = ({ name }: Field) => record[name] !== null && record[name] !== undefined
  return (
    <li
      className={styles.card}
      data-index={index}
      data-current={isCurrent || undefined}
      data-selected={isSelected || undefined}
    >
      {canEdit && (
        <label className={styles.select}>
          <input
            type="checkbox"
            aria-label={records.select(record.reference)}
            checked={isSelected}
            onChange={() => acts.select(index, false)}
          />
        </label>
      )}
      <div className={styles.content}>
        <a href={path} className={styles.name} onClick={open} onFocus={() => acts.visit(index)}>
          {nameOf(kind, record)}
        </a>
        <div className={styles.values}>
          <span className={styles.reference}>{record.reference}</span>
          {columns
            .filter(isSet)
            .slice(0, VALUES_AT_MOST)
            .map((field) => (
              <span key={field.name} title={field.title}>
                <Cell
                  kind={kind}
                  field={field}
                  record={record}
                  canEdit={canEdit}
                  isOpen={editing === field.name}
                  acts={acts}
                />
              </span>
            ))}
        </div>
      </div>
    </li>
  )
})
