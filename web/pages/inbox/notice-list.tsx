import { Paper, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { useListKeys } from '../../components/record-list/use-list-keys.ts'
import styles from './inbox.module.css'
import { NoticeRow } from './notice-row.tsx'
import { type Notice, useNoticeChange, type View } from './notices.ts'

export interface NoticeGroup {
  readonly title: string
  readonly rows: readonly Notice[]
  /** What is said where it has no rows. */
  readonly none?: string
  readonly more: ReactNode
}

/** Notices under their headings; keys lead through all of them. */
export function NoticeList({ view, groups }: { view: View; groups: readonly NoticeGroup[] }) {
  const change = useNoticeChange()
  const all = groups.flatMap(({ rows }) => rows)
  const [chosen, setChosen] = useState<string | null>(null)
  const at = all.findIndex(({ id }) => id === chosen)
  const current = all[at]
  const go = (place: number) => {
    const next = all[Math.max(0, Math.min(all.length - 1, place))]
    if (!next) return
    document.getElementById(next.id)?.querySelector('a')?.focus()
  }
  const put = (given: Omit<Parameters<typeof change.mutate>[0], 'id'>) => {
    if (!current) return
    // What leaves the list hands the place on.
    if (given.isArchived !== undefined) go(at + 1 < all.length ? at + 1 : at - 1)
    change.mutate({ id: current.id, ...given })
  }
  useListKeys({
    j: () => go(at + 1),
    k: () => go(at - 1),
    e: () => put({ isArchived: current?.archivedAt === null }),
    u: () => put({ isRead: current?.readAt === null }),
  })
  return (
    <Stack gap="lg">
      <ProblemAlert error={change.error} />
      {groups.map(({ title, rows, none, more }) => (
        <section key={title} aria-label={title}>
          <Text component="h2" fz="sm" fw={600} mb={6} mt={0}>
            {title}
          </Text>
          {rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {none}
            </Text>
          ) : (
            <Paper withBorder component="ul" className={styles.list} aria-label={title}>
              {rows.map((notice) => (
                <NoticeRow
                  key={notice.id}
                  notice={notice}
                  view={view}
                  choose={() => setChosen(notice.id)}
                  change={(given) => change.mutate({ id: notice.id, ...given })}
                />
              ))}
            </Paper>
          )}
          {more}
        </section>
      ))}
    </Stack>
  )
}
