import { call } from '../../client/calls.ts'
import { Problem } from '../../client/problem.ts'
import { startAfresh } from '../../client/session.ts'
import { type SessionChange, useSessionChange } from './session-change.tsx'

/** The way out, wherever it is taken from. */
export const useSignOut = (): SessionChange<void> =>
  useSessionChange(() =>
    call('signOut', {})
      .catch(unlessOver)
      .then(() => startAfresh('/sign-in')),
  )

/** A session that is over already cannot be ended, and need not be. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Problem && error.status === 401)) throw error
}
