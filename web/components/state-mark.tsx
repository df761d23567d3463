import { VisuallyHidden } from '@mantine/core'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { stateField } from '../../model/roles.ts'
import { valueWord } from '../copy/records.ts'
import { attentionOf } from './attention.ts'
import styles from './state-mark.module.css'
import { progressOf } from './state-progress.ts'

/**
 * Where a record stands: a shape for how far that is, and its word.
 * @param record whose state it is; where it asks somebody to see to it, that is said behind the word
 */
export function StateMark({
  kind,
  field,
  state,
  record,
}: {
  kind: DescribedKind
  field: string
  state: string
  record?: Values
}) {
  const asking = record && field === stateField(kind) ? attentionOf(kind, record) : []
  const said = asking.map(({ title }) => title).join(', ')
  return (
    <span className={styles.state} data-stage={progressOf(kind, field, state)}>
      <span className={styles.shape} />
      {valueWord(state)}
      {said !== '' && (
        <span className={styles.attention} title={said}>
          <VisuallyHidden>{`, ${said}`}</VisuallyHidden>
        </span>
      )}
    </span>
  )
}
