import type { OtherAuditAction, RecordActionVerb } from '../../model/audit-actions.ts'

/*
 * What an entry of the audit log says was done, as a sentence. Where who did it and what it is about are to stand,
 * their names are in braces: a page puts names there, and links. `other` is the record at the end of a link.
 */

export type AuditOutcome = 'success' | 'denied' | 'failed'

/** One sentence whatever the outcome, or another for what did not succeed. */
type Sentences = string | Readonly<Record<'success' | 'denied' | 'failed', string>>

const attempt = (success: string, what: string): Sentences => ({
  success,
  denied: `${what} was refused`,
  failed: `${what} failed`,
})

const others: Readonly<Record<OtherAuditAction, Sentences>> = {
  'api_key.create': '{actor} created the API key {subject}',
  'api_key.remove': 'The API key {subject} was removed, 30 days after it had expired',
  'api_key.revoke': '{actor} revoked the API key {subject}',
  'attestation.acknowledge': '{actor} acknowledged {subject}',
  'attestation.certify': '{actor} took out a certificate of acknowledgements of {subject}',
  'attestation.end': '{actor} ended requests to acknowledge {subject}',
  'attestation.exempt': '{actor} exempted somebody from acknowledging {subject}',
  'attestation.remind': '{actor} reminded who has not acknowledged {subject}',
  'attestation.request': '{actor} asked people to acknowledge {subject}',
  'comment.create': '{actor} commented on {subject}',
  'comment.delete': '{actor} deleted a comment on {subject}',
  'comment.update': '{actor} changed a comment on {subject}',
  'connected_app.approve': '{actor} connected the app {subject}',
  'connected_app.revoke': '{actor} disconnected the app {subject}',
  'custom_field.create': '{actor} defined the custom field {subject}',
  'custom_field.delete': '{actor} deleted the custom field {subject}',
  'custom_field.update': '{actor} changed the custom field {subject}',
  'audit_log.export': '{actor} exported the audit log',
  'file.download': '{actor} downloaded the file {subject}',
  'file.find_infected': 'The virus scanner found something in the file {subject}',
  'file.hold': '{actor} changed the legal hold on the file {subject}',
  'file.upload': '{actor} uploaded the file {subject}',
  'guest_pass.confirm': '{actor} proved by a code that their mailbox is theirs',
  'guest_pass.extend': '{actor} extended the guest pass of {subject}',
  'guest_pass.open': '{actor} opened their guest pass',
  'guest_pass.revoke': '{actor} revoked the guest pass of {subject}',
  'guest_pass.send': '{actor} sent {subject} a new link of their guest pass',
  'identity.link': '{actor} linked an account at a sign-in provider',
  'identity.remove': '{actor} removed an account at a sign-in provider',
  'job.cancel': '{actor} cancelled the job {subject}',
  'job.resume': '{actor} resumed the job {subject}',
  'job.start': '{actor} started the job {subject}',
  'organization.create': '{actor} created the organization {subject}',
  'organization.update': '{actor} changed the settings of {subject}',
  'rate_limit.exceed': '{actor} made more calls than the rate limit allows',
  'risk_matrix.update': '{actor} changed the risk matrix: {subject}',
  'calendar_feed.create': '{actor} made an address for their calendar',
  'calendar_feed.end': '{actor} ended the address for their calendar',
  'saved_view.create': '{actor} saved the view {subject}',
  'saved_view.delete': '{actor} deleted the view {subject}',
  'session.begin': attempt('{actor} signed in', 'A sign-in as {subject}'),
  'session.confirm': attempt(
    '{subject} confirmed who they are',
    'An attempt of {subject} to confirm who they are',
  ),
  'session.end': '{actor} signed out',
  'session.guess_wave': 'Many wrong passwords were tried for {subject}',
  'session.revoke': '{actor} ended one of their sessions',
  'sign_in_provider.create': '{actor} added the sign-in provider {subject}',
  'sign_in_provider.delete': '{actor} deleted the sign-in provider {subject}',
  'sign_in_provider.lose_domain': 'A domain of {subject} was verified by another organization and is lost',
  'sign_in_provider.update': '{actor} changed the sign-in provider {subject}',
  'sign_in_provider.verify_domain': '{actor} verified a domain of {subject}',
  'user.accept_invitation': '{subject} accepted the invitation',
  'user.add_passkey': '{actor} added a passkey',
  'user.add_totp': '{actor} added an authenticator app',
  'user.change_password': '{actor} changed their password',
  'user.create': '{actor} added {subject}',
  'user.create_password_reset': '{actor} created a password reset link for {subject}',
  'user.create_recovery_codes': '{actor} created new recovery codes',
  'user.invite': '{actor} invited {subject}',
  'user.remove': '{actor} removed {subject} from the organization',
  'user.remove_passkey': '{actor} removed a passkey',
  'user.remove_totp': '{actor} removed the authenticator app',
  'user.request_password_reset': attempt(
    'A password reset was requested for {subject}',
    'A password reset for {subject}',
  ),
  'user.request_sign_in_link': attempt(
    'A sign-in link was requested for {subject}',
    'A sign-in link for {subject}',
  ),
  'user.reset_password': '{subject} chose a new password by a link',
  'user.reset_second_factor': '{actor} reset the second factor of {subject}',
  'user.update': '{actor} changed {subject}',
  'user.update_passkey': '{actor} renamed a passkey',
  'webhook_delivery.redeliver': '{actor} redelivered {subject}',
  'webhook_endpoint.create': '{actor} added the webhook endpoint {subject}',
  'webhook_endpoint.delete': '{actor} deleted the webhook endpoint {subject}',
  'webhook_endpoint.rotate_secret': '{actor} rotated the secret of {subject}',
  'webhook_endpoint.test': '{actor} sent a test to {subject}',
  'webhook_endpoint.update': '{actor} changed the webhook endpoint {subject}',
}

const ofRecords: Readonly<Record<RecordActionVerb, string>> = {
  create: '{actor} created {subject}',
  update: '{actor} changed {subject}',
  archive: '{actor} archived {subject}',
  unarchive: '{actor} unarchived {subject}',
  delete: '{actor} deleted {subject}',
  link: '{actor} linked {subject} with {other}',
  unlink: '{actor} unlinked {subject} from {other}',
}

/** Why a call was refused: the codes with which one is (server/refusal.ts, those of status 403). */
export const REFUSAL_REASONS: Readonly<Record<string, string>> = {
  insufficient_scope: 'insufficient scope',
  session_required: 'only a person may do this',
  capability_required: 'the role does not allow it',
  other_person_required: 'it is left to another person',
  field_not_permitted: 'a program may not change this field',
  read_only: 'the connection only reads',
  second_factor_required: 'a second factor is needed first',
  cross_site: 'the call came from another site',
}

export const auditActions = {
  /** @returns undefined for an action that this version does not know */
  other: (action: string, outcome: AuditOutcome): string | undefined => {
    const told = Object.hasOwn(others, action) ? others[action as OtherAuditAction] : undefined
    return typeof told === 'object' ? told[outcome] : told
  },
  ofRecord: (verb: string): string | undefined =>
    Object.hasOwn(ofRecords, verb) ? ofRecords[verb as RecordActionVerb] : undefined,
  /** Of what has a name that the log does not tell. */
  unnamedActions: {
    'saved_view.create': '{actor} saved a private view',
    'saved_view.delete': '{actor} deleted a private view',
  } as Readonly<Record<string, string>>,
  linksOf: '{actor} changed the links of {subject}',
  /** @param ends of one choice: what it was, and what it is */
  linkSays: (titles: readonly string[], [from, to]: readonly string[]) =>
    `{actor} changed the ${listed(titles, 0)} of {other} for {subject}${to === undefined ? '' : ` from ${from} to ${to}`}`,
  signInByProvider: 'A sign-in through {subject} was refused',
  refused: (operation: string, reason: string | null, hasSubject: boolean) => {
    const why = reason === null ? '' : `: ${REFUSAL_REASONS[reason] ?? reason}`
    return `A call of {actor} was refused${why} (“${operation}”${hasSubject ? ' on {subject}' : ''})`
  },
  turnedOn: '{actor} turned on {subject}',
  turnedOff: '{actor} turned off {subject}',
  turnedOffByFailures: '{subject} was turned off: too many attempts in a row failed',
  /** @param fields as they are called, in the sentence */
  changed: (fields: readonly string[], more: number, value: string | null) => {
    const to = value === null ? '' : ` to ${value}`
    return `{actor} changed the ${listed(fields, more)} of {subject}${to}`
  },
  /** @param verb what its button says */
  acted: (verb: string, field: string, state: string) =>
    `{actor} used “${verb}” on {subject}, and its ${field} became ${state}`,
  cleared: (field: string) => `{actor} cleared the ${field} of {subject}`,
  unknown: (action: string) => `{actor}: ${action}`,
  date: (title: string) => `date “${title}”`,
  quoted: (text: string) => `“${text}”`,
  yes: 'yes',
  no: 'no',
  /** What is no person, by what it is. */
  actors: {
    api_key: (name: string) => `the API key “${name}”`,
    oauth_client: (name: string) => `the app “${name}”`,
    guest: (name: string) => `the guest ${name}`,
  } as Readonly<Record<string, ((name: string) => string) | undefined>>,
  /** Where the log has no name for it. */
  unnamed: {
    user: 'a member',
    sign_in_provider: 'a sign-in provider',
    saved_view: 'a saved view',
    session: 'a session',
  } as Readonly<Record<string, string>>,
}

function listed(fields: readonly string[], more: number): string {
  if (more > 0) return `${fields.join(', ')} and ${more} more ${more === 1 ? 'field' : 'fields'}`
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(fields)
}
