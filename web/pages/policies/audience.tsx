import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { countWord } from '../../copy/counts.ts'
import { policies } from '../../copy/policies.ts'
import type { Edits } from '../record/use-record-edits.ts'

const words = policies.audience

type By = 'departments' | 'groups'

/** The departments or labels that the audience of a policy can name; a name of it that is nobody's is said. */
export function PolicyAudience(given: { kind: DescribedKind; edits: Edits; editable: boolean }) {
  // Who may not know who they are is not told who there is either.
  return mayDo(kindIndex.personnel, 'read', useSignedIn()) ? <Names {...given} /> : null
}

const SHOWN_FIRST = 8

/** That a name in the audience of a policy is nobody's, wherever it is told who is asked. */
export function AudienceOfNobody({ policy }: { policy: AnyRecord }) {
  const isNamed = policy.audience === 'departments' || policy.audience === 'groups'
  const mayRead = mayDo(kindIndex.personnel, 'read', useSignedIn())
  return isNamed && mayRead ? <Nobodys {...namesOf(policy)} /> : null
}

interface OfAudience {
  readonly by: By
  readonly chosen: readonly string[]
}

const namesOf = ({ audience, audienceIds }: AnyRecord): OfAudience => ({
  by: audience as By,
  chosen: (audienceIds ?? []) as readonly string[],
})

function Nobodys({ by, chosen }: OfAudience) {
  const { data } = useAnswer('listAudienceNames', { by })
  const nobodys =
    !data || data.hasMore ? [] : chosen.filter((one) => !data.data.some(({ name }) => name === one))
  if (nobodys.length === 0) return null
  return (
    <Alert color="yellow" title={words.nobody[by](nobodys)}>
      <Text size="sm">{words.mistyped}</Text>
    </Alert>
  )
}

function Names({ edits, editable }: { edits: Edits; editable: boolean }) {
  const { shown } = edits
  const { by, chosen } = namesOf(shown)
  const { data } = useAnswer('listAudienceNames', { by })
  const [isWhole, setIsWhole] = useState(false)
  if (!data) return null
  const left = editable ? data.data.filter(({ name }) => !chosen.includes(name)) : []
  const offered = isWhole ? left : left.slice(0, SHOWN_FIRST)
  if (left.length === 0) return <Nobodys by={by} chosen={chosen} />
  return (
    <Stack gap="xs" component="section" aria-label={words.title[by]}>
      <Nobodys by={by} chosen={chosen} />
      {offered.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {words.title[by]}
          </Text>
          <Group gap="xs">
            {offered.map(({ name, people }) => (
              <Button
                key={name}
                variant="default"
                size="compact-sm"
                leftSection={<IconPlus size={12} aria-hidden />}
                rightSection={countWord(people)}
                onClick={() => edits.save({ audienceIds: [...chosen, name] }, shown)}
              >
                <bdi>{name}</bdi>
              </Button>
            ))}
            {offered.length < left.length && (
              <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
                {words.more(left.length - offered.length)}
              </Button>
            )}
          </Group>
        </>
      )}
    </Stack>
  )
}
