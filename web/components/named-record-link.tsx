import { Text } from '@mantine/core'
import type { KindEntry } from '../../model/described-kind.ts'
import { RecordLink } from './record-link.tsx'

/** The way to a record by its reference and its name. */
export function NamedRecordLink({
  reference,
  name,
  ...link
}: {
  kind: KindEntry
  id: string
  title?: string
  reference: string
  name: string
}) {
  return (
    <RecordLink {...link}>
      {/* What has no number of its own is called by its name alone. */}
      {reference !== name && (
        <>
          <Text span size="sm" c="dimmed">
            {reference}
          </Text>{' '}
        </>
      )}
      <bdi>{name}</bdi>
    </RecordLink>
  )
}
