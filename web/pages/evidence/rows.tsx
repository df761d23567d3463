import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { nameOf } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import { type Filters, listAddress } from '../../client/list-address.ts'
import { type AnyRecord, recordQuery } from '../../client/records.ts'
import { AppLink } from '../../components/app-link.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { RecordValue } from '../../components/record-value.tsx'
import { Section } from '../../components/section.tsx'
import { evidenceHub as words } from '../../copy/evidence-hub.ts'

const ROWS = 10

export interface RowsWords {
  readonly title: string
  readonly text: string
  readonly none: string
}

/** A field to show, by the title of its column; `unset` where it has no value. */
export type ShownFields = Readonly<
  Record<string, string | { readonly field: string; readonly unset: string }>
>

/** The first records of a list under a heading, and the way to all of it. */
export function Rows({
  words: { title, text, none },
  ...list
}: {
  kind: DescribedKind
  words: RowsWords
  filters: Filters
  sort: string
  shown: ShownFields
}) {
  const { kind, filters } = list
  return (
    <Section title={title} text={text} action={<AsList kind={kind} filters={filters} title={title} />}>
      <FirstRows {...list} label={title} none={none} />
    </Section>
  )
}

/** The way to the list that rows are the first of. */
export const AsList = ({
  kind,
  filters,
  title,
}: {
  kind: DescribedKind
  filters: Filters
  title: string
}) => (
  <Anchor component={AppLink} href={listAddress(kind, filters)} size="sm" aria-label={words.listOf(title)}>
    {words.list}
  </Anchor>
)

/** The first records of a list, as a table. */
export function FirstRows({
  kind,
  label,
  none,
  filters,
  sort,
  shown,
}: {
  kind: DescribedKind
  label: string
  /** Said where there are none. */
  none: string
  filters: Filters
  sort: string
  shown: ShownFields
}) {
  const list = useQuery(recordQuery(kind, 'list', { ...inputOf(filters), sort, limit: ROWS }))
  return (
    <Loaded query={list} lines={2}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        ) : (
          <DataTable label={label} columns={[nameColumn(kind), ...columnsOf(kind, shown)]} rows={[...data]} />
        )
      }
    </Loaded>
  )
}

/** Filters as a call takes them: where the values that will do are asked for, one is a list of one. */
export const inputOf = (filters: Filters): Values =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      Array.isArray(value) || /\.(from|to)$/.test(name) ? value : [value],
    ]),
  )

const nameColumn = (kind: DescribedKind): Column<AnyRecord> => ({
  label: words.columns.record,
  cell: (row) => (
    <NamedRecordLink kind={kind} id={row.id} reference={row.reference} name={nameOf(kind, row)} />
  ),
})

const columnsOf = (kind: DescribedKind, shown: ShownFields): Column<AnyRecord>[] =>
  Object.entries(shown).map(([label, told]) => {
    const { field, unset } = typeof told === 'string' ? { field: told, unset: null } : told
    const cell = (row: AnyRecord): ReactNode =>
      unset !== null && (row[field] ?? null) === null ? (
        unset
      ) : (
        <RecordValue kind={kind} field={fieldsOf(kind).get(field)!} record={row} />
      )
    return { label, cell }
  })
