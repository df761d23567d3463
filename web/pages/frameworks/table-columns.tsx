import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { DataTable } from '../../components/data-table.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import type { FrameworkImport } from './carry-out.ts'
import type { SaidOfTable } from './table-dialog.tsx'

const words = frameworks.importing.columns

type FoundTable = NonNullable<NonNullable<FrameworkImport['plan']>['table']>
type Field = FoundTable['columns'][number]['field']

/** How a table can be read again. */
export interface ReadAgain {
  readonly read: (columns: Pick<SaidOfTable, 'columns' | 'headRow'>) => void
  readonly isReading: boolean
  readonly error: Error | null
}

/** What the columns of a table were taken for, which can be corrected. */
export function TableColumns({
  table,
  again,
  edited,
}: {
  table: FoundTable
  again: ReadAgain
  /** Whether the columns differ from those that were read. */
  edited: (isEdited: boolean) => void
}) {
  const [headRow, setHeadRow] = useState(table.headRow)
  const [fields, setFields] = useState<readonly Field[]>(table.columns.map(({ field }) => field))
  const isSameHead = headRow === table.headRow
  const isChanged = !isSameHead || fields.some((field, at) => field !== table.columns[at]!.field)
  useEffect(() => edited(isChanged), [edited, isChanged])
  const options = [
    { value: '', label: words.leftOut },
    ...Object.entries(words.fields).map(([value, label]) => ({ value, label })),
  ]
  const rows = table.columns.map(({ title, samples }, at) => ({
    ...{ id: String(at), at, samples },
    title: title || words.unnamed(at + 1),
  }))
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {words.title}
      </Text>
      {table.top.length > 1 && (
        <NativeSelect
          label={words.headRow}
          size="sm"
          value={String(headRow)}
          data={table.top.map(({ row, text }) => ({ value: String(row), label: words.row(row, text) }))}
          onChange={({ currentTarget: { value } }) => setHeadRow(Number(value))}
        />
      )}
      {isSameHead && (
        <DataTable
          label={words.title}
          rows={rows}
          columns={[
            {
              label: words.column,
              cell: ({ title, samples }) => (
                <>
                  <Text size="sm">{title}</Text>
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {samples.join(', ')}
                  </Text>
                </>
              ),
            },
            {
              label: words.field,
              cell: ({ at, title }) => (
                <NativeSelect
                  size="xs"
                  aria-label={words.fieldOf(title)}
                  value={fields[at] ?? ''}
                  data={options}
                  onChange={({ currentTarget: { value } }) =>
                    setFields(fields.with(at, value === '' ? null : (value as NonNullable<Field>)))
                  }
                />
              ),
            },
          ]}
        />
      )}
      <ProblemAlert error={again.error} />
      {isChanged && (
        <Group justify="flex-end">
          <Button
            variant="default"
            size="sm"
            loading={again.isReading}
            onClick={() => again.read(isSameHead ? { headRow, columns: [...fields] } : { headRow })}
          >
            {words.readAgain}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
