import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { isRefusal } from '../client/problem.ts'
import { PageHead } from './page-head.tsx'
import { LinesSkeleton, PageBodySkeleton } from './page-skeleton.tsx'
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
  /** For what is the whole page: its head until it can say a better one. */
  title?: string
  children: (data: Data) => ReactNode
}) {
  const head = title && <PageHead title={title} />
  const place = head ? (
    <Stack gap="lg">
      {head}
      <PageBodySkeleton />
    </Stack>
  ) : (
    <LinesSkeleton lines={lines} />
  )
  // Of which kinds the records are is often known by them alone: then their fields come after.
  if (data !== undefined) return <Suspense fallback={place}>{children(data)}</Suspense>
  if (error)
    return (
      <>
        {head}
        <ProblemAlert error={error} {...(isRefusal(error) ? {} : { retry: () => void refetch() })} />
      </>
    )
  return place
}
