import type { LevelColour } from '../../model/risk-matrix.ts'
import { LEVELS, type Level } from '../../model/scales.ts'
import { riskMatrix } from '../client/risk-matrix.ts'
import { valueWord } from '../copy/records.ts'
import styles from './level-mark.module.css'
import { colourOf, graded } from './level-tone.ts'

/**
 * A level: as many bars as it is high among the levels there are, in its colour, and its word.
 * @param levels of its scale; those of the risk matrix, where it is left out
 * @param style what it is called and looks like, where that is not what holds
 */
export function LevelMark({
  level,
  levels,
  style = levels ? undefined : riskMatrix().levels[level as Level],
}: {
  level: string
  levels?: readonly string[] | undefined
  style?: { readonly label: string; readonly colour: LevelColour } | undefined
}) {
  const all = levels ?? LEVELS
  return (
    <span
      className={styles.level}
      data-level={level}
      data-colour={style?.colour ?? colourOf(level, all)}
      data-rank={graded(all).indexOf(level) + 1}
      data-of={graded(all).length}
    >
      <span className={styles.bars} />
      {style?.label ?? valueWord(level)}
    </span>
  )
}
