import { lazy, Suspense, useState } from 'react'
import { fetchCode } from '../client/fetch-code.ts'
import { FirstFactor } from './sign-in/first-factor.tsx'
import type { Challenge } from './sign-in/second-factor.tsx'

/** Most people never get to these, so nobody waits for them before. */
const SecondFactor = lazy(() =>
  fetchCode(() => import('./sign-in/second-factor.tsx')).then((all) => ({ default: all.SecondFactor })),
)
const ByLink = lazy(() =>
  fetchCode(() => import('./sign-in/by-link.tsx')).then((all) => ({ default: all.ByLink })),
)

/**
 * Signing in, wherever it is asked for: on its own page, at a consent, over a page whose session is over.
 * @param returnTo where a sign-in that leaves this page should come back to
 * @param token of a link that finishes a sign-in, where the page was opened by one
 */
export function SignIn({
  done,
  returnTo,
  token = null,
}: {
  done: () => Promise<unknown>
  returnTo?: string | undefined
  token?: string | null
}) {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  if (challenge)
    return (
      <Suspense>
        <SecondFactor challenge={challenge} done={done} startOver={() => setChallenge(null)} />
      </Suspense>
    )
  if (token !== null)
    return (
      <Suspense>
        <ByLink token={token} done={done} challenged={setChallenge} />
      </Suspense>
    )
  return <FirstFactor done={done} challenged={setChallenge} returnTo={returnTo} />
}
