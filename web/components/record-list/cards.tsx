import { memo, type RefObject } from 'react'
import type { AnyRecord } from '../../client/records.ts'
import { records } from '../../copy/records.ts'
import { cardValues, needsTitle } from './card-values.ts'
import styles from './cards.module.css'
import { GroupHead, MoreOfGroup } from './group-lines.tsx'
import { linesAround, RowCell, type RowDrawn, RowName, type RowsDrawn, rowDrawn } from './row.tsx'
import { CARD_HEIGHT } from './use-window.ts'

/** The rows in sight as cards, where a table has no room: at one height each, with what the first columns have. */
export function Cards(drawn: RowsDrawn) {
  const { kind, label, rows, groups, window, body } = drawn
  const { above, below } = linesAround(drawn)
  const cardAt = (record: AnyRecord, index: number) => (
    <Card key={record.id} {...rowDrawn(drawn, record, index)} />
  )
  return (
    <ul ref={body as RefObject<HTMLUListElement | null>} className={styles.cards} aria-label={label}>
      {above > 0 && <li aria-hidden style={{ height: above * CARD_HEIGHT }} />}
      {groups
        ? groups.lines.slice(above, window.last).map((line) =>
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
        : rows.slice(above, window.last).map((record, offset) => cardAt(record, above + offset))}
      {below > 0 && <li aria-hidden style={{ height: below * CARD_HEIGHT }} />}
    </ul>
  )
}

const Card = memo(function Card(row: RowDrawn) {
  const { kind, columns, record, index, isSelected, isCurrent, canEdit, acts } = row
  const values = cardValues(kind, columns, record)
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
        <RowName {...row} className={styles.name} />
        <div className={styles.values}>
          <span className={styles.reference}>{record.reference}</span>
          {values.map((field) => (
            <span key={field.name} title={field.title}>
              {needsTitle(field) && <span className={styles.title}>{field.title} </span>}
              <RowCell field={field} row={row} />
            </span>
          ))}
        </div>
      </div>
    </li>
  )
})
