import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type CSSProperties, memo, type RefObject, useMemo } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { records } from '../../copy/records.ts'
import { tableWidths } from './column-widths.ts'
import { GroupHead, MoreOfGroup } from './group-lines.tsx'
import { linesAround, RowCell, type RowDrawn, RowName, type RowsDrawn, rowDrawn } from './row.tsx'
import styles from './table.module.css'
import { ROW_HEIGHT } from './use-window.ts'
import { defaultSort, nextSort } from './view.ts'

/** The rows in sight, at one height each, beneath a head that stays. */
export function Table(drawn: RowsDrawn) {
  const {
    kind,
    label,
    columns,
    rows,
    groups,
    total,
    window,
    sort,
    setSort,
    selected,
    selectAll,
    canEdit,
    body,
  } = drawn
  const name = fieldsOf(kind).get(kind.named)!
  const reference = fieldsOf(kind).get('reference')!
  const heads = [name, reference, ...columns]
  const longest = Math.max(0, ...rows.map(({ reference }) => reference.length))
  const widths = useMemo(() => tableWidths(kind, columns, longest), [kind, columns, longest])
  const { above, below } = linesAround(drawn)
  const rowAt = (record: AnyRecord, index: number) => (
    <Row key={record.id} {...rowDrawn(drawn, record, index)} />
  )
  const span = heads.length + (canEdit ? 1 : 0)
  const isAll = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <table
      className={styles.table}
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      style={{ '--width': `${widths.least}px` } as CSSProperties}
    >
      <colgroup>
        {canEdit && <col style={{ width: widths.select }} />}
        <col />
        <col style={{ width: widths.reference }} />
        {columns.map((field, at) => (
          <col key={field.name} style={{ width: widths.columns[at] }} />
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
          ? groups.lines.slice(above, window.last).map((line) =>
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
          : rows.slice(above, window.last).map((record, offset) => rowAt(record, above + offset))}
        {below > 0 && <Gap rows={below} span={span} />}
      </tbody>
    </table>
  )
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
  kind: DescribedKind
  field: Field
  sort: string
  setSort: (sort: string) => void
}) {
  if (!kind.sortFields.includes(field.name)) return <th scope="col">{field.title}</th>
  const isUp = sort === field.name
  const isDown = sort === `-${field.name}`
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button
        type="button"
        className={styles.sort}
        title={records.sortBy(field.title)}
        onClick={() => setSort(nextSort(field, sort, defaultSort(kind)))}
      >
        {field.title}
        {isUp && <IconArrowUp size={12} aria-hidden />}
        {isDown && <IconArrowDown size={12} aria-hidden />}
      </button>
    </th>
  )
}

const Row = memo(function Row(row: RowDrawn) {
  const { columns, record, index, isSelected, isCurrent, canEdit, acts } = row
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
        <RowName {...row} className={styles.name} />
      </td>
      <td className={styles.reference}>{record.reference}</td>
      {columns.map((field) => (
        <td key={field.name} data-linked={field.form === 'record' || undefined}>
          <RowCell field={field} row={row} />
        </td>
      ))}
    </tr>
  )
})
