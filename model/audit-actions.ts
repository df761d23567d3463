import type { Kind } from './kind.ts'

/** What an audit entry says was done to anything but a record of a kind. */
export const AUDIT_ACTIONS = [
  'api_key.create',
  'api_key.remove',
  'api_key.revoke',
  'attestation.acknowledge',
  'attestation.certify',
  'attestation.end',
  'attestation.exempt',
  'attestation.remind',
  'attestation.request',
  'audit_log.export',
  'calendar_feed.create',
  'calendar_feed.end',
  'comment.create',
  'comment.delete',
  'comment.update',
  'connected_app.approve',
  'connected_app.revoke',
  'custom_field.create',
  'custom_field.delete',
  'custom_field.update',
  'file.download',
  'file.find_infected',
  'file.hold',
  'file.upload',
  'guest_pass.confirm',
  'guest_pass.extend',
  'guest_pass.open',
  'guest_pass.revoke',
  'guest_pass.send',
  'identity.link',
  'identity.remove',
  'job.cancel',
  'job.resume',
  'job.start',
  'organization.create',
  'organization.update',
  'rate_limit.exceed',
  'risk_matrix.update',
  'saved_view.create',
  'saved_view.delete',
  'session.begin',
  'session.confirm',
  'session.end',
  'session.guess_wave',
  'session.revoke',
  'sign_in_provider.create',
  'sign_in_provider.delete',
  'sign_in_provider.lose_domain',
  'sign_in_provider.update',
  'sign_in_provider.verify_domain',
  'user.accept_invitation',
  'user.add_passkey',
  'user.add_totp',
  'user.change_password',
  'user.create',
  'user.create_password_reset',
  'user.create_recovery_codes',
  'user.invite',
  'user.remove',
  'user.remove_passkey',
  'user.remove_totp',
  'user.request_password_reset',
  'user.request_sign_in_link',
  'user.reset_password',
  'user.reset_second_factor',
  'user.update',
  'user.update_passkey',
  'webhook_delivery.redeliver',
  'webhook_endpoint.create',
  'webhook_endpoint.delete',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.test',
  'webhook_endpoint.update',
] as const

export type OtherAuditAction = (typeof AUDIT_ACTIONS)[number]

/** What is done to a record of any kind. */
export const RECORD_ACTIONS = [
  'create',
  'update',
  'archive',
  'unarchive',
  'delete',
  'link',
  'unlink',
] as const

export type RecordActionVerb = (typeof RECORD_ACTIONS)[number]

declare const isDerived: unique symbol
type DerivedAction = string & { readonly [isDerived]: true }

/** Everything that an entry can say was done: the list above, and what the two functions below make. */
export type AuditAction = OtherAuditAction | DerivedAction

/** As in `risk.update`. */
export const recordAction = ({ name }: Pick<Kind, 'name'>, verb: RecordActionVerb): AuditAction =>
  `${name}.${verb}` as DerivedAction

/** A call that was refused is told by its operation, as in `updateRisk`. */
export const refusedCall = ({ name }: { readonly name: string }): AuditAction => name as DerivedAction

/** Entries of records that anybody may read who reads these, and that name people of the directory all the same. */
export const ABOUT_PEOPLE: readonly AuditAction[] = [
  'attestation.acknowledge',
  'attestation.end',
  'attestation.exempt',
  'attestation.request',
]
