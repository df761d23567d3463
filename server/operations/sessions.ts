import { beginPasskeySignIn, signInWithPasskey } from '../identity/passkeys/passkey-sign-in.ts'
import { changePassword } from '../identity/passwords/password-change.ts'
import {
  getPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '../identity/passwords/password-reset.ts'
import { signInSecondFactor } from '../identity/second-factor.ts'
import { getSession, signOut, switchOrganization } from '../identity/sessions/current-session.ts'
import { beginPasskeyConfirmation, confirmIdentity } from '../identity/sign-in/identity-confirmation.ts'
import { signInByLink } from '../identity/sign-in/mailed-sign-in.ts'
import { signIn } from '../identity/sign-in.ts'
import { beginProviderSignIn, findSignInProviders } from '../identity/sign-in-providers/begin.ts'
import { finishProviderSignIn } from '../identity/sign-in-providers/finish.ts'
import { acceptInvitation, getInvitation } from '../organization/invitation-acceptance.ts'
import { setUp } from '../organization/set-up.ts'

/** What begins, changes or ends a session: what a browser asks for that has none yet, or is to have another. */
export const sessionOperations = {
  getSession,
  setUp,
  signIn,
  signInSecondFactor,
  beginPasskeySignIn,
  signInWithPasskey,
  signInByLink,
  findSignInProviders,
  beginProviderSignIn,
  finishProviderSignIn,
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
