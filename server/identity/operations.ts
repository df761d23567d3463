import { signInByLink } from './mailed-sign-in.ts'
import { getMe } from './me.ts'
import { beginPasskeySignIn, signInWithPasskey } from './passkeys/passkey-sign-in.ts'
import { beginPasskey, createPasskey, deletePasskey, updatePasskey } from './passkeys.ts'
import { changePassword } from './passwords/password-change.ts'
import { getPasswordReset, requestPasswordReset, resetPassword } from './passwords/password-reset.ts'
import { createRecoveryCodes } from './second-factor/recovery-codes.ts'
import { beginTotp, confirmTotp, removeTotp } from './second-factor/totp.ts'
import { signInSecondFactor } from './second-factor.ts'
import { listSessions, revokeSession } from './sessions/account-sessions.ts'
import { getSession, signOut, switchOrganization } from './sessions/current-session.ts'
import { beginPasskeyConfirmation, confirmIdentity } from './sign-in/identity-confirmation.ts'
import { getSignInMethods } from './sign-in/sign-in-methods.ts'
import { signIn } from './sign-in.ts'
import { beginProviderSignIn, findSignInProviders } from './sign-in-providers/begin.ts'
import { finishProviderSignIn } from './sign-in-providers/finish.ts'
import { listMyIdentities, removeMyIdentity } from './sign-in-providers/identities.ts'
import { signInProviderOperations } from './sign-in-providers.ts'

/** Who calls, and how people sign in: their sessions, factors and passkeys, the providers of their organization. */
export const accountOperations = {
  getMe,
  listSessions,
  revokeSession,
  listMyIdentities,
  removeMyIdentity,
  ...signInProviderOperations,
  getSignInMethods,
  beginTotp,
  confirmTotp,
  removeTotp,
  createRecoveryCodes,
  beginPasskey,
  createPasskey,
  updatePasskey,
  deletePasskey,
} as const

/** What begins, changes or ends a session: what a browser asks for that has none yet, or is to have another. */
export const sessionOperations = {
  getSession,
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
  requestPasswordReset,
  getPasswordReset,
  resetPassword,
} as const
