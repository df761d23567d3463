import { Button, Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { everyKind, kindIndex } from '../../client/kinds.ts'
import { mayDo, recordQuery } from '../../client/records.ts'
import { type SignedIn, useSignedIn } from '../../client/session.ts'
import { idsOf } from '../../client/waiting.ts'
import { Picker, principals } from '../../components/picker.tsx'
import { calendar as words } from '../../copy/calendar.ts'
import { registerWords } from '../../copy/records.ts'

const WHOSE = ['me', 'all', 'nobody'] as const

/** What of all that is due is shown; empty where that leaves nothing out. */
export interface Shown {
  /** `me`, `all`, `nobody`, or the id of a user or of a person of the directory. */
  readonly whose: string
  readonly kind: string
  readonly framework: string
}

const isPerson = (whose: string | undefined): boolean => /^(usr|per)_\w+$/.test(whose ?? '')

const offeredTo = (signedIn: SignedIn) =>
  everyKind.filter((kind) => Object.keys(kind.deadlines).length > 0 && mayDo(kind, 'read', signedIn))

/** What the address says; what it names that is not there is left out. */
export function shownBy({ whose, kind, framework }: Partial<Shown>, signedIn: SignedIn): Shown {
  const isKnown = (WHOSE as readonly (string | undefined)[]).includes(whose) || isPerson(whose)
  return {
    whose: isKnown ? whose! : 'me',
    kind: offeredTo(signedIn).find(({ name }) => name === kind)?.name ?? '',
    framework: /^fwk_\w+$/.test(framework ?? '') ? framework! : '',
  }
}

/** Those people as the call takes them; of all nothing. */
export async function ownersOf(whose: string): Promise<string[] | undefined> {
  if (whose === 'all') return undefined
  if (whose === 'nobody') return ['none']
  // A user is in the directory as well, and either may be named in a record.
  return whose.startsWith('usr_') ? [...(await idsOf(whose))] : [whose]
}

export function CalendarFilters({
  show: { whose, kind, framework },
  change,
}: {
  show: Shown
  change: (next: Partial<Shown>) => void
}) {
  const signedIn = useSignedIn()
  const [isPicking, setIsPicking] = useState(false)
  const mayFilter = mayDo(kindIndex.framework, 'read', signedIn)
  const frameworks = useQuery({
    ...recordQuery(kindIndex.framework, 'list', { limit: 50, status: ['active', 'retiring'], sort: 'name' }),
    enabled: mayFilter,
  })
  const people = useQuery({
    queryKey: ['listOwnershipPrincipals', { limit: 200 }],
    queryFn: () => call('listOwnershipPrincipals', { limit: 200 }),
    enabled: isPerson(whose),
  })
  const person = people.data?.data.find(({ refId }) => refId === whose)?.displayName
  const rows = frameworks.data?.data ?? []
  const button = (
    <Button
      variant={isPerson(whose) ? 'light' : 'default'}
      size="xs"
      maw={220}
      onClick={() => setIsPicking(true)}
    >
      {isPerson(whose) ? <bdi>{person ?? words.person}</bdi> : words.person}
    </Button>
  )
  return (
    <Group gap="sm">
      {(rows.length > 0 || framework !== '') && (
        <NativeSelect
          size="xs"
          maw={220}
          aria-label={words.frameworks}
          data={[
            { value: '', label: words.allFrameworks },
            ...rows.map(({ id, name }) => ({ value: id, label: String(name) })),
          ]}
          value={framework}
          onChange={({ currentTarget }) => change({ framework: currentTarget.value })}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label={words.kinds}
        data={[
          { value: '', label: words.allKinds },
          ...offeredTo(signedIn).map((one) => ({ value: one.name, label: registerWords(one).title })),
        ]}
        value={kind}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={words.whose}
        value={isPerson(whose) ? '' : whose}
        onChange={(next) => change({ whose: next })}
        data={WHOSE.map((one) => ({ value: one, label: words.ofWhom[one] }))}
      />
      {isPicking ? (
        <Picker
          source={principals}
          choose={(found) => found && change({ whose: found.refId })}
          close={() => setIsPicking(false)}
        >
          {button}
        </Picker>
      ) : (
        button
      )}
    </Group>
  )
}
