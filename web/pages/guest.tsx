import { Button } from '@mantine/core'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../client/calls.ts'
import { callAsGuest, END, endOf, type GuestEnd, PASS, policyOfPass, TEXT } from '../client/guest-calls.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { PICTURE } from '../client/pictures.ts'
import { isProblem } from '../client/problem.ts'
import { queries } from '../client/queries.ts'
import { Entrance } from '../components/entrance.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { guestPage as words } from '../copy/to-read.ts'

/**
 * Comes while they read what the link is, and press. Asked for as data is: React keeps what it suspended on away for 300 ms
 * and more, which a text that has come already need not wait for.
 */
const opened = {
  queryKey: ['pages/guest/opened-pass'],
  queryFn: () => import('./guest/opened-pass.tsx'),
  staleTime: Infinity,
  structuralSharing: false,
}

/**
 * For who is no member and came by a link. It is opened by a button, so that whatever only looks at the page, a preview
 * or a scanner of mails, reads nothing for them. Once the pass is over, the page says so and why, whatever they were at.
 */
export function GuestPage() {
  const token = useOneTimeToken()
  const pass = useQuery({
    queryKey: PASS,
    queryFn: () => callAsGuest('getGuestPass', {}),
    enabled: token === null,
    // What they read stays before them until they do something.
    staleTime: Infinity,
  })
  const { data: end } = useQuery<GuestEnd>({ queryKey: END, queryFn: skipToken, staleTime: Infinity })
  const page = useQuery(opened)
  if (token !== null) return <Closed token={token} />
  if (end) return <Entrance {...words.over[end]} />
  if (isProblem(pass.error, 'credential_missing')) return <Entrance {...words.noToken} />
  if (pass.error) return <NotOpened error={pass.error} retry={() => void pass.refetch()} />
  if (page.error) return <NotOpened error={page.error} retry={() => void page.refetch()} />
  if (!pass.data || !page.data) return null
  return <page.data.OpenedPass pass={pass.data} />
}

function Closed({ token }: { token: string }) {
  const navigate = useNavigate()
  const opening = useMutation({
    mutationFn: () => call('openGuestPass', { token }),
    onSuccess: async (pass) => {
      for (const queryKey of [TEXT, END, [PICTURE]]) queries.removeQueries({ queryKey })
      queries.setQueryData(PASS, pass)
      void queries.prefetchQuery(policyOfPass)
      await navigate({ to: '/guest', hash: '', replace: true })
    },
  })
  if (isProblem(opening.error, 'link_invalid')) return <NotOpened error={opening.error} />
  return (
    <Entrance title={words.title} text={words.text}>
      <ProblemAlert error={opening.error} />
      <Button onClick={() => opening.mutate()} loading={opening.isPending} data-autofocus>
        {words.open}
      </Button>
    </Entrance>
  )
}

/** A link that opens nothing, or a service that does not answer, which the link is not to blame for. */
function NotOpened({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!isProblem(error, 'link_invalid'))
    return (
      <Entrance title={words.title}>
        <ProblemAlert error={error} {...(retry && { retry })} />
      </Entrance>
    )
  const end = endOf(error)
  return <Entrance {...(end ? words.over[end] : words.gone)} />
}
