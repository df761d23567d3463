import type { z } from 'zod'
import type { sessionActs } from '../../server/access/sessions/session-acts.ts'
import { send } from './send.ts'

/*
 * What the app may call, with the types that the service itself gives: nothing of it is repeated here, and
 * nothing of it but its types comes along.
 */

type Described = typeof sessionActs &
  OperationsIn<typeof import('../../server/access/api-keys.ts')> &
  OperationsIn<typeof import('../../server/access/connected-apps.ts')> &
  OperationsIn<typeof import('../../server/access/first-steps.ts')> &
  OperationsIn<typeof import('../../server/access/invitations.ts')> &
  OperationsIn<typeof import('../../server/access/organization.ts')> &
  OperationsIn<typeof import('../../server/access/passkeys.ts')> &
  OperationsIn<typeof import('../../server/access/passwords/password-reset-links.ts')> &
  OperationsIn<typeof import('../../server/access/profile.ts')> &
  OperationsIn<typeof import('../../server/access/second-factor/recovery-codes.ts')> &
  OperationsIn<typeof import('../../server/access/second-factor/second-factor-reset.ts')> &
  OperationsIn<typeof import('../../server/access/second-factor/totp.ts')> &
  OperationsIn<typeof import('../../server/access/sessions/account-sessions.ts')> &
  OperationsIn<typeof import('../../server/access/sign-in-providers.ts')> &
  OperationsIn<typeof import('../../server/access/sign-in-providers/identities.ts')> &
  OperationsIn<typeof import('../../server/access/sign-in/sign-in-methods.ts')> &
  OperationsIn<typeof import('../../server/access/users.ts')> &
  OperationsIn<typeof import('../../server/records/audit-log.ts')> &
  OperationsIn<typeof import('../../server/records/audit-log/export-audit-log.ts')> &
  OperationsIn<typeof import('../../server/records/ownership-principals.ts')> &
  OperationsIn<typeof import('../../server/records/recent-activity.ts')> &
  OperationsIn<typeof import('../../server/records/recent-changes.ts')> &
  OperationsIn<typeof import('../../server/records/responsibilities.ts')> &
  OperationsIn<typeof import('../../server/records/saved-views.ts')> &
  OperationsIn<typeof import('../../server/records/risk-trend.ts')> &
  OperationsIn<typeof import('../../server/records/starter-set.ts')> &
  OperationsIn<typeof import('../../server/webhooks/deliveries.ts')> &
  OperationsIn<typeof import('../../server/webhooks/endpoints.ts')>

type Schemas = { readonly name: string; readonly input: z.ZodType; readonly output: z.ZodType }
type OperationsIn<Room> = { [Name in keyof Room as Room[Name] extends Schemas ? Name : never]: Room[Name] }

export type CallName = keyof Described & string
export type Input<Name extends CallName> = z.input<Described[Name]['input']>
export type Output<Name extends CallName> = z.output<Described[Name]['output']>

/**
 * Calls an operation or a session act.
 * @throws {Problem}
 */
export const call = <Name extends CallName>(name: Name, input: Input<Name>): Promise<Output<Name>> =>
  send(`/web/${name}`, input) as Promise<Output<Name>>
