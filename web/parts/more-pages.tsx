import { Button } from '@mantine/core'
import { buttons } from '../words/buttons.ts'

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** The next page of a list, where there is one. */
export function MorePages({ of: pages }: { of: Pages }) {
  if (!pages.hasNextPage) return null
  return (
    <Button
      variant="default"
      size="xs"
      mx="auto"
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {buttons.more}
    </Button>
  )
}
