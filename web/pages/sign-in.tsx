import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { useSameEverywhere } from '../client/same-everywhere.ts'
import { identityOf, sessionBegan, sessionQuery } from '../client/session.ts'
import { Entrance } from '../components/entrance.tsx'
import { SignIn } from '../components/sign-in.tsx'
import { StoppedAlert } from '../components/stopped-alert.tsx'
import { signIn } from '../copy/sign-in.ts'
import { stopped } from '../copy/stopped.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { returnTo } = route.useSearch()
  const navigate = useNavigate()
  const token = useOneTimeToken()
  const { data: session } = useQuery(sessionQuery)
  useSameEverywhere(session && identityOf(session))
  const isIn = session?.state === 'signed_in'

  useEffect(() => {
    if (isIn) void navigate({ to: returnTo ?? '/', replace: true })
  }, [isIn, navigate, returnTo])

  return (
    <Entrance title={signIn.title}>
      <StoppedAlert title={stopped.title} />
      {session?.state === 'signed_out' && session.setUpNeeded && (
        <Alert title={signIn.setUpNeeded.title}>{signIn.setUpNeeded.text}</Alert>
      )}
      <SignIn done={sessionBegan} returnTo={returnTo} token={token} />
    </Entrance>
  )
}
