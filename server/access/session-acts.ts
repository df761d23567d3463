import { getSession, signOut, switchOrganization } from './current-session.ts'
import { changePassword } from './password-change.ts'
import { setUp } from './set-up.ts'
import { confirmIdentity, signIn } from './sign-in.ts'

/** The one list of what begins, changes or ends a session, by name. */
export const sessionActs = {
  getSession,
  setUp,
  signIn,
  confirmIdentity,
  changePassword,
  switchOrganization,
  signOut,
} as const
