import { Group, Text } from '@mantine/core'
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

/** What waits for the person, and what is theirs and late or due this week: the first of it, with the way to all. */
export function NeedsYou() {
  const waiting = useAnswer('listWaiting', { limit: SHOWN })
  const due = useAnswer('listDeadlines', {
    ownerId: ['me'],
    awaited: false,
    bucket: ['late', 'this_week'],
    limit: SHOWN,
  })
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={waiting} lines={4}>
        {(waits) => (
          <Loaded query={due} lines={4}>
            {({ data, counts: { late, thisWeek } }) => {
              const rows = [...waits.data, ...data].slice(0, SHOWN)
              const figures = {
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

/** Where in My work those are. */
const SECTIONS = { waiting: 'waiting', late: 'late', thisWeek: 'this_week' } as const

type Counts = Readonly<Record<keyof typeof words.figure, number>>

/** How many of each, where there are any. */
function Figures({ counts }: { counts: Counts }) {
  const shown = (Object.keys(counts) as (keyof Counts)[]).filter((name) => counts[name] > 0)
  if (shown.length === 0) return null
  return (
    <Group gap="xs">
      {shown.map((name) => (
        <AppLink key={name} href={`/my-work#${SECTIONS[name]}`} className={styles.figure} data-due={name}>
          <b>{countWord(counts[name])}</b> {words.figure[name](counts[name])}
        </AppLink>
      ))}
    </Group>
  )
}
