import { getMe } from '../identity/me.ts'
import { beginPasskey, createPasskey, deletePasskey, updatePasskey } from '../identity/passkeys.ts'
import { createRecoveryCodes } from '../identity/second-factor/recovery-codes.ts'
import { beginTotp, confirmTotp, removeTotp } from '../identity/second-factor/totp.ts'
import { listSessions, revokeSession } from '../identity/sessions/account-sessions.ts'
import { getSignInMethods } from '../identity/sign-in/sign-in-methods.ts'
import { listMyIdentities, removeMyIdentity } from '../identity/sign-in-providers/identities.ts'
import { signInProviderOperations } from '../identity/sign-in-providers.ts'
import {
  listConnectedApps,
  listMyConnectedApps,
  revokeConnectedApp,
  revokeMyConnectedApp,
} from '../oauth/connected-apps.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../organization/api-keys.ts'
import { getFirstSteps } from '../organization/first-steps.ts'
import { createInvitation } from '../organization/invitations.ts'
import { getOrganization, updateOrganization } from '../organization/organization.ts'
import { createPasswordReset } from '../organization/password-reset-links.ts'
import { updateProfile } from '../organization/profile.ts'
import { resetSecondFactor } from '../organization/second-factor-reset.ts'
import { createUser, getUser, listUsers, removeUser, updateUser } from '../organization/users.ts'

/** Who calls, on whose behalf, and who may: the credential itself, the organization, its people, its keys. */
export const accountOperations = {
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
