// TEMPORARY: what lands on main beside this.
export type Entered =
  | { state: 'signed_in' }
  | { state: 'second_factor'; ticket: string; methods: ('totp' | 'recovery_code' | 'passkey')[] }
interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  backedUp: boolean
}
interface ConnectedApp {
  id: string
  name: string
  uri: string | null
  clientId: string
  redirectHost: string
  registration: 'dynamic' | 'metadata' | 'preregistered'
  scopes: string[]
  effectiveScopes: string[]
  state: 'active' | 'revoked' | 'expired'
  approvedBy: { id: string; displayName: string; active: boolean }
  createdAt: string
  approvedAt: string
  expiresAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}
interface Page<T> {
  data: T[]
  nextCursor: string | null
}
export interface CallsToCome {
  getInvitation: [
    { token: string },
    { email: string; organizationName: string; name: string | null; hasPassword: boolean },
  ]
  acceptInvitation: [{ token: string; name?: string; password: string }, Entered]
  requestPasswordReset: [{ email: string }, object]
  getPasswordReset: [{ token: string }, { email: string }]
  resetPassword: [{ token: string; password: string }, object]
  signInSecondFactor: [{ ticket: string; code?: string; recoveryCode?: string }, { state: 'signed_in' }]
  beginPasskeySignIn: [{ ticket?: string }, { ceremony: string; options: object }]
  signInWithPasskey: [{ ceremony: string; response: object }, { state: 'signed_in' }]
  beginPasskeyConfirmation: [object, { ceremony: string; options: object }]
  findSignInProviders: [{ email: string }, { providers: { id: string; name: string }[] }]
  beginProviderSignIn: [{ providerId: string; returnTo?: string }, { location: string }]
  getSignInMethods: [
    object,
    {
      password: boolean
      totp: { confirmedAt: string } | null
      recoveryCodesLeft: number
      passkeys: Passkey[]
    },
  ]
  beginTotp: [object, { secret: string | null; uri: string | null }]
  confirmTotp: [{ code: string }, { recoveryCodes: string[] | null }]
  removeTotp: [object, null]
  createRecoveryCodes: [object, { recoveryCodes: string[] | null }]
  beginPasskey: [object, { ceremony: string; options: object }]
  createPasskey: [{ ceremony: string; name: string; response: object }, Passkey]
  updatePasskey: [{ id: string; name: string }, Passkey]
  deletePasskey: [{ id: string }, null]
  listMyConnectedApps: [{ cursor?: string; limit?: number }, Page<ConnectedApp>]
  revokeMyConnectedApp: [{ id: string }, ConnectedApp]
  listConnectedApps: [{ cursor?: string; limit?: number }, Page<ConnectedApp>]
  revokeConnectedApp: [{ id: string }, ConnectedApp]
}
