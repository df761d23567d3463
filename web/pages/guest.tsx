import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { call } from '../client/calls.ts'
import { callAsGuest, PASS, TEXT } from '../client/guest-calls.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { queries } from '../client/queries.ts'
import { Entrance } from '../components/entrance.tsx'
import { guestPage as words } from '../copy/to-read.ts'

/** Comes while they read what the link is, and press. */
const opened = () => import('./guest/opened-pass.tsx')
const OpenedPass = lazy(async () => ({ default: (await opened()).OpenedPass }))

/**
 * For who is no member and came by a link. It is opened by a button, so that whatever only looks at the page, a preview
 * or a scanner of mails, reads nothing for them.
 */
export function GuestPage() {
  const token = useOneTimeToken()
  useEffect(() => void opened(), [])
  const pass = useQuery({
    queryKey: PASS,
    queryFn: () => callAsGuest('getGuestPass', {}),
    enabled: token === null,
    retry: false,
  })
  if (token !== null) return <Closed token={token} />
  if (pass.error) return <Entrance title={words.noToken.title} text={words.noToken.text} />
  if (!pass.data) return null
  return (
    <Suspense>
      <OpenedPass pass={pass.data} />
    </Suspense>
  )
}

function Closed({ token }: { token: string }) {
  const navigate = useNavigate()
  const opening = useMutation({
    mutationFn: () => call('openGuestPass', { token }),
    onSuccess: async (pass) => {
      queries.removeQueries({ queryKey: TEXT })
      queries.setQueryData(PASS, pass)
      await navigate({ to: '/guest', hash: '', replace: true })
    },
  })
  if (opening.error) return <Entrance title={words.gone.title} text={words.gone.text} />
  return (
    <Entrance title={words.title} text={words.text}>
      <Button onClick={() => opening.mutate()} loading={opening.isPending} data-autofocus>
        {words.open}
      </Button>
    </Entrance>
  )
}
