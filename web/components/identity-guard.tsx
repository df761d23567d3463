import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useState } from 'react'
import { type CallName, call, type Input, type Output } from '../client/calls.ts'
import { Declined } from '../client/declined.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { isProblem, type Problem } from '../client/problem.ts'
import type { Sending } from '../client/send.ts'

const loadDialog = () => import('./identity-dialog.tsx').then((all) => ({ default: all.IdentityDialog }))
const IdentityDialog = lazy(loadDialog)

type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>
type GuardedCall = <Name extends CallName>(
  name: Name,
  input: Input<Name>,
  sending?: Sending,
) => Promise<Output<Name>>

const IdentityGuardContext = createContext<Guard>((work) => work())

/** Does the work; but where the service asks who is there, the person is asked, and then it is done again. */
export const useIdentityGuard = (): Guard => use(IdentityGuardContext)

/** `call`, guarded so. */
export function useGuardedCall(): GuardedCall {
  const guard = useIdentityGuard()
  return useCallback((name, input, sending) => guard(() => call(name, input, sending)), [guard])
}

interface Question {
  /** Whether a password does, a provider vouches for the person, or nobody is signed in any more. */
  about: 'identity' | 'provider' | 'session'
  answer: (confirmed: boolean) => void
}

/** Asks in a dialog over the page, so that nothing on it is lost. */
export function IdentityGuard({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const guard: Guard = useCallback(async (work) => {
    try {
      return await work()
    } catch (error) {
      const about = whatToAsk(error)
      if (!about) throw error
      // Before anything is drawn: where it cannot be had, that is told where the work was begun, and the page stays.
      await fetchCode(loadDialog)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      setQuestion({ about, answer: resolve })
      const confirmed = await promise
      setQuestion(null)
      if (!confirmed) throw new Declined()
      return work()
    }
  }, [])
  return (
    <IdentityGuardContext value={guard}>
      {children}
      {question && (
        <Suspense>
          <IdentityDialog about={question.about} answer={question.answer} />
        </Suspense>
      )}
    </IdentityGuardContext>
  )
}

const whatToAsk = (error: unknown): Question['about'] | null => {
  // What is theirs alone, whom a provider vouched for cannot prove here: that is told, not asked.
  if (isProblem(error, 'identity_unconfirmed')) {
    const { provider, signIn } = (error as Problem).members
    return provider ? null : signIn ? 'provider' : 'identity'
  }
  return isProblem(error, 'credential_missing') ? 'session' : null
}
