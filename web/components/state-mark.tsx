import type { DescribedKind } from '../../model/described-kind.ts'
import { valueWord } from '../copy/records.ts'
import styles from './state-mark.module.css'
import { progressOf } from './state-progress.ts'

/** Where a record stands: a shape for how far that is, and its word. */
export function StateMark({ kind, field, state }: { kind: DescribedKind; field: string; state: string }) {
  return (
    <span className={styles.state} data-stage={progressOf(kind, field, state)}>
      <span className={styles.shape} />
      {valueWord(state)}
    </span>
  )
}
