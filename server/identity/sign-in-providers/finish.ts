import { z } from 'zod'
import { CALLBACK_PATH } from '../../../model/callback-path.ts'
import type { RequestContext } from '../../caller/request-context.ts'
import { callerOfSession } from '../../caller/session.ts'
import { refusalOf } from '../../database/errors.ts'
import { transaction } from '../../database/transaction.ts'
import { entryOfStranger, insertEntry } from '../../journal/audit.ts'
import { type BrowserContext, operation, type Parts, redirect } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { beginSession } from '../sessions.ts'
import { type Begun, takeBegun } from './begun.ts'
import { type Claims, readClaims } from './claims.ts'
import { linkTo, memberOf } from './identity.ts'
import { Stopped } from './stopped.ts'

/**
 * Where sign-in providers send browsers back to: the second half of a sign-in, or of linking an identity. It is the
 * one place that a browser reaches from another site and that may begin a session; that it was this browser which set
 * out is shown by a cookie of its own. Whatever comes in, the way on leads to a page of ours.
 */
export const finishProviderSignIn = operation({
  name: 'finishProviderSignIn',
  by: 'anybody',
  method: 'GET',
  path: CALLBACK_PATH,
  answers: 'redirect',
  title: 'Come back from a sign-in provider',
  input: z.strictObject({
    query: z.string().describe('As it stands in the address, without the question mark'),
  }),
  output: redirect,
  run: async (context, { query }) => {
    const { to, session } = await finish(context, new URLSearchParams(query))
    return {
      body: { location: context.parts.config.publicUrl + to },
      cookies: { provider: null, ...(session ? { session } : {}) },
    }
  },
})

/** Where the browser goes next: a page of ours; and the secret of its new session, if there is one. */
interface Finished {
  readonly to: string
  readonly session?: string
}

/** @throws what is a fault of ours, and nothing else */
async function finish(context: BrowserContext, answer: URLSearchParams): Promise<Finished> {
  const begun = await takeBegun(context.parts, answer.get('state'), context.providerSecret)
  if (!begun) return { to: '/sign-in#error=expired' }
  try {
    if (begun.sessionId !== null) return await finishLink(context, answer, begun)
    return await finishSignIn(context, answer, begun)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const page = begun.sessionId === null ? '/sign-in' : '/account/security'
    return { to: `${page}#error=${error.code}` }
  }
}

async function finishSignIn(
  { parts, requestContext, session: before }: BrowserContext,
  answer: URLSearchParams,
  begun: Begun,
): Promise<Finished> {
  const claims = await readClaims(parts, begun, answer)
  const { organizationId, providerId, returnTo } = begun
  const accountId = await transaction(parts.database.tenant, organizationId, (tx) =>
    memberOf(tx, requestContext, providerId, claims),
  ).catch(async (error) => {
    if (error instanceof Stopped) await noteStopped(parts, requestContext, begun, error)
    throw error
  })
  const entrance = { accountId, organizationId, method: 'provider', providerId } as const
  const session = await beginSession(parts, requestContext, entrance, before).catch((error) => {
    throw stoppedOf(error)
  })
  return { to: returnTo, session }
}

async function finishLink(
  { parts, requestContext, session }: BrowserContext,
  answer: URLSearchParams,
  begun: Begun,
): Promise<Finished> {
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
