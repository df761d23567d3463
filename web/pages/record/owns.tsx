import { Text } from '@mantine/core'
import { dayOf } from '../../client/deadlines.ts'
import { kindOf, titleOfField } from '../../client/journal.ts'
import { useKind } from '../../client/use-kind.ts'
import { usePages } from '../../client/use-pages.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Day } from '../../components/day.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { counted } from '../../copy/counts.ts'
import { record } from '../../copy/record.ts'
import { registerWords, valueWord } from '../../copy/records.ts'

const words = record.owns

/** What names a person, as its owner or otherwise: how many of each kind, and a way to each. */
export function Owns({ id }: { id: string }) {
  const owned = usePages('getPersonnelResponsibilities', { id })
  return (
    <Loaded query={owned} lines={4}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data)
        if (rows.length === 0) return <Text size="sm">{words.none}</Text>
        return (
          <>
            <Text size="sm" mb="sm">
              {Object.entries(pages[0]!.counts)
                .map(([type, count]) => toldOf(type, count))
                .join(' · ')}
            </Text>
            <DataTable
              label={words.title}
              rows={rows.map((row) => ({ ...row, record: row.id, id: `${row.id} ${row.field}` }))}
              columns={[
                { label: words.record, cell: (row) => <Owned {...row} id={row.record} /> },
                { label: words.kind, cell: ({ type }) => kindOf(type)?.title ?? type },
                { label: words.as, cell: (row) => <FieldTitle {...row} /> },
                { label: words.state, cell: ({ state }) => (state === null ? null : valueWord(state)) },
                { label: words.date, cell: ({ date }) => date && <Day on={dayOf({ date })} /> },
              ]}
            />
            <MorePages of={owned} />
          </>
        )
      }}
    </Loaded>
  )
}

function FieldTitle({ type, field }: { type: string; field: string }) {
  useKind(kindOf(type))
  return titleOfField(type, field)
}

function Owned({
  type,
  id,
  reference,
  title,
}: {
  type: string
  id: string
  reference: string
  title: string
}) {
  const kind = kindOf(type)
  return (
    <>
      <Text span size="sm" c="dimmed" mr="xs">
        {reference}
      </Text>
      {kind ? (
        <RecordLink kind={kind} id={id}>
          <bdi>{title}</bdi>
        </RecordLink>
      ) : (
        <bdi>{title}</bdi>
      )}
    </>
  )
}

function toldOf(type: string, count: number): string {
  const kind = kindOf(type)
  if (!kind) return `${count} ${type}`
  const { one, many } = registerWords(kind)
  return counted(count, one, many)
}
