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

type DoneName = keyof typeof importing.done.counts
const toldOf = (done: BulkChange['done']) =>
  Object.entries(done ?? {}).filter(([, count]) => count > 0) as [DoneName, number][]

/** What became of rows this time; those that were written before they were planned again are told apart. */
export function DoneCounts({ bulk: { done, doneBefore, leftOut } }: { bulk: BulkChange }) {
  const now = Object.fromEntries(
    Object.entries(done ?? {}).map(([name, count]) => [name, count - (doneBefore?.[name] ?? 0)]),
  )
  return (
    <>
      <Group gap="xs" role="status">
        {toldOf(now).map(([name, count]) => (
          <Chip key={name} look={DONE[name]!}>
            {importing.done.counts[name](count)}
          </Chip>
        ))}
        {leftOut.count > 0 && <Chip look="quiet">{importing.plan.leftOut(leftOut.count)}</Chip>}
      </Group>
      <DoneBefore doneBefore={doneBefore} />
    </>
  )
}

/** What rows of the file have come to before the others were planned again. */
export function DoneBefore({ doneBefore }: Pick<BulkChange, 'doneBefore'>) {
  const told = toldOf(doneBefore)
  if (told.length === 0) return null
  return (
    <Text size="sm">
      {importing.done.before(told.map(([name, count]) => importing.done.counts[name](count)))}
    </Text>
  )
}
