import { valueWord } from '../copy/records.ts'
import styles from './level-mark.module.css'

/** A level from low to critical: as many bars as it is high, in its colour, and its word. */
export function LevelMark({ level }: { level: string }) {
  return (
    <span className={styles.level} data-level={level}>
      <span className={styles.bars} />
      {valueWord(level)}
    </span>
  )
}
