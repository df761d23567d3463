import { Button } from '@mantine/core'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { PAGES } from '../../model/pages.ts'
import { call } from '../client/calls.ts'
import { callAsGuest, END, endOf, type GuestEnd, PASS, policyOfPass, TEXT } from '../client/guest-calls.ts'
import { PICTURE } from '../client/pictures.ts'
import { isProblem } from '../client/problem.ts'
import { queries } from '../client/queries.ts'
import { tokenIn } from '../client/token-in.ts'
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
  const [token, used] = useToken()
  const pass = useQuery({
    queryKey: PASS,
    queryFn: () => callAsGuest('getGuestPass', {}),
    enabled: token === null,
    // What they read stays before them until they do something.
    staleTime: Infinity,
  })
  const { data: end } = useQuery<GuestEnd>({ queryKey: END, queryFn: skipToken, staleTime: Infinity })
  const page = useQuery(opened)
  if (token !== null) return <Closed token={token} used={used} />
  if (end) return <Entrance {...words.over[end]} />
  if (isProblem(pass.error, 'credential_missing')) return <Entrance {...words.noToken} />
  if (pass.error) return <NotOpened error={pass.error} retry={() => void pass.refetch()} />
  if (page.error) return <NotOpened error={page.error} retry={() => void page.refetch()} />
  if (!pass.data || !page.data) return null
  return <page.data.OpenedPass pass={pass.data} />
}

/** The token of the address, also of another link that is put there; and what takes it out of it. */
function useToken(): [string | null, () => void] {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    const read = () => setToken(tokenIn(location.hash))
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  const used = () => {
    history.replaceState(null, '', PAGES.guest)
    setToken(null)
  }
  return [token, used]
}

function Closed({ token, used }: { token: string; used: () => void }) {
  const opening = useMutation({
    mutationFn: () => call('openGuestPass', { token }),
    onSuccess: (pass) => {
      for (const queryKey of [TEXT, END, [PICTURE]]) queries.removeQueries({ queryKey })
      queries.setQueryData(PASS, pass)
      void queries.prefetchQuery(policyOfPass(false))
      used()
    },
  })
  const sender = useQuery({
    queryKey: ['previewGuestPass', token],
    queryFn: () => call('previewGuestPass', { token }),
    retry: false,
  })
  const gone = [opening.error, sender.error].find((error) => isProblem(error, 'link_invalid'))
  if (gone) return <NotOpened error={gone} />
  const organization = sender.data?.organization
  return (
    <Entrance
      title={organization === undefined ? words.title : words.titleOf(organization)}
      text={organization === undefined ? words.text : words.check(organization, location.host)}
    >
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
