import { LEVELS } from '../../model/scales.ts'
import { valueWord } from '../copy/records.ts'
import styles from './level-mark.module.css'
import { graded, toneOf } from './level-tone.ts'

/** A level: as many bars as it is high among the levels there are, in its colour, and its word. */
export function LevelMark({ level, levels = LEVELS }: { level: string; levels?: readonly string[] }) {
  return (
    <span
      className={styles.level}
      data-level={toneOf(level, levels)}
      data-rank={graded(levels).indexOf(level) + 1}
      data-of={graded(levels).length}
    >
      <span className={styles.bars} />
      {valueWord(level)}
    </span>
  )
}
