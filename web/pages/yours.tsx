import { Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'
import { deadlineOf } from '../../model/roles.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { everyKind } from '../client/kinds.ts'
import { type AnyRecord, readRecordsAgain, useRecordAnswer } from '../client/records.ts'
import { Day } from '../components/day.tsx'
import { isLate } from '../components/is-late.ts'
import { Loaded } from '../components/loaded.tsx'
import { PageHead } from '../components/page-head.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { Section } from '../components/section.tsx'
import { registerWords } from '../copy/records.ts'
import { yours as words } from '../copy/yours.ts'
import { Acknowledged } from './my-work/acknowledged.tsx'
import { StateInPlace } from './my-work/state-in-place.tsx'
import { ToRead } from './my-work/to-read.tsx'
import { WithUndo } from './my-work/with-undo.tsx'
import styles from './yours.module.css'

/** Of what has some. */
const RecordSteps = lazy(() =>
  fetchCode(() => import('./my-work/record-steps.tsx')).then((code) => ({ default: code.RecordSteps })),
)

const SHOWN_AT_MOST = 100

/** The one page of records for who is here for themselves alone: of each kind that shows them theirs, those. */
export function YoursPage() {
  return (
    <Stack gap="xl" maw={820}>
      <PageHead title={words.title} text={words.text} />
      <ToRead />
      <WithUndo after={readRecordsAgain}>
        {everyKind
          .filter(({ isShownToOwners }) => isShownToOwners)
          .map((kind) => (
            <OfKind key={kind.name} kind={kind} />
          ))}
      </WithUndo>
      <Acknowledged />
    </Stack>
  )
}

function OfKind({ kind }: { kind: KindEntry }) {
  const records = useRecordAnswer(kind, 'list', { limit: SHOWN_AT_MOST })
  const [fault, setFault] = useState<unknown>(null)
  return (
    <Section title={registerWords(kind).title}>
      {fault !== null && <ProblemAlert error={fault} />}
      <Loaded query={records} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          ) : (
            <ul className={styles.rows} aria-label={registerWords(kind).title}>
              {data.map((one) => (
                <Row key={one.id} kind={kind} one={one} told={setFault} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function Row({ kind, one, told }: { kind: KindEntry; one: AnyRecord; told: (error: unknown) => void }) {
  const name = deadlineOf(kind) ?? ''
  const due = one[name]
  const state = kind.open && one[kind.open.field]
  const wasDue = isLate(kind, { name }, one)
  const title = String(one[kind.named])
  const hasSteps = Object.keys(kind.leftTo?.by ?? {}).some(
    (field) => Array.isArray(one[field]) && one[field].length > 0,
  )
  return (
    <li className={styles.row}>
      <span className={styles.quiet}>{one.reference}</span>
      <bdi className={styles.title}>{title}</bdi>
      {typeof due === 'string' && (
        <span className={wasDue ? styles.late : styles.quiet}>
          {wasDue ? words.wasDue : words.due} <Day on={due} />
        </span>
      )}
      {typeof state === 'string' && (
        <span className={styles.quiet}>
          <StateInPlace one={{ id: one.id, title, state }} isMine told={told} />
        </span>
      )}
      {hasSteps && (
        <Suspense>
          <div className={styles.steps}>
            <RecordSteps entry={kind} id={one.id} />
          </div>
        </Suspense>
      )}
    </li>
  )
}
