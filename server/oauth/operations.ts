import {
  listConnectedApps,
  listMyConnectedApps,
  revokeConnectedApp,
  revokeMyConnectedApp,
} from './connected-apps.ts'
import { approveConsentRequest, denyConsentRequest, getConsentRequest } from './consent-operations.ts'

/** The programs that people let in. */
export const connectedAppOperations = {
  listMyConnectedApps,
  revokeMyConnectedApp,
  listConnectedApps,
  revokeConnectedApp,
} as const

/** What the page asks on which somebody lets a program in. */
export const consentOperations = { getConsentRequest, approveConsentRequest, denyConsentRequest } as const
