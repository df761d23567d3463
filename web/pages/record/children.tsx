import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind, KindEntry } from '../../../model/described-kind.ts'
import { isMass } from '../../../model/noun.ts'
import { deadlineOf, nameOf } from '../../../model/roles.ts'
import { useKindOfRecords } from '../../client/custom-fields.ts'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { type AnyRecord, changeRecord, countAgain, mayDo, type Principal } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { rowsOf } from '../../client/use-pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ArchivedMark } from '../../components/archived-mark.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { CreateDrawer } from '../../components/record-form.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { rowsQuery } from '../../components/record-list/use-rows.ts'
import { NEWEST_FIRST } from '../../components/record-list/view.ts'
import { RecordValue } from '../../components/record-value.tsx'
import { record as words } from '../../copy/record.ts'
import { records, registerWords, valueWord } from '../../copy/records.ts'
import { type Acceptance, isOpen } from '../risks/acceptance/acceptance.ts'
import { AcceptanceCard } from '../risks/acceptance/later.ts'
import { suggestionOf } from './suggestion.ts'

/** The records of a kind that are under this one or point at it, and the way to add one in its place. */
export function Children({
  entry,
  field,
  parent,
  above,
}: {
  entry: KindEntry
  /** The field of theirs that says so. */
  field: string
  parent: AnyRecord
  /** What the parent is. */
  above: DescribedKind
}) {
  const kind = useKindOfRecords(entry)
  const signedIn = useSignedIn()
  const filters = { [field]: [parent.id], archived: 'with' }
  const isAcceptance = kind.name === kindIndex.risk_acceptance.name
  // What is to be done stands in the order in which it is due.
  const sort = isAcceptance ? NEWEST_FIRST : (deadlineOf(kind) ?? NEWEST_FIRST)
  const pages = useInfiniteQuery(rowsQuery(kind, filters, sort))
  const [isAdding, setIsAdding] = useState(false)
  const [added, setAdded] = useState<AnyRecord | null>(null)
  const { many, title } = registerWords(kind)
  const fields = fieldsOf(kind)
  // A request is decided before there is another one.
  const isAsked =
    isAcceptance &&
    pages.data !== undefined &&
    rowsOf(pages.data).some(({ status }) => status === 'requested')
  const columns = kind.columns.filter((name) => name !== field && name !== kind.named)
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm">
        <Anchor
          component={AppLink}
          href={listAddress(kind, { ...filters, ...(sort !== NEWEST_FIRST && { sort }) })}
          size="sm"
        >
          {words.children.asList}
        </Anchor>
        {mayDo(kind, 'create', signedIn) && !parent.archivedAt && !isAsked && (
          <Button
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            {records.form.submit(kind.noun)}
          </Button>
        )}
      </Group>
      {added && (
        <Text size="sm" role="status" mb="sm">
          {records.form.added(added.reference)}
        </Text>
      )}
      <Loaded query={pages} lines={4}>
        {(data) => {
          const all = rowsOf(data)
          const open = isAcceptance ? (all as Acceptance[]).filter(isOpen) : []
          const rows = all.filter((row) => !open.some(({ id }) => id === row.id))
          if (all.length === 0)
            return <Text size="sm">{words.children.none(many, parent.reference, isMass(kind.noun))}</Text>
          const suggested = pages.hasNextPage ? null : suggestionOf(kind, rows, parent)
          return (
            <>
              {suggested && mayDo(above, 'update', signedIn) && (
                <Suggestion many={many} above={above} parent={parent} values={suggested} />
              )}
              {open.map((one) => (
                <AcceptanceCard key={one.id} kind={kind} acceptance={one} risk={parent} />
              ))}
              {rows.length > 0 && (
                <DataTable
                  label={title}
                  rows={rows}
                  columns={[
                    {
                      label: fields.get(kind.named)!.title,
                      cell: (row) => (
                        <>
                          <Text span size="sm" c="dimmed" mr="xs" style={{ whiteSpace: 'nowrap' }}>
                            {row.reference}
                          </Text>
                          {row.archivedAt && <ArchivedMark />}
                          <RecordLink kind={kind} id={row.id}>
                            <bdi>{nameOf(kind, row)}</bdi>
                          </RecordLink>
                        </>
                      ),
                    },
                    ...columns.map((name) => ({
                      label: fields.get(name)!.title,
                      cell: (row: AnyRecord) => (
                        <RecordValue kind={kind} field={fields.get(name)!} record={row} />
                      ),
                    })),
                  ]}
                />
              )}
              <MorePages of={pages} />
            </>
          )
        }}
      </Loaded>
      {isAdding && (
        <CreateDrawer
          kind={kind}
          given={{ [field]: parent.id }}
          begun={begunUnder(kind, parent, signedIn.person.id)}
          close={() => setIsAdding(false)}
          added={(record) => {
            setAdded(record)
            setIsAdding(false)
          }}
        />
      )}
    </>
  )
}

/** What a new one begins with, of what its parent says: nobody who is gone, nor whoever asks where another decides. */
function begunUnder(kind: DescribedKind, parent: AnyRecord, userId: string): Values {
  const fits = (name: string, value: unknown) => {
    const { refId, active } = (value ?? {}) as Partial<Principal>
    return value !== null && active !== false && !(fieldsOf(kind).get(name)?.byAnother && refId === userId)
  }
  return Object.fromEntries(
    Object.entries(kind.begins ?? {}).flatMap(([name, of]) =>
      fits(name, parent[of]) ? [[name, parent[of]] as const] : [],
    ),
  )
}

function Suggestion({
  many,
  above,
  parent,
  values,
}: {
  many: string
  above: DescribedKind
  parent: AnyRecord
  values: Values
}) {
  const [error, setError] = useState<unknown>(null)
  const fields = fieldsOf(above)
  const changes = Object.entries(values).map(([name, value]) =>
    words.children.change(fields.get(name)!.title, valueWord(String(value))),
  )
  const apply = async () => {
    setError(null)
    try {
      await changeRecord(above, parent, values)
      void countAgain(above)
    } catch (fault) {
      setError(fault)
    }
  }
  return (
    <Alert mb="sm" p="sm" title={words.children.done(many)}>
      {/* Its words go on in a second line where a button has no room for them. */}
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => void apply()}>
        {words.children.set(changes)}
      </Anchor>
      <ProblemAlert error={error} />
    </Alert>
  )
}
