import { ROLE_SCOPES } from '../../model/scopes.ts'
import type { Caller } from './caller.ts'

/** The service itself, where nobody calls: a part of it, as the audit log names that. */
export const serviceCaller = (
  organizationId: string,
  { id, displayName }: { readonly id: string; readonly displayName: string },
): Caller => ({
  organizationId,
  features: {},
  userId: id,
  accountId: id,
  role: 'admin',
  limitedView: null,
  credential: { type: 'operator', id, name: displayName, isService: true },
  granted: ROLE_SCOPES.admin,
  channel: 'scheduler',
  requestId: id,
})
