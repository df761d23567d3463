import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { machineOf, stateField } from '../../model/roles.ts'
import { lower, valueWord } from '../copy/records.ts'
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
      {alsoSaid(kind, field, state, record).map((said) => (
        <span key={said} className={styles.also}>
          {said}
        </span>
      ))}
      {field === stateField(kind) && <AttentionMark kind={kind} asks={asks} inFull={inFull} />}
    </span>
  )
}

/** What holds of a record although its state does not say so. */
const alsoSaid = (kind: DescribedKind, field: string, state: string, record: Values = {}): string[] =>
  Object.entries(machineOf(kind, field)?.also ?? {}).flatMap(([flag, { states, of }]) =>
    record[flag] === true && states.includes(state)
      ? [`${record[of]} ${lower(kind.derived[flag]!.title)}`]
      : [],
  )
