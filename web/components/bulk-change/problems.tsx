import { Stack, Text, Title } from '@mantine/core'
import type { Input, Output } from '../../client/calls.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { importing } from '../../copy/imports.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Loaded } from '../loaded.tsx'
import { MorePages } from '../more-pages.tsx'
import { PlainValue } from '../plain-value.tsx'

const words = importing.plan

type BulkRow = Output<'listBulkChangeRows'>['data'][number]

interface ToldProblem {
  readonly id: string
  readonly row: BulkRow
  readonly column: string | null
  readonly value: string | null
  readonly message: string
}

/** What keeps rows from being what they ask for: where it stands, and what would be right. */
export function RowProblems({
  bulk,
  filter,
  title,
}: {
  bulk: BulkChange
  filter: Pick<Input<'listBulkChangeRows'>, 'planned' | 'done'>
  title: string
}) {
  const pages = usePages('listBulkChangeRows', { id: bulk.id, limit: 50, ...filter })
  const ofFile = bulk.origin === 'file'
  const columns: Column<ToldProblem>[] = [
    ofFile
      ? { label: words.row, cell: ({ row }) => words.rowOf(row.number) }
      : { label: words.record, cell: ({ row }) => row.record?.reference ?? row.number },
    ...(ofFile
      ? [{ label: words.column, cell: ({ column }: ToldProblem) => <PlainValue value={column} /> }]
      : []),
    { label: words.wrong, cell: ({ message }) => message },
    ...(ofFile
      ? [{ label: words.value, cell: ({ value }: ToldProblem) => <PlainValue value={value} /> }]
      : []),
  ]
  const titleOf = (column: number | null, field: string | null) =>
    (column === null ? null : bulk.columns?.[column]?.title) ??
    bulk.fields.find(({ key }) => key === field)?.title ??
    field
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Loaded query={pages}>
        {(data) => {
          const rows = rowsOf(data).flatMap((row) =>
            row.problems.map(
              ({ column, field, value, message }, place): ToldProblem => ({
                id: `${row.number}.${place}`,
                row,
                column: titleOf(column, field),
                value,
                message,
              }),
            ),
          )
          return rows.length > 0 ? (
            <DataTable label={title} rows={rows} columns={columns} />
          ) : (
            <Text size="sm">{words.nothing}</Text>
          )
        }}
      </Loaded>
      <MorePages of={pages} />
    </Stack>
  )
}
