import { type Changes as Changed, kindOf, verbOf } from '../client/journal.ts'
import { useKind } from '../client/use-kind.ts'
import { ChangeRow } from './changes/change-row.tsx'
import { LinkChange, toldLink } from './changes/link-change.tsx'
import styles from './changes.module.css'

/*
 * What an entry of the journal changed, as the history of a record and the audit log show it. Entries are kept for
 * years, and the kinds move on meanwhile: what no longer fits its field is shown as it stands.
 */

/**
 * @param type of what the entry is about: a kind's, or another
 * @param action as in `risk.update`
 */
export function Changes({
  type,
  action,
  changes,
}: {
  type: string
  action: string
  changes: Changed | null
}) {
  useKind(kindOf(type))
  const rows = Object.entries(changes ?? {}).filter(([name]) => !isToldTwice(name, changes!))
  if (rows.length === 0) return null
  const verb = verbOf(action)
  // What was done with a record, not to it, moved none of its fields: it has nothing that was before.
  const only = ONLY[verb] ?? (action.startsWith(`${type}.`) ? undefined : 'to')
  return (
    <dl className={styles.changes}>
      {rows.map(([name, { from, to }]) => {
        const ends = [toldLink(from), toldLink(to)] as const
        if (LINKED.has(verb) && (ends[0] ?? ends[1]))
          return <LinkChange key={name} type={type} word={name} ends={ends} />
        return <ChangeRow key={name} type={type} name={name} from={from} to={to} only={only} />
      })}
    </dl>
  )
}

const LINKED: ReadonlySet<string> = new Set(['link', 'unlink'])

/** Of what was not there before, or is not there after, the one side. */
const ONLY: Readonly<Record<string, 'from' | 'to'>> = { create: 'to', delete: 'from', remove: 'from' }

/** A record that was deleted is told whole, with its principals by name and by id. */
const isToldTwice = (name: string, changes: Changed) => name.endsWith('Id') && name.slice(0, -2) in changes
