import { endpoints } from '../../copy/webhooks.ts'
import styles from './failure-count.module.css'

/** As many failures in a row turn it off. */
const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** How near it is to going off by itself. */
export function FailureCount({ failures }: { failures: number }) {
  return (
    <span className={styles.count}>
      <span className={styles.places} aria-hidden>
        {PLACES.map((place) => (
          <span key={place} data-failed={place <= failures || undefined} />
        ))}
      </span>
      {endpoints.failures(Math.min(failures, PLACES.length))}
    </span>
  )
}
