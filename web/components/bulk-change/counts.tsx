import { Group, Text } from '@mantine/core'
import type { BulkChange } from '../../client/send-file.ts'
import { bulkEdit, importing } from '../../copy/imports.ts'
import { Chip, type Look } from '../chip.tsx'

const PLANNED: Readonly<Record<string, Look>> = {
  create: 'good',
  change: 'good',
  delete: 'good',
  leave: 'quiet',
  error: 'bad',
}
const DONE: Readonly<Record<string, Look>> = {
  created: 'good',
  changed: 'good',
  deleted: 'good',
  unchanged: 'quiet',
  refused: 'bad',
}

/** How many rows come to what, and how many were left out; what no row comes to is not told. */
export function PlannedCounts({ bulk: { planned, origin, undoes, leftOut } }: { bulk: BulkChange }) {
  const left = undoes === null ? bulkEdit.refused : bulkEdit.staying
  const told = Object.entries(planned ?? {}).filter(([, count]) => count > 0)
  const isNothing = told.length === 0
  if (isNothing && leftOut.count === 0) return <Text size="sm">{importing.plan.nothing}</Text>
  return (
    <Group gap="xs" role="status">
      {isNothing && <Text size="sm">{importing.plan.nothing}</Text>}
      {told.map(([name, count]) => (
        <Chip key={name} look={PLANNED[name]!}>
          {name === 'error' && origin === 'selection'
            ? left(count)
            : importing.plan.counts[name as keyof typeof importing.plan.counts](count)}
        </Chip>
      ))}
      {leftOut.count > 0 && <Chip look="quiet">{importing.plan.leftOut(leftOut.count)}</Chip>}
    </Group>
  )
}

export function DoneCounts({ done }: Pick<BulkChange, 'done'>) {
  return (
    <Group gap="xs" role="status">
      {Object.entries(done ?? {}).flatMap(([name, count]) =>
        count > 0 ? (
          <Chip key={name} look={DONE[name]!}>
            {importing.done.counts[name as keyof typeof importing.done.counts](count)}
          </Chip>
        ) : (
          []
        ),
      )}
    </Group>
  )
}
