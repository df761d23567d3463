import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  /** Shown above; for what has none (buttons), its name is for readers of the screen only. */
  label: string
  hidden?: boolean
  cell: (row: Row) => ReactNode
}

/**
 * Rows under a head; on a narrow screen each row becomes a block that names its values. The roles are said
 * outright, since a browser forgets them when a table is laid out as something else.
 */
export function DataTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  isOver,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Drawn grey: it is there to be read, and does nothing any more. */
  isOver?: (row: Row) => boolean
}) {
  return (
    <Paper withBorder className={styles.around}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: not redundant once it is no table to the browser */}
      <table className={styles.table} aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.label} role="columnheader" scope="col">
                {column.hidden ? <span className={styles.unseen}>{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.id} role="row" className={isOver?.(row) ? styles.over : undefined}>
              {columns.map((column) => (
                <td key={column.label} role="cell" data-label={column.hidden ? undefined : column.label}>
                  <div>{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: - */}
    </Paper>
  )
}
