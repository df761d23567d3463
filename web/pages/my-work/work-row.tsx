import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { type Deadline, dayOf } from '../../client/deadlines.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { today } from '../../client/formats.ts'
import { kindOfId } from '../../client/kinds.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Day } from '../../components/day.tsx'
import { iconOf } from '../../components/frame/icons.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { myWork as words } from '../../copy/my-work.ts'
import styles from './my-work.module.css'
import { StateInPlace } from './state-in-place.tsx'

/** Of what is opened. */
const RecordSteps = lazy(() =>
  fetchCode(() => import('./record-steps.tsx')).then((code) => ({ default: code.RecordSteps })),
)

/** What somebody has to do, with the day of it where it has one. */
export type Work = Pick<Deadline, 'id' | 'reference' | 'title' | 'state' | 'steps'> &
  Partial<Pick<Deadline, 'called' | 'date' | 'bucket'>>

/** A line of work: when it is due, what it is called, where it stands, and its steps once they are asked for. */
export function WorkRow({ one, isMine = true }: { one: Work; isMine?: boolean }) {
  const kind = kindOfId(one.id)!
  const Icon = iconOf(kind)
  const [isOpen, setIsOpen] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  return (
    <li className={styles.row} data-undated={one.date === undefined || undefined}>
      {one.date && (
        <span
          className={styles.date}
          data-late={one.bucket === 'late' || undefined}
          data-today={dayOf({ date: one.date }) === today() || undefined}
        >
          <Day on={dayOf({ date: one.date })} />
        </span>
      )}
      <Icon size={15} stroke={1.7} aria-hidden className={styles.icon} />
      <span className={styles.named}>
        <span className={styles.reference}>{one.reference}</span>{' '}
        <AppLink href={`/${kind.page}/${one.id}`} className={styles.title}>
          <bdi>{one.title}</bdi>
        </AppLink>
        {one.steps && (
          <UnstyledButton
            className={styles.steps}
            aria-expanded={isOpen}
            aria-label={words.stepsOf(one.steps, one.title)}
            onClick={() => setIsOpen(!isOpen)}
          >
            {words.steps(one.steps)}
            {isOpen ? <IconChevronUp size={13} aria-hidden /> : <IconChevronDown size={13} aria-hidden />}
          </UnstyledButton>
        )}
      </span>
      {one.called && <span className={styles.what}>{one.called}</span>}
      <span className={styles.what}>
        <StateInPlace one={one} isMine={isMine} told={setFault} />
      </span>
      {fault !== null && (
        <div className={styles.opened}>
          <ProblemAlert error={fault} />
        </div>
      )}
      {isOpen && (
        <Suspense>
          <div className={styles.opened}>
            <RecordSteps entry={kind} id={one.id} />
          </div>
        </Suspense>
      )}
    </li>
  )
}
