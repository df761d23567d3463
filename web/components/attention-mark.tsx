import { VisuallyHidden } from '@mantine/core'
import type { KindEntry } from '../../model/described-kind.ts'
import { type Attention, attentionWords } from './attention.ts'
import styles from './attention-mark.module.css'

/**
 * Says that something about a record asks somebody to see to it, and what; nothing where nothing does.
 * @param inFull with the reason, where there is room for it; elsewhere it is told by what points at it
 */
export function AttentionMark({
  kind,
  asks,
  inFull = false,
}: {
  kind: Pick<KindEntry, 'attention'>
  asks: readonly Attention[]
  inFull?: boolean
}) {
  const said = attentionWords(kind, asks)
  const shown = attentionWords(kind, asks, inFull)
  return (
    said !== '' && (
      <span className={styles.attention} data-full={inFull || undefined} title={said}>
        {shown}
        {shown !== said && <VisuallyHidden>{`, ${said}`}</VisuallyHidden>}
      </span>
    )
  )
}
