import { LEVELS } from '../../kinds/scales.ts'
import { valueWord } from '../words/records.ts'
import styles from './level-mark.module.css'

/** A level from low to critical: as many bars as it is high, in its colour, and its word. */
export function LevelMark({ level }: { level: string }) {
  const height = LEVELS.indexOf(level as (typeof LEVELS)[number]) + 1
  return (
    <span className={styles.level} data-level={level}>
      <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
        {LEVELS.map((one, index) => (
          <rect
            key={one}
            x={index * 3.6}
            y={9 - index * 3}
            width="2.6"
            height={3 + index * 3}
            rx="0.8"
            className={index < height ? styles.full : styles.empty}
          />
        ))}
      </svg>
      {valueWord(level)}
    </span>
  )
}
