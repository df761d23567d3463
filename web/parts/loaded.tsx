import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { everyPage } from '../words/every-page.ts'
import styles from './loaded.module.css'
import { PageHead } from './page-head.tsx'
import { ProblemAlert } from './problem-alert.tsx'

/** What is read from the service: its place while it is on the way, what went wrong, or the thing itself. */
export function Loaded<Data>({
  query: { data, error, refetch },
  lines = 3,
  title,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error'> & { refetch: () => Promise<unknown> }
  /** How many lines it will be, about. */
  lines?: number
  /** The head of the page until it can say a better one. */
  title?: string
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  const head = title && <PageHead title={title} />
  if (error)
    return (
      <>
        {head}
        <ProblemAlert error={error} retry={() => void refetch()} />
      </>
    )
  return (
    <Stack gap="xs" className={styles.late} role="status" aria-label={everyPage.loading}>
      {head}
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} height={36} />
      ))}
    </Stack>
  )
}
