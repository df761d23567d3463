import type { AnyOperation } from '../operation.ts'
import { listSessions, revokeSession } from './account-sessions.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import {
  listConnectedApps,
  listMyConnectedApps,
  revokeConnectedApp,
  revokeMyConnectedApp,
} from './connected-apps.ts'
import { getMe } from './me.ts'
import { getOrganization, updateOrganization } from './organization.ts'
import { createUser, getUser, listUsers, removeUser, updateUser } from './users.ts'

/** Who calls, on whose behalf, and who may: the credential itself, the organization, its people, its keys. */
export const accessOperations: readonly AnyOperation[] = [
  getMe,
  getOrganization,
  updateOrganization,
  listUsers,
  getUser,
  createUser,
  updateUser,
  removeUser,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listSessions,
  revokeSession,
  listMyConnectedApps,
  revokeMyConnectedApp,
  listConnectedApps,
  revokeConnectedApp,
]
