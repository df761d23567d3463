import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { nameOf } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import { today } from '../../client/formats.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type Filters, listAddress } from '../../client/list-address.ts'
import { type AnyRecord, mayDo, recordQuery } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { RecordValue } from '../../components/record-value.tsx'
import { Section } from '../../components/section.tsx'
import { evidenceHub as words } from '../../copy/evidence-hub.ts'

const ROWS = 10
const SOON_DAYS = 60

/** Where evidence is asked for, waits, runs out or is missing. */
export function EvidenceHubPage() {
  const signedIn = useSignedIn()
  const evidence = useKind(kindIndex.evidence)
  const control = useKind(kindIndex.control)
  const { id } = signedIn.person
  const requested = { status: ['requested'] }
  return (
    <Stack gap="xl">
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Anchor component={AppLink} href={listAddress(evidence)} size="sm">
            {words.all}
          </Anchor>
        }
      />
      <Rows
        kind={evidence}
        words={words.mine}
        filters={{ ...requested, requestedFromId: [id] }}
        sort="requestDueDate"
        shown={{ [words.columns.by]: 'requestDueDate' }}
      />
      <Rows
        kind={evidence}
        words={words.review}
        filters={{ status: ['in_review'], reviewerId: [id] }}
        sort="updatedAt"
        shown={{ [words.columns.owner]: 'owner' }}
      />
      <Rows
        kind={evidence}
        words={words.requested}
        filters={requested}
        sort="requestDueDate"
        shown={{ [words.columns.from]: 'requestedFrom', [words.columns.by]: 'requestDueDate' }}
      />
      <Rows
        kind={evidence}
        words={words.expiring}
        filters={{ status: ['approved'], 'expiryDate.to': inDays(SOON_DAYS) }}
        sort="expiryDate"
        shown={{ [words.columns.owner]: 'owner', [words.columns.expires]: 'expiryDate' }}
      />
      {mayDo(kindIndex.control, 'read', signedIn) && (
        <Rows
          kind={control}
          words={words.unproven}
          filters={{ unproven: true }}
          sort="-updatedAt"
          shown={{ [words.columns.owner]: 'owner', [words.columns.why]: 'unprovenReason' }}
        />
      )}
    </Stack>
  )
}

/** A flag is asked for as what else is: by the values that will do. */
const inputOf = (filters: Filters): Values =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, typeof value === 'boolean' ? [value] : value]),
  )

function inDays(days: number): string {
  const day = new Date(`${today()}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

interface Words {
  readonly title: string
  readonly text: string
  readonly none: string
}

/** The first records of a list, and the way to all of it. */
function Rows({
  kind,
  words: { title, text, none },
  filters,
  sort,
  shown,
}: {
  kind: DescribedKind
  words: Words
  filters: Filters
  sort: string
  /** Fields by the titles of their columns. */
  shown: Readonly<Record<string, string>>
}) {
  const list = useQuery(recordQuery(kind, 'list', { ...inputOf(filters), sort, limit: ROWS }))
  const all = (
    <Anchor component={AppLink} href={listAddress(kind, filters)} size="sm" aria-label={words.listOf(title)}>
      {words.list}
    </Anchor>
  )
  return (
    <Section title={title} text={text} action={all}>
      <Loaded query={list} lines={2}>
        {({ data }) => (
          <Table
            label={title}
            none={none}
            rows={data}
            columns={[nameColumn(kind), ...columnsOf(kind, shown)]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Table({
  label,
  none,
  rows,
  columns,
}: {
  label: string
  none: string
  rows: readonly AnyRecord[]
  columns: Column<AnyRecord>[]
}) {
  return rows.length === 0 ? (
    <Text size="sm" c="dimmed">
      {none}
    </Text>
  ) : (
    <DataTable label={label} columns={columns} rows={[...rows]} />
  )
}

const nameColumn = (kind: DescribedKind): Column<AnyRecord> => ({
  label: words.columns.record,
  cell: (row) => (
    <NamedRecordLink kind={kind} id={row.id} reference={row.reference} name={nameOf(kind, row)} />
  ),
})

const columnsOf = (kind: DescribedKind, shown: Readonly<Record<string, string>>): Column<AnyRecord>[] =>
  Object.entries(shown).map(([label, field]) => ({
    label,
    cell: (row) => <RecordValue kind={kind} field={fieldsOf(kind).get(field)!} record={row} />,
  }))
