import type { Shown } from '../client/appetite.ts'
import { levelWord } from '../client/risk-matrix.ts'
import { appetite as words } from '../copy/rating.ts'
import { lower, valueWord } from '../copy/records.ts'
import styles from './appetite-line.module.css'

/** What the line of the appetite in a matrix stands for; or why none is drawn. */
export function AppetiteLegend({ shown: { level, categories } }: { shown: Shown }) {
  const those = categories?.map((one) => lower(valueWord(one)))
  return (
    <p className={styles.legend}>
      {level !== null && <span className={styles.sample} />}
      <span>{level === null ? words.differs : words.line(levelWord(level), those)}</span>
    </p>
  )
}
