import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { capital } from '../../../model/capital.ts'
import { call, type Output } from '../../client/calls.ts'
import { type BulkChange, follow } from '../../client/send-file.ts'
import { countWord } from '../../copy/counts.ts'
import { importing } from '../../copy/imports.ts'
import { FromTo } from '../changes/from-to.tsx'
import styles from '../changes.module.css'
import { type Column, DataTable } from '../data-table.tsx'
import { Loaded } from '../loaded.tsx'
import { PlainValue } from '../plain-value.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

const words = importing.plan

/** As many as of the rows. */
const VALUES_SHOWN = 8

type Summary = Output<'summarizeBulkChange'>
type Problem = Summary['problems'][number]

/** Read anew once rows were planned or written. */
export const useSummary = ({ id, planned, done }: BulkChange): UseQueryResult<Summary> =>
  useQuery({
    queryKey: ['summarizeBulkChange', { id }, planned, done],
    queryFn: () => call('summarizeBulkChange', { id }),
  })

/** What would change from what to what, by field, and in how many records. */
export function ChangeGroups({ bulk }: { bulk: BulkChange }) {
  return (
    <Loaded query={useSummary(bulk)}>
      {({ changes }) => (
        <dl className={styles.changes}>
          {changes.map(({ field, count, kinds, values }) => (
            <div key={field}>
              <dt>{titleOf(bulk, field)}</dt>
              <dd style={{ display: 'block' }}>
                {values.map(({ before, after, count: of }) => (
                  <div
                    key={`${before} ${after}`}
                    style={{ display: 'flex', flexWrap: 'wrap', gap: '0 0.5rem' }}
                  >
                    <FromTo from={<PlainValue value={before} />} to={<PlainValue value={after} />} />
                    {count > 1 && (
                      <Text span size="xs" c="dimmed">
                        {words.times(of)}
                      </Text>
                    )}
                  </div>
                ))}
                {kinds > values.length && (
                  <Text size="xs" c="dimmed">
                    {words.more(kinds - values.length)}
                  </Text>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  )
}

/** What keeps rows from being what they ask for: each problem once, with where it is and what would be right. */
export function ProblemGroups({ bulk, title }: { bulk: BulkChange; title: string }) {
  const query = useSummary(bulk)
  const saving = useMutation({
    mutationFn: async () => follow(await call('downloadRefusedRows', { id: bulk.id })),
  })
  if (query.data?.problems.length === 0) return null
  const ofFile = bulk.origin === 'file'
  // Of a selection, all rows may be given the same; what is taken back is another value in each.
  const hasValues = ofFile || query.data?.problems.some(({ values }) => values.length > 0)
  // What stays as it is, as somebody had touched it, is told of whole records.
  const hasColumns = ofFile || query.data?.problems.some(({ field }) => field !== null)
  const columns: Column<Problem & { id: string }>[] = [
    ...(hasColumns
      ? [
          {
            label: words.column,
            cell: ({ column, field }: Problem) => (
              <PlainValue value={columnOf(bulk, column, field) ?? words.whole(ofFile)} />
            ),
          },
        ]
      : []),
    {
      label: hasColumns ? words.wrong : words.why,
      cell: ({ message, isAlike }) =>
        hasColumns ? (isAlike ? message : words.such(message)) : capital(message),
    },
    ...(hasValues
      ? [
          {
            label: ofFile ? words.values : words.given,
            cell: ({ values }: Problem) => (
              <PlainValue
                value={values
                  .slice(0, VALUES_SHOWN)
                  .map(({ value, count }) => (count > 1 ? `${value} (${countWord(count)})` : value))
                  .concat(values.length > VALUES_SHOWN ? '…' : [])}
              />
            ),
          },
        ]
      : []),
    {
      label: ofFile ? words.rows : words.records,
      cell: ({ rows, records, count }) => words.some(ofFile ? rows.map(countWord) : records, count),
    },
  ]
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {title}
        </Title>
        {ofFile && (
          <Anchor component="button" type="button" size="sm" onClick={() => saving.mutate()}>
            {words.takeOut}
          </Anchor>
        )}
      </Group>
      <ProblemAlert error={saving.error} />
      <Loaded query={query}>
        {({ problems }) => (
          <DataTable
            label={title}
            rows={problems.map((problem, place) => ({ ...problem, id: String(place) }))}
            columns={columns}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const titleOf = ({ fields }: BulkChange, field: string): string =>
  fields.find(({ key }) => key === field)?.title ?? field.replace('customFields.', '')

const columnOf = (bulk: BulkChange, column: number | null, field: string | null): string | null =>
  (column === null ? null : bulk.columns?.[column]?.title) ?? (field === null ? null : titleOf(bulk, field))
