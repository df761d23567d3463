import { VisuallyHidden } from '@mantine/core'
import type { KindEntry } from '../../model/described-kind.ts'
import { type Attention, attentionWords } from './attention.ts'
import styles from './attention-mark.module.css'

/** Says that something about a record asks somebody to see to it, and what; nothing where nothing does. */
export function AttentionMark({
  kind,
  asks,
}: {
  kind: Pick<KindEntry, 'attention'>
  asks: readonly Attention[]
}) {
  const said = attentionWords(kind, asks)
  return (
    said !== '' && (
      <span className={styles.attention} title={said}>
        <VisuallyHidden>{`, ${said}`}</VisuallyHidden>
      </span>
    )
  )
}
