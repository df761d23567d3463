import { endpoints } from '../../words/webhooks.ts'
import styles from './failure-count.module.css'

const AT_MOST = 10

/** How near it is to going off by itself. */
export function FailureCount({ failures }: { failures: number }) {
  return (
    <span className={styles.count}>
      <span className={styles.places} aria-hidden>
        {Array.from({ length: AT_MOST }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike
          <span key={place} data-failed={place < failures || undefined} />
        ))}
      </span>
      {endpoints.failures(Math.min(failures, AT_MOST))}
    </span>
  )
}
