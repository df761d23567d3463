import type { Kind } from '../../model/kind.ts'
import { machineOf } from '../../model/roles.ts'
import { valueWord } from '../copy/records.ts'
import styles from './state-mark.module.css'

/** Where a record stands: a shape for how far that is, and its word. */
export function StateMark({ kind, field, state }: { kind: Kind; field: string; state: string }) {
  return (
    <span className={styles.state} data-stage={stageOf(kind, field, state)}>
      <span className={styles.shape} />
      {valueWord(state)}
    </span>
  )
}

type Stage = 'begun' | 'underWay' | 'resting' | 'done' | 'ended'

/** Read from the kind: where one begins, what is terminal, and what leads nowhere. */
function stageOf(kind: Kind, field: string, state: string): Stage {
  const machine = machineOf(kind, field)
  if (!machine) return 'resting'
  const isFirst = kind.defaults[field] === state
  const { values } = kind.terminal?.field === field ? kind.terminal : {}
  if (!values) return isFirst ? 'done' : 'resting'
  if (values[0] === state) return 'done'
  if (values.includes(state)) return 'ended'
  if (isFirst) return 'begun'
  if (machine.byAction?.includes(state)) return 'resting'
  return machine.next[state]?.length ? 'underWay' : 'resting'
}
