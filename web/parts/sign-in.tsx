import { useState } from 'react'
import { ByLink } from './sign-in/by-link.tsx'
import { FirstFactor } from './sign-in/first-factor.tsx'
import { type Challenge, SecondFactor } from './sign-in/second-factor.tsx'

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
    return <SecondFactor challenge={challenge} done={done} startOver={() => setChallenge(null)} />
  if (token !== null) return <ByLink token={token} done={done} challenged={setChallenge} />
  return <FirstFactor done={done} challenged={setChallenge} returnTo={returnTo} />
}
