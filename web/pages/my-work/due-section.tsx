import { Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Input } from '../../client/calls.ts'
import { type Deadline, dayOf } from '../../client/deadlines.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindOfId } from '../../client/kinds.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Day } from '../../components/day.tsx'
import { iconOf } from '../../components/frame/icons.ts'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { Section } from '../../components/section.tsx'
import { myWork as words } from '../../copy/my-work.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './my-work.module.css'

/** Of what is opened. */
const RecordSteps = lazy(() =>
  fetchCode(() => import('./record-steps.tsx')).then((code) => ({ default: code.RecordSteps })),
)

const FIRST = 25
/** The service counts no further. */
const COUNTED_AT_MOST = 1_000

/** What is due of one sort, the earliest first. */
export function DueSection({
  words: { title, text },
  count,
  asked,
}: {
  words: { readonly title: string; readonly text: string }
  /** How many there are, where that is known. */
  count?: number
  asked: Input<'listDeadlines'>
}) {
  const pages = usePages('listDeadlines', { ...asked, limit: FIRST })
  const heading = count === undefined ? title : `${title} ${words.count(count, COUNTED_AT_MOST)}`
  return (
    <Section title={heading} text={text}>
      <Loaded query={pages} lines={Math.min(count ?? FIRST, FIRST)}>
        {(data) => {
          const rows: Deadline[] = rowsOf(data)
          if (rows.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {words.none}
              </Text>
            )
          return (
            <>
              <ul className={styles.rows} aria-label={title}>
                {rows.map((one) => (
                  <Row key={`${one.id} ${one.deadline}`} one={one} />
                ))}
              </ul>
              <MorePages of={pages} />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Row({ one }: { one: Deadline }) {
  const kind = kindOfId(one.id)!
  const Icon = iconOf(kind)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li className={styles.row}>
      <span className={styles.date} data-late={one.bucket === 'late' || undefined}>
        <Day on={dayOf(one)} />
      </span>
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
      <span className={styles.what}>{valueWord(one.deadline)}</span>
      <span className={styles.what}>{one.state && valueWord(one.state)}</span>
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
