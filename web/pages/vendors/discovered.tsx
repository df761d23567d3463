import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { WAITING } from '../../../model/kinds/vendor-rules.ts'
import { nameOf } from '../../../model/roles.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import type { AnyRecord } from '../../client/records.ts'
import { useKind } from '../../client/use-kind.ts'
import { rowsOf } from '../../client/use-pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PlainValue } from '../../components/plain-value.tsx'
import { rowsQuery } from '../../components/record-list/use-rows.ts'
import { NEWEST_FIRST } from '../../components/record-list/view.ts'
import { WebLink } from '../../components/web-link.tsx'
import { discovered as words } from '../../copy/discovered.ts'
import { RecordOperations } from '../record/operations.tsx'

/** What can be done with one of these, beside all that can be done with any vendor. */
const ACTS = ['adoptVendor', 'mergeVendor', 'dismissVendor']

/** Vendors that something found, until somebody takes them up, merges them or dismisses them. */
export function DiscoveredVendorsPage() {
  const kind = useKind(kindIndex.vendor)
  const { source, status, lifecycleStage } = WAITING
  const filters = { source: [...source], status: [...status], lifecycleStage: [...lifecycleStage] }
  const pages = useInfiniteQuery(rowsQuery(kind, filters, NEWEST_FIRST))
  const columns: Column<AnyRecord>[] = [
    {
      label: words.columns.name,
      cell: (row) => (
        <NamedRecordLink kind={kind} id={row.id} reference={row.reference} name={nameOf(kind, row)} />
      ),
    },
    { label: words.columns.by, cell: ({ discoveredBy }) => <PlainValue value={discoveredBy} /> },
    {
      label: words.columns.website,
      cell: ({ website }) => (website ? <WebLink url={String(website)} /> : <PlainValue value={null} />),
    },
    { label: words.columns.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      label: words.columns.acts,
      hidden: true,
      cell: (row) => (
        <Group gap="xs" justify="flex-end">
          <RecordOperations kind={kind} record={row} only={ACTS} />
        </Group>
      ),
    },
  ]
  const all = (
    <Anchor component={AppLink} href={listAddress(kind, { source: filters.source })} size="sm">
      {words.register}
    </Anchor>
  )
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} action={all} />
      <Loaded query={pages} lines={6}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Paper withBorder p="xl" ta="center">
              <Text component="h2" fz="1rem" fw={600} m={0}>
                {words.none.title}
              </Text>
              <Text size="sm" c="dimmed">
                {words.none.text}
              </Text>
            </Paper>
          ) : (
            <div>
              <DataTable label={words.label} columns={columns} rows={rowsOf(data)} />
              <MorePages of={pages} />
            </div>
          )
        }
      </Loaded>
    </Stack>
  )
}
