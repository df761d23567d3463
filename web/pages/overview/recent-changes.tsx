import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { Kind } from '../../../kinds/kind.ts'
import { recordQuery } from '../../client/records.ts'
import { Card } from '../../parts/card.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type RecordRow, RecordRows } from '../../parts/record-rows.tsx'
import { overview } from '../../words/overview.ts'

const words = overview.changes
const SHOWN = 8

/** The records of every kind that were changed last. */
export function RecentChanges({ kinds }: { kinds: readonly Kind[] }) {
  const changes = useQueries({
    queries: kinds.map((kind) => recordQuery(kind, 'list', { sort: '-updatedAt', limit: SHOWN })),
    combine: (all) => ({
      data: all.every(({ data }) => data)
        ? all.flatMap(({ data }, index) => data!.data.map((record) => ({ kind: kinds[index]!, record })))
        : undefined,
      error: all.find(({ error }) => error)?.error ?? null,
      refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
    }),
  })
  return (
    <Card title={words.title}>
      <Loaded query={changes} lines={SHOWN}>
        {(rows) =>
          rows.length > 0 ? (
            <RecordRows
              label={words.title}
              rows={[...rows].sort(newestFirst).slice(0, SHOWN)}
              aside={Change}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          )
        }
      </Loaded>
    </Card>
  )
}

const newestFirst = (one: RecordRow, other: RecordRow): number =>
  other.record.updatedAt.localeCompare(one.record.updatedAt)

function Change({ record: { version, updatedBy, updatedAt } }: RecordRow) {
  const { displayName } = updatedBy as { displayName: string }
  return (
    <>
      <span>{version === 1 ? words.added(displayName) : words.changed(displayName)}</span>
      <Moment at={updatedAt} />
    </>
  )
}
