import type { Field } from '../../client/fields.ts'
import { journal as words } from '../../copy/journal.ts'
import { valueWord } from '../../copy/records.ts'
import styles from '../changes.module.css'
import { Words } from '../plain-value.tsx'
import { areIds, NamesOfIds } from './names-of-ids.tsx'

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
  return <Moved added={worded(added)} removed={worded(removed)} />
}

/** What has an id and a name, as files have them. */
interface Named {
  readonly id: string
  readonly name: string
}

/** Whether it is a list of what has an id and a name. */
export const isNamed = (value: unknown): value is readonly Named[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one?.id === 'string' && typeof one?.name === 'string')

/** Of such a list what came and what went, by name; of what stays nothing. */
export function NamedChange({ from, to }: { from: readonly Named[]; to: readonly Named[] }) {
  const lacking = (list: readonly Named[], other: readonly Named[]) =>
    list.filter(({ id }) => !other.some((one) => one.id === id)).map(({ name }) => name)
  return <Moved added={lacking(to, from)} removed={lacking(from, to)} />
}

function Moved({ added, removed }: { added: readonly string[]; removed: readonly string[] }) {
  return (
    <div className={styles.to}>
      {added.length > 0 && (
        <div className={styles.part}>
          {words.added} <Told words={added} />
        </div>
      )}
      {removed.length > 0 && (
        <div className={styles.part}>
          {words.removed} <Told words={removed} />
        </div>
      )}
    </div>
  )
}

const Told = ({ words }: { words: readonly string[] }) =>
  areIds(words) ? <NamesOfIds ids={words} /> : <Words words={words} />
