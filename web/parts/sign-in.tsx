import { useState } from 'react'
import { FirstFactor } from './sign-in/first-factor.tsx'
import { type Challenge, SecondFactor } from './sign-in/second-factor.tsx'

/**
 * Signing in, wherever it is asked for: on its own page, at a consent, over a page whose session is over.
 * @param returnTo where a sign-in that leaves this page should come back to
 */
export function SignIn({ done, returnTo }: { done: () => Promise<unknown>; returnTo?: string | undefined }) {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  if (challenge)
    return <SecondFactor challenge={challenge} done={done} startOver={() => setChallenge(null)} />
  return <FirstFactor done={done} challenged={setChallenge} returnTo={returnTo} />
}
