import type { Kind } from '../../model/kind.ts'
import { valueWord } from '../copy/records.ts'
import styles from './state-mark.module.css'

/** Where a record stands: a shape for how far that is, and its word. */
export function StateMark({ kind, state }: { kind: Kind; state: string }) {
  return (
    <span className={styles.state} data-stage={stageOf(kind, state)}>
      <span className={styles.shape} />
      {valueWord(state)}
    </span>
  )
}

type Stage = 'begun' | 'underWay' | 'resting' | 'done' | 'ended'

/** Read from the kind: where one begins, what is terminal, and what leads nowhere. */
function stageOf({ states, terminal, defaults }: Kind, state: string): Stage {
  if (!states) return 'resting'
  if (terminal?.values[0] === state) return 'done'
  if (terminal?.values.includes(state)) return 'ended'
  if (!terminal) return defaults[states.field] === state ? 'done' : 'resting'
  if (defaults[states.field] === state) return 'begun'
  if (states.byAction?.includes(state)) return 'resting'
  return states.next[state]?.length ? 'underWay' : 'resting'
}
