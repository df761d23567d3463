import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleDot,
  IconCircleHalf2,
  IconCircleMinus,
} from '@tabler/icons-react'
import type { Kind } from '../../kinds/kind.ts'
import { valueWord } from '../words/records.ts'
import styles from './state-mark.module.css'

/** Where a record stands: a shape for how far that is, and its word. */
export function StateMark({ kind, state }: { kind: Kind; state: string }) {
  const stage = stageOf(kind, state)
  const Shape = SHAPES[stage]
  return (
    <span className={styles.state} data-stage={stage}>
      <Shape size={14} aria-hidden />
      {valueWord(state)}
    </span>
  )
}

const SHAPES = {
  begun: IconCircleDashed,
  underWay: IconCircleHalf2,
  resting: IconCircleDot,
  done: IconCircleCheckFilled,
  ended: IconCircleMinus,
}

/** Read from the kind: where one begins, what is settled, and what leads nowhere. */
function stageOf({ states, settled, defaults }: Kind, state: string): keyof typeof SHAPES {
  if (!states) return 'resting'
  if (settled?.values[0] === state) return 'done'
  if (settled?.values.includes(state)) return 'ended'
  if (!settled) return defaults[states.field] === state ? 'done' : 'resting'
  if (defaults[states.field] === state) return 'begun'
  return states.next[state]?.length ? 'underWay' : 'resting'
}
