import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { KindEntry } from '../../model/described-kind.ts'
import { deadlineOf } from '../../model/roles.ts'
import { call } from '../client/calls.ts'
import { everyKind } from '../client/kinds.ts'
import { type AnyRecord, readRecordsAgain, useRecordAnswer } from '../client/records.ts'
import { Day } from '../components/day.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageHead } from '../components/page-head.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { Section } from '../components/section.tsx'
import { registerWords, valueWord } from '../copy/records.ts'
import { yours as words } from '../copy/yours.ts'
import { ToRead } from './my-work/to-read.tsx'
import styles from './yours.module.css'

const SHOWN_AT_MOST = 100

/** The one page of records for who is here for themselves alone: of each kind that shows them theirs, those. */
export function YoursPage() {
  return (
    <Stack gap="xl" maw={820}>
      <PageHead title={words.title} text={words.text} />
      <ToRead />
      {everyKind
        .filter(({ isShownToOwners }) => isShownToOwners)
        .map((kind) => (
          <OfKind key={kind.name} kind={kind} />
        ))}
    </Stack>
  )
}

function OfKind({ kind }: { kind: KindEntry }) {
  const records = useRecordAnswer(kind, 'list', { limit: SHOWN_AT_MOST })
  const complete = useMutation({
    mutationFn: async ({ id, version }: AnyRecord) => {
      await call('completeTask', { id, ifMatch: version })
      await readRecordsAgain(kind)
    },
  })
  return (
    <Section title={registerWords(kind).title}>
      <ProblemAlert error={complete.error} />
      <Loaded query={records} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          ) : (
            <ul className={styles.rows} aria-label={registerWords(kind).title}>
              {data.map((one) => (
                <Row
                  key={one.id}
                  kind={kind}
                  one={one}
                  complete={
                    kind.name === 'task' && kind.open?.values.includes(String(one.status))
                      ? () => complete.mutate(one)
                      : null
                  }
                  isBusy={complete.isPending}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function Row({
  kind,
  one,
  complete,
  isBusy,
}: {
  kind: KindEntry
  one: AnyRecord
  complete: (() => void) | null
  isBusy: boolean
}) {
  const due = one[deadlineOf(kind) ?? '']
  const state = kind.open && one[kind.open.field]
  return (
    <li className={styles.row}>
      <span className={styles.quiet}>{one.reference}</span>
      <bdi className={styles.title}>{String(one[kind.named])}</bdi>
      {typeof due === 'string' && (
        <span className={styles.quiet}>
          {words.due} <Day on={due} />
        </span>
      )}
      {typeof state === 'string' && <span className={styles.quiet}>{valueWord(state)}</span>}
      {complete && (
        <Button size="compact-xs" variant="default" onClick={complete} disabled={isBusy}>
          {words.done}
        </Button>
      )}
    </li>
  )
}
