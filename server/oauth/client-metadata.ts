import { errors } from './library.ts'

export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const
export const RESPONSE_TYPES = ['code'] as const

/**
 * What is made of the metadata that a client gives of itself, in a registration as much as in a document at its
 * address, before the library judges it. Clients of today send what suits some other server, and each of
 * these lines was once a connection that failed.
 */
export function tidyMetadata(metadata: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(metadata)) if (isEmpty(value)) delete metadata[name]
  // A client lists what it could use with any server. It is answered with what it is registered for (RFC 7591, 3.2.1).
  keepSupported(metadata, 'grant_types', GRANT_TYPES)
  keepSupported(metadata, 'response_types', RESPONSE_TYPES)
  // What a client once asked for would become all it may ever ask for: no step-up would be possible. The
  // ceiling is the person's role.
  delete metadata.scope
  // No ID tokens are made here, so nothing about them matters; for one of these something would be fetched.
  for (const name of [
    'id_token_signed_response_alg',
    'default_max_age',
    'default_acr_values',
    'require_auth_time',
    'sector_identifier_uri',
    'subject_type',
  ])
    delete metadata[name]
  // The other ways of answering need a page with a script of its own.
  metadata.response_modes = ['query']
  const redirects = textsIn(metadata.redirect_uris)
  // Most leave this out, or take the default, which allows none of what programs on a desk use: a loopback
  // address at whatever port is free, or a scheme of their own. As "native", http goes to loopback only.
  metadata.application_type = redirects.every((uri) => /^https:/i.test(uri)) ? 'web' : 'native'
  judge(redirects, metadata)
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** @throws `invalid_client_metadata` where none is supported */
function keepSupported(metadata: Record<string, unknown>, name: string, supported: readonly string[]): void {
  const asked = metadata[name]
  if (!Array.isArray(asked)) return
  const kept = supported.filter((one) => asked.includes(one))
  if (kept.length === 0) invalid(`${name} must include ${supported[0]}`)
  metadata[name] = kept
}

const REDIRECTS_AT_MOST = 20
const LONGEST_URI = 2_048
const LONGEST_NAME = 200

function judge(
  redirects: readonly string[],
  { client_name: name, client_uri: uri, jwks_uri: keys }: Record<string, unknown>,
): void {
  if (redirects.length > REDIRECTS_AT_MOST) invalid(`redirect_uris may have ${REDIRECTS_AT_MOST} members`)
  for (const redirect of redirects) {
    if (redirect.length > LONGEST_URI) invalid(`redirect_uris may have ${LONGEST_URI} characters each`)
    const { username, password } = URL.parse(redirect) ?? {}
    if (username || password) invalid('redirect_uris must not contain a user name or password')
  }
  if (keys !== undefined && !String(keys).startsWith('https://')) invalid('jwks_uri must be an https uri')
  if (typeof name === 'string' && name.length > LONGEST_NAME)
    invalid(`client_name may have ${LONGEST_NAME} characters`)
  if (typeof uri === 'string' && uri.length > LONGEST_URI)
    invalid(`client_uri may have ${LONGEST_URI} characters`)
}

function invalid(message: string): never {
  throw new errors.InvalidClientMetadata(message)
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
