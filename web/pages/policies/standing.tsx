import { Group } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { kindIndex } from '../../client/kinds.ts'
import { type Filters, listAddress } from '../../client/list-address.ts'
import { mayDo, recordQuery } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { ButtonLink } from '../../components/links.tsx'
import { countWord } from '../../copy/counts.ts'
import { policies } from '../../copy/policies.ts'

const words = policies.standing
const policy = kindIndex.policy

const STANDING: readonly { readonly title: string; readonly filters: Filters }[] = [
  { title: words.draft, filters: { status: ['draft'] } },
  { title: words.inForce, filters: { inForce: true } },
  { title: words.inReview, filters: { status: ['in_review', 'approved'] } },
  { title: words.overdue, filters: { reviewOverdue: true } },
]

/** What people open the list of policies for, with how many there are of each. */
export function PolicyStanding() {
  const mayAdd = mayDo(policy, 'create', useSignedIn())
  const counts = useQueries({
    queries: STANDING.map(({ filters }) =>
      recordQuery(policy, 'summarize', { ...listed(filters), counted: ['total'] }),
    ),
  })
  return (
    <Group gap="xs" component="nav" aria-label={words.label}>
      {STANDING.map(({ title, filters }, at) => (
        <ButtonLink
          key={title}
          to={listAddress(policy, filters) as never}
          variant="default"
          size="compact-sm"
          rightSection={counts[at]!.data && countWord(counts[at]!.data.total)}
        >
          {title}
        </ButtonLink>
      ))}
      {mayAdd && (
        <>
          <ButtonLink to="/policies/templates" variant="subtle" size="compact-sm">
            {words.templates}
          </ButtonLink>
          <ButtonLink to="/policies/upload" variant="subtle" size="compact-sm">
            {words.upload}
          </ButtonLink>
        </>
      )}
    </Group>
  )
}

/** As a call takes them: each filter is a list of values. */
const listed = (filters: Filters): object =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [value].flat()]))
