import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { previewFindingSla } from './finding-sla.ts'
import { getFirstSteps } from './first-steps.ts'
import { acceptInvitation, getInvitation } from './invitation-acceptance.ts'
import { createInvitation } from './invitations.ts'
import { getOrganization, updateOrganization } from './organization.ts'
import { createPasswordReset } from './password-reset-links.ts'
import { updateProfile } from './profile.ts'
import { getRiskMatrix, listRiskMatrixVersions, previewRiskMatrix, updateRiskMatrix } from './risk-matrix.ts'
import { resetSecondFactor } from './second-factor-reset.ts'
import { setUp } from './set-up.ts'
import { createUser, getUser, listUsers, removeUser, updateUser } from './users.ts'

/** The organization, its people, its keys. */
export const organizationOperations = {
  getFirstSteps,
  getOrganization,
  updateOrganization,
  previewFindingSla,
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
  getRiskMatrix,
  listRiskMatrixVersions,
  previewRiskMatrix,
  updateRiskMatrix,
} as const

/** How the first person of all comes in, and whoever was invited. */
export const joiningOperations = { setUp, getInvitation, acceptInvitation } as const
