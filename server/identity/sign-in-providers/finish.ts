import type { RequestContext } from '../../caller/request-context.ts'
import { callerOfSession, type Session } from '../../caller/session.ts'
import { refusalOf } from '../../database/errors.ts'
import { transaction } from '../../database/transaction.ts'
import { entryOfStranger, insertEntry } from '../../journal/audit.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { beginSession } from '../sessions.ts'
import { type Begun, takeBegun } from './begun.ts'
import { type Claims, readClaims } from './claims.ts'
import { linkTo, memberOf } from './identity.ts'
import { Stopped } from './stopped.ts'

/** What a browser comes back with from a provider. */
export interface Return {
  readonly answer: URLSearchParams
  /** From the cookie that it was given when it was sent there. */
  readonly secret: string | undefined
  /** Of whoever is signed in in it. */
  readonly session: Session | null
}

/** Where the browser goes next: a page of ours; and the secret of its new session, if there is one. */
export interface Finished {
  readonly to: string
  readonly cookie?: string
}

/**
 * The second half of a sign-in through a provider, or of linking an identity. Whatever comes in, the way on
 * leads to a page of ours.
 * @throws what is a fault of ours, and nothing else
 */
export async function finishProviderSignIn(
  parts: Parts,
  requestContext: RequestContext,
  back: Return,
): Promise<Finished> {
  const begun = await takeBegun(parts, back.answer.get('state'), back.secret)
  if (!begun) return { to: '/sign-in#error=expired' }
  try {
    if (begun.sessionId !== null) return await finishLink(parts, requestContext, back, begun)
    return await finishSignIn(parts, requestContext, back, begun)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const page = begun.sessionId === null ? '/sign-in' : '/account/security'
    return { to: `${page}#error=${error.code}` }
  }
}

async function finishSignIn(
  parts: Parts,
  requestContext: RequestContext,
  back: Return,
  begun: Begun,
): Promise<Finished> {
  const claims = await readClaims(parts, begun, back.answer)
  const { organizationId, providerId, returnTo } = begun
  const accountId = await transaction(parts.database.tenant, organizationId, (tx) =>
    memberOf(tx, requestContext, providerId, claims),
  ).catch(async (error) => {
    if (error instanceof Stopped) await noteStopped(parts, requestContext, begun, error)
    throw error
  })
  const entrance = { accountId, organizationId, method: 'provider', providerId } as const
  const cookie = await beginSession(parts, requestContext, entrance, back.session).catch((error) => {
    throw stoppedOf(error)
  })
  return { to: returnTo, cookie }
}

async function finishLink(
  parts: Parts,
  requestContext: RequestContext,
  back: Return,
  begun: Begun,
): Promise<Finished> {
  const { session, answer } = back
  const isSame = session?.id === begun.sessionId && session.organizationId === begun.organizationId
  if (!session || !isSame || session.providerId !== null) throw new Stopped('signed_out')
  const claims: Claims = await readClaims(parts, begun, answer)
  await transaction(parts.database.tenant, begun.organizationId, (tx) =>
    linkTo(tx, callerOfSession(session, requestContext), begun.providerId, claims),
  )
  return { to: begun.returnTo }
}

/** The person or the provider went in the same moment. */
function stoppedOf(error: unknown): unknown {
  const refusal = refusalOf(error)
  if (!refusal || refusal.code === 'unavailable') return error
  return new Stopped(error instanceof Refusal ? 'not_active' : 'provider_off')
}

/** For admins who are asked why somebody cannot come in: their own provider vouched for them. */
async function noteStopped(
  { database }: Parts,
  requestContext: RequestContext,
  { organizationId, providerId }: Begun,
  { code }: Stopped,
): Promise<void> {
  await transaction(database.tenant, organizationId, async (tx) => {
    const subject = { type: 'sign_in_provider', id: providerId }
    const event = {
      time: await tx.now,
      action: 'session.begin',
      outcome: 'denied',
      subject,
      reason: code,
    } as const
    tx.write(insertEntry(...entryOfStranger(organizationId, requestContext, event)))
  })
}
