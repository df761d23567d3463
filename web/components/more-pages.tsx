import { Button } from '@mantine/core'
import { buttons } from '../copy/buttons.ts'
import { ProblemAlert } from './problem-alert.tsx'

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => Promise<unknown>
}

/** The next page of a list, where there is one; where it could not be had, that is told, and what is shown stays. */
export function MorePages({ of: pages }: { of: Pages }) {
  const fetch = () => void pages.fetchNextPage()
  if (!pages.hasNextPage) return null
  if (pages.isFetchNextPageError) return <ProblemAlert error={pages.error} retry={fetch} />
  return (
    <Button
      variant="default"
      size="xs"
      mx="auto"
      my="xs"
      display="block"
      loading={pages.isFetchingNextPage}
      onClick={fetch}
    >
      {buttons.more}
    </Button>
  )
}
