import { acceptInvitation, getInvitation } from '../invitations/invitation-acceptance.ts'
import { beginPasskeySignIn, signInWithPasskey } from '../passkeys/passkey-sign-in.ts'
import { changePassword } from '../passwords/password-change.ts'
import { getPasswordReset, requestPasswordReset, resetPassword } from '../passwords/password-reset.ts'
import { signInSecondFactor } from '../second-factor.ts'
import { beginPasskeyConfirmation, confirmIdentity } from '../sign-in/identity-confirmation.ts'
import { signInByLink } from '../sign-in/mailed-sign-in.ts'
import { setUp } from '../sign-in/set-up.ts'
import { signIn } from '../sign-in.ts'
import { beginProviderSignIn, findSignInProviders } from '../sign-in-providers/begin.ts'
import { getSession, signOut, switchOrganization } from './current-session.ts'

/** The one list of what begins, changes or ends a session, by name. */
export const sessionActs = {
  getSession,
  setUp,
  signIn,
  signInSecondFactor,
  beginPasskeySignIn,
  signInWithPasskey,
  signInByLink,
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
