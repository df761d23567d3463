import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { stateField } from '../../model/roles.ts'
import { valueWord } from '../copy/records.ts'
import { type Attention, attentionOf } from './attention.ts'
import { AttentionMark } from './attention-mark.tsx'
import styles from './state-mark.module.css'
import { progressOf } from './state-progress.ts'

/**
 * Where a record stands: a shape for how far that is, and its word.
 * @param record whose state it is; where it asks somebody to see to it, that is said behind the word
 * @param asks what is told of that, where the record itself is not there
 * @param inFull with the reason for it
 */
export function StateMark({
  kind,
  field,
  state,
  record,
  asks = record ? attentionOf(kind, record) : [],
  inFull = false,
}: {
  kind: DescribedKind
  field: string
  state: string
  record?: Values
  asks?: readonly Attention[]
  inFull?: boolean
}) {
  return (
    <span className={styles.state} data-stage={progressOf(kind, field, state)}>
      <span className={styles.shape} />
      {valueWord(state)}
      {field === stateField(kind) && <AttentionMark kind={kind} asks={asks} inFull={inFull} />}
    </span>
  )
}
