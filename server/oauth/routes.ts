/** Where the authorization server answers. Clients learn it from the metadata. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
} as const

/** Both documents say the same (RFC 8414, OpenID Connect Discovery). */
export const DISCOVERY = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
] as const

/** The page that asks a person; its calls lie below it, since the cookie of a request is bound to this path. */
export const consentPath = (uid: string): string => `/consent/${uid}`
