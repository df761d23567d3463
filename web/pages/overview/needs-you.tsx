import { Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Output } from '../../client/calls.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RecordRows, Standing } from '../../components/record-rows.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import styles from './figures.module.css'

const words = overview.mine
const SHOWN = 7

/** What the person is to read, what waits for them, and what is theirs and late or due this week: the first of it, with the way to all. */
export function NeedsYou() {
  const waiting = useAnswer('listWaiting', { limit: SHOWN })
  const due = useAnswer('listDeadlines', {
    ownerId: ['me'],
    awaited: false,
    bucket: ['late', 'this_week'],
    limit: SHOWN,
  })
  const toRead = useAnswer('listMyAttestations', {})
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={allOf(waiting, toRead)} lines={4}>
        {([waits, reads]) => (
          <Loaded query={due} lines={4}>
            {({ data, counts: { late, thisWeek } }) => {
              const rows = [...reads.data.map(rowOf), ...waits.data, ...data].slice(0, SHOWN)
              const figures = {
                toRead: reads.data.length,
                waiting: waits.counts.reduce((sum, { count }) => sum + count, 0),
                late,
                thisWeek,
              }
              return (
                <>
                  <Figures counts={figures} />
                  {rows.length > 0 ? (
                    <RecordRows label={words.title} rows={rows} aside={Standing} />
                  ) : (
                    <Text size="sm" c="dimmed">
                      {words.none}
                    </Text>
                  )}
                </>
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </Card>
  )
}

/** A policy to acknowledge, as a row among records. */
const rowOf = ({ id, title, version, dueDate, isOverdue }: ToRead) => ({
  ...{ id, title, reference: null, href: `/to-read/${id}`, state: null },
  under: { reference: null, title: words.version(version) },
  ...{ date: dueDate, bucket: isOverdue ? ('late' as const) : ('later' as const) },
})

/** Two answers as one: what is said of nothing takes both. */
const allOf = <One, Other>(one: Answer<One>, other: Answer<Other>) => ({
  data: one.data && other.data ? ([one.data, other.data] as const) : undefined,
  error: one.error ?? other.error,
  refetch: () => Promise.all([one.refetch(), other.refetch()]),
})

type ToRead = Output<'listMyAttestations'>['data'][number]
type Answer<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>

/** Where in My work those are. */
const SECTIONS = { toRead: 'to_read', waiting: 'waiting', late: 'late', thisWeek: 'this_week' } as const

type Counts = Readonly<Record<keyof typeof words.figure, number>>

/** How many of each, where there are any. */
function Figures({ counts }: { counts: Counts }) {
  const shown = (Object.keys(counts) as (keyof Counts)[]).filter((name) => counts[name] > 0)
  if (shown.length === 0) return null
  return (
    <Group gap="xs">
      {shown.map((name) => (
        <AppLink key={name} href={`/my-work#${SECTIONS[name]}`} className={styles.figure} data-due={name}>
          <b>{countWord(counts[name])}</b> {words.figure[name]()}
        </AppLink>
      ))}
    </Group>
  )
}
