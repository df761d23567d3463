import { Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
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
export function TableColumns({ table, again }: { table: FoundTable; again: ReadAgain }) {
  const [headRow, setHeadRow] = useState(table.headRow)
  const [fields, setFields] = useState<readonly Field[]>(table.columns.map(({ field }) => field))
  const isSameHead = headRow === table.headRow
  const isChanged = !isSameHead || fields.some((field, at) => field !== table.columns[at]!.field)
  const options = [
    { value: '', label: words.leftOut },
    ...Object.entries(words.fields).map(([value, label]) => ({ value, label })),
  ]
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
        <Table.ScrollContainer minWidth={420}>
          <Table verticalSpacing={4} aria-label={words.title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.column}</Table.Th>
                <Table.Th>{words.field}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {table.columns.map(({ title, samples }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name, and stay in their order
                <Table.Tr key={at}>
                  <Table.Td>
                    <Text size="sm">{title || words.unnamed(at + 1)}</Text>
                    <Text size="xs" c="dimmed" lineClamp={1}>
                      {samples.join(', ')}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <NativeSelect
                      size="xs"
                      aria-label={words.fieldOf(title || words.unnamed(at + 1))}
                      value={fields[at] ?? ''}
                      data={options}
                      onChange={({ currentTarget: { value } }) =>
                        setFields(fields.with(at, value === '' ? null : (value as NonNullable<Field>)))
                      }
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
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
