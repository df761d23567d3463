import * as oidc from 'openid-client'
import { z } from 'zod'
import { CALLBACK_PATH } from '../../../model/callback-path.ts'
import {
  refuseUnconfirmedIdentity,
  refuseVouchedFor,
  secondFactorRequired,
} from '../../caller/identity-requirements.ts'
import type { RequestContext } from '../../caller/request-context.ts'
import { callerOfSession, type Session, signedOut } from '../../caller/session.ts'
import { statement } from '../../database/connect.ts'
import { operation } from '../../operation.ts'
import { notFound, Refusal } from '../../refusal.ts'
import { email } from '../people.ts'
import { begin } from './begun.ts'
import { metadataOf, troubleWith } from './metadata.ts'
import { domainOf } from './provider-record.ts'

/** By domain alone: the answer is the same for a person who is known here and for one who never was. */
export const findSignInProviders = operation({
  name: 'findSignInProviders',
  title: 'Find the sign-in provider of an e-mail',
  by: 'anybody',
  input: z.strictObject({ email }),
  output: z.object({ providers: z.array(z.object({ id: z.string(), name: z.string() })) }),
  run: async ({ parts }, { email }) => {
    const { rows } = await parts.database.gate.query(findByDomain(domainOf(email)))
    return { body: { providers: rows as { id: string; name: string }[] } }
  },
})

/** Only pages of ours, by their whole form: nothing that a browser could read as another place. */
const returnTo = z
  .string()
  .regex(/^\/(account\/security|consent\/[\w-]{1,100})?$/, 'leads elsewhere: give / or /consent/{uid}')

/** Sends a browser to a provider: to sign in, or, for somebody who is signed in, to link an identity. */
export const beginProviderSignIn = operation({
  name: 'beginProviderSignIn',
  title: 'Go to a sign-in provider',
  by: 'anybody',
  input: z.strictObject({
    providerId: z.string().min(1).max(100),
    intent: z.enum(['sign_in', 'link']).default('sign_in'),
    returnTo: returnTo.optional(),
  }),
  output: z.object({ location: z.string() }),
  run: async ({ parts, requestContext, session }, { providerId, intent, returnTo }) => {
    const { rows } = await parts.database.gate.query(find(providerId))
    const provider = rows[0] as FoundProvider | undefined
    if (!provider) throw notFound()
    if (intent === 'link') refuseToLink(requestContext, session, provider)
    const metadata = await metadataOf(parts, provider.issuer).catch((error) => {
      throw unreachable(error, provider.name)
    })
    const { secret, state, nonce, codeVerifier } = await begin(parts, {
      organizationId: provider.organizationId,
      providerId,
      sessionId: intent === 'link' ? session!.id : null,
      returnTo: returnTo ?? (intent === 'link' ? '/account/security' : '/'),
    })
    const client = new oidc.Configuration(metadata, provider.clientId)
    const location = oidc.buildAuthorizationUrl(client, {
      redirect_uri: parts.config.publicUrl + CALLBACK_PATH,
      response_type: 'code',
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    return { body: { location: location.href }, cookies: { provider: secret } }
  },
})

/**
 * An identity is linked by the person themselves, in the organization whose provider it is, and once they
 * have proved who they are.
 */
function refuseToLink(
  requestContext: RequestContext,
  session: Session | null,
  provider: FoundProvider,
): void {
  if (!session) throw signedOut()
  if (session.organizationId !== provider.organizationId) throw notFound()
  if (session.lacksSecondFactor) throw secondFactorRequired()
  const caller = callerOfSession(session, requestContext)
  refuseVouchedFor(caller)
  refuseUnconfirmedIdentity(caller)
}

function unreachable(error: unknown, name: string): unknown {
  const trouble = troubleWith(error)
  if (trouble === null) return error
  return new Refusal(
    'sign_in_failed',
    `${name} ${trouble}: try again in a moment, or sign in with your password.`,
  )
}

interface FoundProvider {
  organizationId: string
  name: string
  issuer: string
  clientId: string
}

const findByDomain = statement(`
  select p.id, p.name
    from sign_in_domains d
    join sign_in_providers p on p.organization_id = d.organization_id and p.id = d.provider_id
    join organizations o on o.id = p.organization_id
   where d.domain = $1 and d.verified_at is not null and p.enabled and o.status = 'active'`)

const find = statement(`
  select p.organization_id as "organizationId", p.name, p.issuer, p.client_id as "clientId"
    from sign_in_providers p join organizations o on o.id = p.organization_id
   where p.id = $1 and p.enabled and o.status = 'active'`)
