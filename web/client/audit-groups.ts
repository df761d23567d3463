import type { auditLog } from '../copy/audit-log.ts'
import { everyKind } from './kinds.ts'

/** Actions that belong together, as the service is asked for them. */
export const AUDIT_GROUPS: Readonly<Record<keyof typeof auditLog.groups, readonly string[]>> = {
  records: [...everyKind.map(({ name }) => `${name}.*`), 'file.*', 'comment.*', 'attestation.*'],
  sign_in: [
    'session.*',
    'user.change_password',
    'user.request_password_reset',
    'user.request_sign_in_link',
    'user.reset_password',
  ],
  second_factor: [
    'user.add_passkey',
    'user.add_totp',
    'user.create_recovery_codes',
    'user.remove_passkey',
    'user.remove_totp',
    'user.reset_second_factor',
    'user.update_passkey',
  ],
  members: [
    'user.accept_invitation',
    'user.create',
    'user.create_password_reset',
    'user.invite',
    'user.remove',
    'user.update',
  ],
  programs: ['api_key.*', 'calendar_feed.*', 'connected_app.*', 'rate_limit.*'],
  guests: ['guest_pass.*'],
  webhooks: ['webhook_endpoint.*', 'webhook_delivery.*'],
  organization: [
    'audit_log.*',
    'organization.*',
    'sign_in_provider.*',
    'identity.*',
    'saved_view.*',
    'custom_field.*',
    'job.*',
    'risk_matrix.*',
  ],
}
