import type { ReactNode } from 'react'
import { type Deadline, dayOf } from '../client/deadlines.ts'
import { today } from '../client/formats.ts'
import { kindOfId } from '../client/kinds.ts'
import { recordAddress } from '../client/list-address.ts'
import { valueWord } from '../copy/records.ts'
import { AppLink } from './app-link.tsx'
import { Day } from './day.tsx'
import styles from './record-rows.module.css'

interface Row {
  readonly id: string
  readonly reference: string | null
  readonly title: string
  /** Where it leads, where that is not the page of a record. */
  readonly href?: string
  /** Of a record that stands there once for each of its dates. */
  readonly deadline?: string | null
  /** The record that it is under. */
  readonly under?: { readonly reference: string | null; readonly title: string } | null
}

/** A few records, a line each: what it is called leads to its page; what is said of it stands behind. */
export function RecordRows<Of extends Row>({
  label,
  rows,
  aside,
}: {
  label: string
  rows: readonly Of[]
  aside: (row: Of) => ReactNode
}) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {rows.map((row) => (
        <li key={`${row.id} ${row.deadline}`}>
          {/* What has no number of its own is called by its title alone, and so is what names what it is under. */}
          <span className={styles.reference}>{row.reference !== row.title && row.reference}</span>
          <AppLink href={row.href ?? recordAddress(kindOfId(row.id)!, row.id)} className={styles.name}>
            <bdi>{row.title}</bdi>
          </AppLink>
          {row.under && !row.title.includes(row.under.title) && (
            <span className={styles.under}>
              {row.under.reference} <bdi>{row.under.title}</bdi>
            </span>
          )}
          <span className={styles.aside}>{aside(row)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Where a record stands, and the date that comes first. */
export const Standing = ({
  state,
  date,
  bucket = date && dayOf({ date }) < today() ? 'late' : 'later',
}: Pick<Deadline, 'state'> & { date: string | null; bucket?: Deadline['bucket'] }) => (
  <>
    {state && <span>{valueWord(state)}</span>}
    {date && (
      <span className={styles.date} data-late={bucket === 'late' || undefined}>
        <Day on={dayOf({ date })} />
      </span>
    )}
  </>
)
