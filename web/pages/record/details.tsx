import type { Kind } from '../../../kinds/kind.ts'
import { COMMON_FIELDS } from '../../../kinds/kind.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { record as words } from '../../words/record.ts'
import { Fact } from './fact.tsx'
import styles from './record.module.css'
import type { Edits } from './use-record-edits.ts'

/** The facts in the sections of the kind, then those of every record; what the head shows is not repeated. */
export function Details({ kind, edits, editable }: { kind: Kind; edits: Edits; editable: boolean }) {
  return (
    <div className={styles.details}>
      {sectionsOf(kind).map(([title, fields]) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <dl className={styles.facts}>
            {fields.map((field) => (
              <Fact key={field.name} kind={kind} field={field} edits={edits} editable={editable} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** The fields that stand in the head. */
export const headFields = (kind: Kind): readonly string[] =>
  [kind.columns[0]!, kind.states?.field, 'owner', 'dueDate'].filter(
    (name): name is string => name !== undefined && name in kind.fields,
  )

function sectionsOf(kind: Kind): [title: string, fields: Field[]][] {
  const known = fieldsOf(kind)
  const head = headFields(kind)
  const inSections = Object.values(kind.sections).flat()
  const rest = [...Object.keys(kind.fields), ...Object.keys(COMMON_FIELDS)].filter(
    (name) => !inSections.includes(name),
  )
  return [...Object.entries(kind.sections), [words.others, rest] as const].flatMap(([title, names]) => {
    const shown = names.filter((name) => !head.includes(name)).map((name) => known.get(name)!)
    return shown.length > 0 ? [[title, shown] as [string, Field[]]] : []
  })
}
