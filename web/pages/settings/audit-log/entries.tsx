import { Paper, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { AuditSentence } from '../../../components/audit-sentence.tsx'
import { Chip } from '../../../components/chip.tsx'
import { ZonedMoment } from '../../../components/moment.tsx'
import { auditLog as words } from '../../../copy/audit-log.ts'
import { channelWord, credentialWord, journal } from '../../../copy/journal.ts'
import { outcomes } from '../../../copy/outcomes.ts'
import { Details } from './details.tsx'
import styles from './entries.module.css'
import type { Entry } from './entry.ts'
import type { Filter } from './filter.ts'

interface Shared {
  only: (filter: Filter) => void
  exportSealed: () => void
}

/**
 * What happened, a line each that opens.
 * @param isOpen whether all of them are open at first
 */
export function Entries({
  entries,
  isOpen,
  ...shared
}: Shared & { entries: readonly Entry[]; isOpen: boolean }) {
  return (
    <Paper withBorder component="ol" className={styles.list} aria-label={words.list}>
      {entries.map((entry) => (
        <Line key={entry.id} entry={entry} isOpenAtFirst={isOpen} {...shared} />
      ))}
    </Paper>
  )
}

function Line({ entry, isOpenAtFirst, ...shared }: Shared & { entry: Entry; isOpenAtFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const id = useId()
  const { time, actor, action, outcome, channel, reason } = entry
  const how = [credentialOf(actor), channelWord(channel)].filter(Boolean).join(' · ')
  return (
    <li className={isOpen ? styles.open : undefined}>
      <div className={styles.row}>
        <span className={styles.time}>
          <ZonedMoment at={time} />
        </span>
        <span className={styles.cell} id={`${id}-sentence`}>
          <AuditSentence event={entry} />
          <span className={styles.second}>
            <bdi>{[words.reasonOf(action, outcome, reason), how].filter(Boolean).join(' · ')}</bdi>
          </span>
        </span>
        <span>{outcome !== 'success' && <Outcome of={outcome} />}</span>
        <UnstyledButton
          className={styles.toggle}
          id={`${id}-toggle`}
          aria-label={words.details}
          aria-labelledby={`${id}-toggle ${id}-sentence`}
          aria-expanded={isOpen}
          aria-controls={`${id}-details`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChevronRight className={styles.arrow} size={14} aria-hidden />
        </UnstyledButton>
      </div>
      <div id={`${id}-details`}>{isOpen && <Details entry={entry} {...shared} />}</div>
    </li>
  )
}

const Outcome = ({ of: outcome }: { of: Entry['outcome'] }) => <Chip look="bad">{outcomes[outcome]}</Chip>

/** Through what somebody acted, and for whom; nothing where they did it themselves. */
function credentialOf({ type, actingUserName }: Entry['actor']): string {
  const credential = credentialWord(type)
  return credential && actingUserName ? journal.of(credential, actingUserName) : ''
}
