import { Text } from '@mantine/core'
import type { Input } from '../../client/calls.ts'
import type { Deadline } from '../../client/deadlines.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { Section } from '../../components/section.tsx'
import { myWork as words } from '../../copy/my-work.ts'
import styles from './my-work.module.css'
import { WorkRow } from './work-row.tsx'

const FIRST = 25
/** The service counts no further. */
export const COUNTED_AT_MOST = 1_000

/** What is due of one sort, the earliest first. */
export function DueSection({
  words: { title, text },
  count,
  first = FIRST,
  isMine = true,
  asked,
}: {
  words: { readonly title: string; readonly text: string }
  /** How many there are, where that is known. */
  count?: number
  /** Whether all of it is theirs. */
  isMine?: boolean
  /** How many are shown at once. */
  first?: number
  asked: Input<'listDeadlines'>
}) {
  const pages = usePages('listDeadlines', { ...asked, limit: first })
  const heading = count === undefined ? title : `${title} ${words.count(count, COUNTED_AT_MOST)}`
  return (
    <Section title={heading} text={text}>
      <Loaded query={pages} lines={Math.min(count ?? first, first)}>
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
                  <WorkRow key={`${one.id} ${one.deadline}`} one={one} isMine={isMine} />
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
