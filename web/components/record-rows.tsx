import type { ReactNode } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'
import { deadlineOf, nameOf } from '../../model/roles.ts'
import { recordAddress } from '../client/list-address.ts'
import type { AnyRecord } from '../client/records.ts'
import { AppLink } from './app-link.tsx'
import styles from './record-rows.module.css'

export interface RecordRow {
  readonly kind: KindEntry
  readonly record: AnyRecord
}

/** What is due first comes first. */
export const byDeadline = (one: RecordRow, other: RecordRow): number => dueAt(one) - dueAt(other)

const dueAt = ({ kind, record }: RecordRow): number => Date.parse(String(record[deadlineOf(kind)!]))

/** A few records, a line each: what it is called leads to its page; what is said of it stands behind. */
export function RecordRows({
  label,
  rows,
  aside,
}: {
  label: string
  rows: readonly RecordRow[]
  aside: (row: RecordRow) => ReactNode
}) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {rows.map((row) => (
        <li key={row.record.id}>
          <span className={styles.reference}>{row.record.reference}</span>
          <AppLink href={recordAddress(row.kind, row.record.id)} className={styles.name}>
            {nameOf(row.kind, row.record)}
          </AppLink>
          <span className={styles.aside}>{aside(row)}</span>
        </li>
      ))}
    </ul>
  )
}
