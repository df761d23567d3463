import type { LimitedView } from '../../model/limited-view.ts'
import { ROLE_SCOPES, type Role } from '../../model/scopes.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from './caller.ts'
import type { RequestContext } from './request-context.ts'

/** The session of a person in the web app, as it is read at every call (identity/sessions.ts). */
export interface Session {
  readonly id: string
  /** What the organization of the session calls the person. */
  readonly userId: string
  /** What they sign in with, everywhere. */
  readonly accountId: string
  readonly email: string
  /** What the person is called in the session's organization. */
  readonly name: string
  readonly organizationId: string
  readonly organizationName: string
  readonly role: Role
  readonly limitedView: LimitedView | null
  readonly features: Readonly<Record<string, boolean>>
  /** How the organization writes dates and numbers, and which currency its amounts are in. */
  readonly formats: { readonly locale: string; readonly timezone: string; readonly currency: string }
  readonly method: SignInMethod
  readonly authenticatedAt: string
  /** Whether that is a quarter of an hour ago at most. */
  readonly isConfirmed: boolean
  /** Whether the organization asks for a second factor, and the person has none. */
  readonly lacksSecondFactor: boolean
  /** The provider that vouched for the person, where it was no credential of their own. */
  readonly providerId: string | null
  /** Of the secret that it was shown with: once it is another, another call has changed that. */
  readonly secretHash: Buffer
}

export type SignInMethod = 'password' | 'passkey' | 'provider' | 'link'

export const signedOut = (): Refusal =>
  new Refusal('credential_missing', 'Nobody is signed in here, or not any more: sign in.')

/** The caller that a session is, for call(). */
export function callerOfSession(session: Session, requestContext: RequestContext): Caller {
  return {
    organizationId: session.organizationId,
    features: session.features,
    userId: session.userId,
    accountId: session.accountId,
    role: session.role,
    limitedView: session.limitedView,
    credential: {
      type: 'session',
      id: session.id,
      name: session.name,
      isConfirmed: session.isConfirmed,
      lacksSecondFactor: session.lacksSecondFactor,
      ...(session.providerId ? { providerId: session.providerId } : {}),
    },
    granted: ROLE_SCOPES[session.role],
    ...requestContext,
  }
}
