/**
 * The few ways the service says no.
 *
 * A refusal is an expected answer, not a fault: thrown anywhere beneath a door, turned into
 * problem+json or a JSON-RPC error by the door. Every `detail` tells its reader what to do next.
 * Anything else that is thrown is a fault of ours: logged, and shown as an opaque `internal`.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: Code
  readonly status: number
  readonly title: string
  /** Further members of the problem object, such as `errors`, `required`, `allowed`. */
  readonly members: Record<string, unknown>

  constructor(code: Code, detail: string, members: Record<string, unknown> = {}) {
    super(detail)
    this.code = code
    this.status = CODES[code].status
    this.title = CODES[code].title
    this.members = members
  }
}

export interface FieldError {
  /** Where in the input, with dots: `owner.refId`. */
  path: string
  message: string
}

/** Every code the doors can answer with. */
export const CODES = {
  malformed_request: { status: 400, title: 'The request could not be read' },
  credential_missing: { status: 401, title: 'No credential was sent' },
  credential_invalid: { status: 401, title: 'The credential is not valid' },
  key_revoked: { status: 401, title: 'The API key was revoked' },
  key_expired: { status: 401, title: 'The API key has expired' },
  key_creator_inactive: { status: 401, title: 'The person this key acts as is not active' },
  sign_in_failed: { status: 401, title: 'The sign-in failed' },
  insufficient_scope: { status: 403, title: 'The credential lacks a scope' },
  session_required: { status: 403, title: 'Only a person can do this' },
  capability_required: { status: 403, title: 'The role does not allow this' },
  other_person_required: { status: 403, title: 'The record leaves this to somebody else' },
  field_not_permitted: { status: 403, title: 'A field may not be changed with this credential' },
  read_only: { status: 403, title: 'The connection is read-only' },
  second_factor_required: { status: 403, title: 'The organization requires a second factor' },
  identity_unconfirmed: { status: 403, title: 'The person must confirm their identity' },
  cross_site: { status: 403, title: 'The call came from another site' },
  not_found: { status: 404, title: 'Not found' },
  feature_disabled: { status: 404, title: 'The organization does not have this feature' },
  method_not_allowed: { status: 405, title: 'The path does not take this method' },
  conflict: { status: 409, title: 'Not possible as things stand' },
  invalid_transition: { status: 409, title: 'The status cannot change that way' },
  draft_exists: { status: 409, title: 'A version of the policy is in the making' },
  text_changed: { status: 409, title: 'The text is another one by now' },
  endpoint_limit_reached: { status: 409, title: 'The organization has ten webhook endpoints' },
  cycle: { status: 409, title: 'The links would lead round' },
  file_not_ready: { status: 409, title: 'The file is not there yet' },
  storage_full: { status: 409, title: 'The organization has no room for more files' },
  link_limit_reached: { status: 409, title: 'The record has reached its limit of links' },
  delivery_not_finished: { status: 409, title: 'The delivery is not finished' },
  last_admin: { status: 409, title: 'The last admin cannot be removed' },
  referenced: { status: 409, title: 'Other records refer to this one' },
  confirm_required: { status: 409, title: 'This needs a confirmation' },
  too_many_rows: { status: 409, title: 'Too many rows for one answer' },
  version_mismatch: { status: 412, title: 'The record has changed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is of another type than the call takes' },
  file_upload_not_allowed: { status: 415, title: 'Only a person can send a file' },
  range_not_satisfiable: { status: 416, title: 'The file ends before that range' },
  validation_failed: { status: 422, title: 'The input is not valid' },
  principal_not_found: { status: 422, title: 'There is no such owner' },
  principal_inactive: { status: 422, title: 'The owner is not active' },
  file_refused: { status: 422, title: 'The file is not taken' },
  address_not_public: { status: 422, title: 'The address is not a public https address' },
  link_invalid: { status: 422, title: 'The link is no longer valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

export type Code = keyof typeof CODES

const NAMES_AT_MOST = 10

/** Enough to mend a request by; more would let a small request ask for a large answer. */
export const ERRORS_AT_MOST = 50
/** Of what a caller named. */
const LONGEST_PATH = 300
const LONGEST_MESSAGE = 2_000

/**
 * `validation_failed` for one or more fields, named. Paths are cut, and errors beyond the first few are only counted:
 * what is said of an input stays short, however long that was.
 */
export function invalid(...given: FieldError[]): Refusal {
  return invalidAmong(given, given.length)
}

/** @param all how many things are wrong, where not each was put into words */
export function invalidAmong(given: readonly FieldError[], all: number): Refusal {
  const errors = given.slice(0, ERRORS_AT_MOST).map(({ path, message }) => ({
    path: beginningOf(path, LONGEST_PATH),
    message: beginningOf(message, LONGEST_MESSAGE),
  }))
  const [first] = errors
  const names = [...new Set(errors.map(({ path }) => path))]
  const told = names.length > NAMES_AT_MOST ? [...names.slice(0, NAMES_AT_MOST), '…'] : names
  const detail =
    all === 1 && first
      ? sentence(`${first.path}: ${first.message}`)
      : `${all} things are to be mended, in ${told.join(', ')}${all > errors.length ? `; the first ${errors.length} are told` : ''}.`
  return new Refusal('validation_failed', detail, { errors })
}

/** With the sign that ends it, where it has none. */
const sentence = (words: string): string => (/[.?!]$/.test(words) ? words : `${words}.`)

/** What is shown of a name or text that a caller sent. */
export const beginningOf = (text: string, most = 100): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/** `version_mismatch`: the record moved on since its reader saw it. */
export function versionMismatch(version: number): Refusal {
  return new Refusal(
    'version_mismatch',
    `The record is at version ${version}: read it again and repeat the change on that.`,
    { version },
  )
}

/** `body_too_large`: more was sent than a call takes. */
export const tooLarge = (limit?: number): Refusal =>
  new Refusal(
    'body_too_large',
    limit
      ? `A body may have ${limit / 1024} KB: send less at a time.`
      : 'The body is too large: send less at a time.',
  )

/** The same for an id that never was and for one of another organization. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'No such record in this organization: check the id.')
}
