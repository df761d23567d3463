import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callsOf } from '../../../model/calls.ts'
import type { DescribedKind, KindEntry } from '../../../model/described-kind.ts'
import { nameOf, principalId } from '../../../model/roles.ts'
import { isBackOf, linkFilter } from '../../../model/sides.ts'
import type { CallName } from '../../client/calls.ts'
import { kindOf } from '../../client/journal.ts'
import { childKinds, parentKind, sidesOf } from '../../client/kinds.ts'
import { listAddress, recordAddress } from '../../client/list-address.ts'
import { queries } from '../../client/queries.ts'
import { type AnyRecord, mayDo, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { AppLink } from '../../components/app-link.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProofLost } from '../../components/proof-lost.tsx'
import { counted } from '../../copy/counts.ts'
import { record as words } from '../../copy/record.ts'
import { registerWords } from '../../copy/records.ts'
import { type Dependent, dependentsQuery } from './dependents.ts'
import styles from './record.module.css'

/**
 * Asks before a record is deleted, and says first what that means for others: what goes with it, what is unlinked, and
 * what stands in the way and can be unlinked with it.
 */
export function DeleteDialog({
  kind,
  record,
  close,
}: {
  kind: DescribedKind
  record: AnyRecord
  close: () => void
}) {
  const signedIn = useSignedIn()
  const navigate = useNavigate()
  const guarded = useGuardedCall()
  const dependents = useQuery({ ...dependentsQuery(kind, record.id), refetchOnMount: 'always' })
  const { id, version, reference } = record
  const all = dependents.data?.data ?? []
  const held = all.filter(({ onDeletion }) => onDeletion === 'refused_unless_unlinked')
  const stuck = all.filter(
    (one) => one.onDeletion === 'refused' || (held.includes(one) && !mayUnlink(one, signedIn)),
  )
  const remove = async () => {
    const force = held.length > 0 ? { force: 'unlink' } : {}
    await guarded(callsOf(kind).delete as CallName, { id, ifMatch: version, ...force } as never)
    const above = kind.under ? (record[kind.under.field] as string | null) : null
    const up = parentKind(kind)
    await navigate({ to: (above && up ? recordAddress(up, above) : `/${kind.page}`) as '/' })
    queries.removeQueries({ queryKey: [callsOf(kind).get, { id }] })
    const touched = held.flatMap(({ type }) => kindOf(type) ?? [])
    for (const one of new Set([kind, ...childKinds(kind), ...touched])) void readRecordsAgain(one)
  }
  return (
    <DangerDialog
      title={words.deletion.title(reference)}
      text={[
        words.deletion.text(nameOf(kind, record)),
        ...(kind.signals.includes('deleted') ? [words.deletion.told] : []),
      ].join(' ')}
      verb={held.length > 0 ? words.deletion.unlinked(kind.noun) : words.deletion.submit(kind.noun)}
      isKeptBack={!dependents.data || stuck.length > 0}
      act={remove}
      close={close}
    >
      <ProofLost kind={kind} record={record} />
      <Loaded query={dependents} lines={2}>
        {({ data }) => (
          <>
            {GROUPS.map((group) => {
              const those = data.filter((one) => group.is(one, stuck))
              return those.length === 0 ? null : (
                <section key={group.title} className={styles.dependents}>
                  <Text size="sm">{group.title}</Text>
                  <ul aria-label={group.title}>
                    {those.map((one) => (
                      <li key={`${one.type} ${one.as}`}>
                        <Told kind={kind} id={id} dependent={one} />
                      </li>
                    ))}
                  </ul>
                </section>
              )
            })}
          </>
        )}
      </Loaded>
    </DangerDialog>
  )
}

interface Group {
  readonly title: string
  readonly is: (one: Dependent, stuck: readonly Dependent[]) => boolean
}

const { keeps, unlinks, goes } = words.deletion
const GROUPS: readonly Group[] = [
  { title: keeps, is: (one, stuck) => stuck.includes(one) },
  {
    title: unlinks,
    is: (one, stuck) =>
      ['refused_unless_unlinked', 'unlinked', 'kept'].includes(one.onDeletion) && !stuck.includes(one),
  },
  { title: goes, is: ({ onDeletion }) => onDeletion === 'deleted' },
]

function mayUnlink({ type }: Dependent, signedIn: ReturnType<typeof useSignedIn>): boolean {
  const kind = kindOf(type)
  return kind !== undefined && (mayDo(kind, 'update', signedIn) || mayDo(kind, 'link', signedIn))
}

/** How many there are, which opens the list of them where the reader may see it. */
function Told({ kind, id, dependent }: { kind: DescribedKind; id: string; dependent: Dependent }) {
  const signedIn = useSignedIn()
  const { type, count } = dependent
  const other = kindOf(type)
  if (!other) return `${count} ${type}`
  const { one, many } = registerWords(other)
  const said = counted(count, one, many)
  return mayDo(other, 'read', signedIn) ? (
    <Anchor component={AppLink} inherit href={listAddress(other, { [filterOf(kind, other, dependent)]: id })}>
      {said}
    </Anchor>
  ) : (
    said
  )
}

/** The filter of their list that finds them. */
function filterOf(kind: DescribedKind, other: KindEntry, { as }: Dependent): string {
  const side = sidesOf(kind).find((one) => one.word === as && one.other.name === other.name)
  if (side) return linkFilter(sidesOf(other).find(isBackOf(side))!)
  return other.owners.includes(as) ? principalId(as) : as
}
