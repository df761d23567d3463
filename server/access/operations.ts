import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import {
  listConnectedApps,
  listMyConnectedApps,
  revokeConnectedApp,
  revokeMyConnectedApp,
} from './connected-apps.ts'
import { getFirstSteps } from './first-steps.ts'
import { createInvitation } from './invitations.ts'
import { getMe } from './me.ts'
import { getOrganization, updateOrganization } from './organization.ts'
import { beginPasskey, createPasskey, deletePasskey, updatePasskey } from './passkeys.ts'
import { createPasswordReset } from './passwords/password-reset-links.ts'
import { updateProfile } from './profile.ts'
import { createRecoveryCodes } from './second-factor/recovery-codes.ts'
import { resetSecondFactor } from './second-factor/second-factor-reset.ts'
import { beginTotp, confirmTotp, removeTotp } from './second-factor/totp.ts'
import { listSessions, revokeSession } from './sessions/account-sessions.ts'
import { getSignInMethods } from './sign-in/sign-in-methods.ts'
import { listMyIdentities, removeMyIdentity } from './sign-in-providers/identities.ts'
import { signInProviderOperations } from './sign-in-providers.ts'
import { createUser, getUser, listUsers, removeUser, updateUser } from './users.ts'

/** Who calls, on whose behalf, and who may: the credential itself, the organization, its people, its keys. */
export const accessOperations = {
  getMe,
  getFirstSteps,
  getOrganization,
  updateOrganization,
  listUsers,
  getUser,
  createUser,
  updateUser,
  removeUser,
  createInvitation,
  createPasswordReset,
  resetSecondFactor,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  updateProfile,
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
  listMyConnectedApps,
  revokeMyConnectedApp,
  listConnectedApps,
  revokeConnectedApp,
} as const
