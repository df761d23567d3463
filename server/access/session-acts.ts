import { getSession, signOut, switchOrganization } from './current-session.ts'
import { beginPasskeyConfirmation, confirmIdentity } from './identity-confirmation.ts'
import { acceptInvitation, getInvitation } from './invitation-acceptance.ts'
import { beginPasskeySignIn, signInWithPasskey } from './passkey-sign-in.ts'
import { changePassword } from './password-change.ts'
import { getPasswordReset, requestPasswordReset, resetPassword } from './password-reset.ts'
import { signInSecondFactor } from './second-factor.ts'
import { setUp } from './set-up.ts'
import { signIn } from './sign-in.ts'
import { beginProviderSignIn, findSignInProviders } from './sign-in-providers/begin.ts'

/** The one list of what begins, changes or ends a session, by name. */
export const sessionActs = {
  getSession,
  setUp,
  signIn,
  signInSecondFactor,
  beginPasskeySignIn,
  signInWithPasskey,
  findSignInProviders,
  beginProviderSignIn,
  confirmIdentity,
  beginPasskeyConfirmation,
  changePassword,
  switchOrganization,
  signOut,
  getInvitation,
  acceptInvitation,
  requestPasswordReset,
  getPasswordReset,
  resetPassword,
} as const
