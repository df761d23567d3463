import { Button, Stack, Text, Title } from '@mantine/core'
import type { BulkChange } from '../../client/send-file.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { importing } from '../../copy/imports.ts'

const words = importing.plan

type Shown = BulkChange['leftOut']['rows'][number] & { readonly id: string }

/** The rows of a file that were left out of the plan, and the way back for each. */
export function LeftOutRows({
  bulk: { leftOut },
  isPending,
  restore,
}: {
  bulk: BulkChange
  isPending: boolean
  restore: (rows: number[]) => void
}) {
  const columns: Column<Shown>[] = [
    { label: words.row, cell: ({ number }) => words.rowOf(number) },
    {
      label: words.values,
      cell: ({ text, isTotal }) => (
        <>
          <bdi>{text}</bdi>
          {isTotal && (
            <Text size="xs" c="dimmed">
              {words.isTotal}
            </Text>
          )}
        </>
      ),
    },
    {
      label: words.acts,
      hidden: true,
      cell: ({ number }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={words.restoreRow(number)}
          disabled={isPending}
          onClick={() => restore([number])}
        >
          {words.restore}
        </Button>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {words.leftOutRows}
      </Title>
      <DataTable
        label={words.leftOutRows}
        rows={leftOut.rows.map((row): Shown => ({ ...row, id: String(row.number) }))}
        columns={columns}
      />
    </Stack>
  )
}
