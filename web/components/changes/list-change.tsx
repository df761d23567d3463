import type { Field } from '../../client/fields.ts'
import { journal as words } from '../../copy/journal.ts'
import { valueWord } from '../../copy/records.ts'
import styles from '../changes.module.css'
import { Words } from '../plain-value.tsx'

/** Of a list that became another what came and what went; where that is nothing, its order changed. */
export function ListChange({
  from,
  to,
  field,
}: {
  from: readonly string[]
  to: readonly string[]
  field: Field | undefined
}) {
  const added = to.filter((one) => !from.includes(one))
  const removed = from.filter((one) => !to.includes(one))
  const worded = (list: readonly string[]) => (field?.form === 'choices' ? list.map(valueWord) : list)
  if (added.length + removed.length === 0) return <Words words={worded(to)} />
  return (
    <div className={styles.to}>
      {added.length > 0 && (
        <div className={styles.part}>
          {words.added} <Words words={worded(added)} />
        </div>
      )}
      {removed.length > 0 && (
        <div className={styles.part}>
          {words.removed} <Words words={worded(removed)} />
        </div>
      )}
    </div>
  )
}
