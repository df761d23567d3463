import { Paper, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Row } from '../../../client/use-pages.ts'
import { Chip } from '../../../parts/chip.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { auditLog as words } from '../../../words/audit-log.ts'
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
  const { time, actor, action, outcome, subject, changes, channel, reason } = entry
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
          <span className={styles.second}>{credentialOf(actor, people) || channelOf(channel)}</span>
        </span>
        <span className={styles.cell}>
          <b>{action}</b> <bdi>{subject.reference}</bdi> <bdi>{subject.title}</bdi>
          <span className={styles.second}>
            {reason ?? (changes && words.changed(Object.keys(changes).join(', ')))}
          </span>
        </span>
        <span>{outcome !== 'success' && <Outcome of={outcome} />}</span>
        <IconChevronRight className={styles.arrow} size={14} aria-hidden />
      </UnstyledButton>
      <div id={details}>{isOpen && <Details entry={entry} people={people} only={only} />}</div>
    </li>
  )
}

const Outcome = ({ of: outcome }: { of: Entry['outcome'] }) => (
  <Chip look="bad">{words.outcomes[outcome]}</Chip>
)

/** Through what somebody acted, and for whom; nothing where they did it themselves. */
function credentialOf({ type, actingUserId }: Entry['actor'], people: ReadonlyMap<string, string>): string {
  const credential = words.by[type as keyof typeof words.by] ?? type
  if (!credential || !actingUserId) return credential
  return words.of(credential, people.get(actingUserId) ?? actingUserId)
}

export const channelOf = (channel: string): string =>
  words.channels[channel as keyof typeof words.channels] ?? channel
