import { Button, Stack, Title } from '@mantine/core'
import type { Output } from '../../client/calls.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { importing } from '../../copy/imports.ts'
import { FromTo } from '../changes/from-to.tsx'
import styles from '../changes.module.css'
import { type Column, DataTable } from '../data-table.tsx'
import { Loaded } from '../loaded.tsx'
import { ZonedMoment } from '../moment.tsx'
import { MorePages } from '../more-pages.tsx'
import { PlainValue } from '../plain-value.tsx'

const words = importing.plan

type BulkRow = Output<'listBulkChangeRows'>['data'][number]
type ShownRow = BulkRow & { readonly id: string }

/** What rows of a file would write: each field of a record that is added, and before and after where one is changed. */
export function RowChanges({
  bulk,
  planned,
  title,
  leaveOut,
}: {
  bulk: BulkChange
  planned: 'create' | 'change'
  title: string
  /** Takes a row out of the plan, by its number. */
  leaveOut: (row: number) => void
}) {
  const pages = usePages('listBulkChangeRows', { id: bulk.id, limit: 20, planned: [planned] })
  const fields = new Map(bulk.fields.map((field) => [field.key, field]))
  const columns: Column<ShownRow>[] = [
    { label: words.row, cell: ({ number }) => words.rowOf(number) },
    ...(planned === 'change'
      ? [
          {
            label: words.record,
            cell: ({ record }: ShownRow) =>
              record ? `${record.reference} ${record.title}` : <PlainValue value={null} />,
          },
        ]
      : []),
    {
      label: words.fields,
      cell: ({ changes }) => (
        <dl className={styles.changes}>
          {changes.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{fields.get(field)?.title ?? field.replace('customFields.', '')}</dt>
              <dd>
                {planned === 'create' ? (
                  <Value of={fields.get(field)} value={after} />
                ) : (
                  <FromTo
                    from={<Value of={fields.get(field)} value={before} />}
                    to={<Value of={fields.get(field)} value={after} />}
                  />
                )}
              </dd>
            </div>
          ))}
        </dl>
      ),
    },
    {
      label: words.acts,
      hidden: true,
      cell: ({ number }) => (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={words.leaveOutRow(number)}
          onClick={() => leaveOut(number)}
        >
          {words.leaveOut}
        </Button>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Loaded query={pages}>
        {(data) => (
          <DataTable
            label={title}
            rows={rowsOf(data).map((row): ShownRow => ({ ...row, id: String(row.number) }))}
            columns={columns}
          />
        )}
      </Loaded>
      <MorePages of={pages} />
    </Stack>
  )
}

/** A time as the app has times: an export, which has it otherwise, is read by programs as well. */
const Value = ({ of, value }: { of: BulkChange['fields'][number] | undefined; value: string | null }) =>
  of?.isDate && value?.endsWith('Z') ? <ZonedMoment at={value} /> : <PlainValue value={value} />
