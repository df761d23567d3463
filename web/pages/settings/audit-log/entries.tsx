import { Paper, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { titleOfField, verbOf } from '../../../client/journal.ts'
import type { Row } from '../../../client/use-pages.ts'
import { Chip } from '../../../parts/chip.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { auditLog as words } from '../../../words/audit-log.ts'
import { channelWord, credentialWord, journal } from '../../../words/journal.ts'
import { outcomes } from '../../../words/outcomes.ts'
import { Details } from './details.tsx'
import styles from './entries.module.css'
import type { Filter } from './filter.ts'

export type Entry = Row<'listAuditLog'>

/** What happened, a line each that opens. */
export function Entries({
  entries,
  people,
  only,
}: {
  entries: readonly Entry[]
  people: ReadonlyMap<string, string>
  only: (filter: Filter) => void
}) {
  return (
    <Paper withBorder component="ol" className={styles.list} aria-label={words.list}>
      {entries.map((entry) => (
        <Line key={entry.id} entry={entry} people={people} only={only} />
      ))}
    </Paper>
  )
}

function Line({
  entry,
  people,
  only,
}: {
  entry: Entry
  people: ReadonlyMap<string, string>
  only: (filter: Filter) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const details = useId()
  const { time, actor, action, outcome, subject, channel, reason } = entry
  return (
    <li className={isOpen ? styles.open : undefined}>
      <UnstyledButton
        className={styles.row}
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className={styles.cell}>
          <Moment at={time} />
        </span>
        <span className={styles.cell}>
          <bdi>{actor.displayName}</bdi>
          <span className={styles.second}>
            <bdi>{credentialOf(actor, people) || channelWord(channel)}</bdi>
          </span>
        </span>
        <span className={styles.cell}>
          <b>{words.action(action)}</b> <bdi>{subject.reference}</bdi> <bdi>{subject.title}</bdi>
          <span className={styles.second}>
            <bdi>{words.reason(reason) ?? changedIn(entry)}</bdi>
          </span>
        </span>
        <span>{outcome !== 'success' && <Outcome of={outcome} />}</span>
        <IconChevronRight className={styles.arrow} size={14} aria-hidden />
      </UnstyledButton>
      <div id={details}>{isOpen && <Details entry={entry} people={people} only={only} />}</div>
    </li>
  )
}

const Outcome = ({ of: outcome }: { of: Entry['outcome'] }) => <Chip look="bad">{outcomes[outcome]}</Chip>

/** Through what somebody acted, and for whom; nothing where they did it themselves. */
function credentialOf({ type, actingUserId }: Entry['actor'], people: ReadonlyMap<string, string>): string {
  const credential = credentialWord(type)
  if (!credential || !actingUserId) return credential
  return journal.of(credential, people.get(actingUserId) ?? actingUserId)
}

/** Which fields are others now; of what was made or is gone it would be all of them. */
function changedIn({ action, subject, changes }: Entry): string | null {
  const names = Object.keys(changes ?? {})
  if (names.length === 0 || WHOLE.has(verbOf(action))) return null
  return words.changed(names.map((name) => titleOfField(subject.type, name)))
}

const WHOLE: ReadonlySet<string> = new Set(['create', 'delete', 'remove', 'link', 'unlink'])
