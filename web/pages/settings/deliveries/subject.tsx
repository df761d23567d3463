import { kindOf, subjectWord } from '../../../client/journal.ts'
import { RecordLink } from '../../../components/record-link.tsx'
import { deliveries as words } from '../../../copy/deliveries.ts'
import styles from '../deliveries.module.css'
import type { DeliveryRow } from './use-delivery-log.ts'

/** The record that a delivery is about, by its name now; in a word where it has none, or none for this reader. */
export function Subject({ subject }: Pick<DeliveryRow, 'subject'>) {
  if (!subject) return words.noNext
  const { type, id, reference, title } = subject
  const kind = kindOf(type)
  if (!kind || !reference) return subjectWord(type)
  return (
    <RecordLink kind={kind} id={id} {...(title ? { title } : {})}>
      <span className={styles.subject}>
        {reference} <bdi>{title}</bdi>
      </span>
    </RecordLink>
  )
}
