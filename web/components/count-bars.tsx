import type { ReactNode } from 'react'
import { levelColour } from '../client/risk-matrix.ts'
import { countWord } from '../copy/counts.ts'
import { AppLink } from './app-link.tsx'
import styles from './count-bars.module.css'

export interface Bar {
  readonly key: string
  readonly label: ReactNode
  readonly count: number
  /** The list behind it; none where there is no such list. */
  readonly href?: string
  /** How many of them are more than that, and the list of those. */
  readonly among?: readonly { readonly text: string; readonly href: string }[]
  /** A level, for its colour. */
  readonly level?: string
}

/** How many there are of each: a table with a bar beside each number, which opens the list behind it. */
export function CountBars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <table className={styles.bars} aria-label={label}>
      <tbody>
        {bars.map(({ key, label, count, href, level, among = [] }) => (
          <tr key={key}>
            <th scope="row">
              {label}
              {among.map(({ text, href }) => (
                <AppLink key={text} href={href} className={styles.among}>
                  {text}
                </AppLink>
              ))}
            </th>
            <td className={styles.bar}>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="8" rx="1" className={styles.ground} />
                <rect
                  width={(count / most) * 100}
                  height="8"
                  rx="1"
                  data-level={level}
                  data-colour={levelColour(level)}
                />
              </svg>
            </td>
            <td className={styles.count}>
              {href ? <AppLink href={href}>{countWord(count)}</AppLink> : countWord(count)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
