import { call } from '../../client/calls.ts'
import { forgetTextsOf } from '../../client/forget-texts.ts'
import { Problem } from '../../client/problem.ts'
import { queries } from '../../client/queries.ts'
import { sessionQuery, startAfresh } from '../../client/session.ts'
import { type SessionChange, useSessionChange } from './session-change.tsx'

/** The way out, wherever it is taken from. */
export const useSignOut = (): SessionChange<void> =>
  useSessionChange(async () => {
    const session = queries.getQueryData(sessionQuery.queryKey)
    await call('signOut', {}).catch(unlessOver)
    if (session?.state === 'signed_in') forgetTextsOf(session.person.id)
    await startAfresh('/sign-in')
  })

/** A session that is over already cannot be ended, and need not be. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Problem && error.status === 401)) throw error
}
