import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Channel } from '../../model/channel.ts'
import {
  type Admission,
  admitKey,
  LimitReached,
  type RateLimitState,
  UnknownCredential,
} from '../caller/admission.ts'
import { KEY_WORD } from '../caller/api-key-secret.ts'
import { networkOf } from '../caller/network-of.ts'
import { noteLimited } from '../journal/denied.ts'
import { admitToken } from '../oauth/token-admission.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import type { UnknownCredentialLimiter } from './unknown-credential-limiter.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once the credential has been admitted. */
    admission: Admission | null
  }
}

/**
 * Admits whoever calls with a bearer credential, an API key or an access token, and tells them how much of
 * their window is left. The word a key begins with says which it is.
 * @throws {Refusal} `credential_missing`, whatever admission refuses, and `rate_limited` for an address
 *   that has guessed too often; a credential that is valid never meets that last one
 */
export async function admitBearer(
  parts: Parts,
  unknownCredentials: UnknownCredentialLimiter,
  channel: Channel,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  const secret = bearerOf(request.headers.authorization)
  const userAgent = request.headers['user-agent']
  const requestContext = {
    channel,
    requestId: request.id,
    ip: request.ip,
    ...(userAgent ? { userAgent: userAgent.slice(0, 500) } : {}),
  }
  try {
    const admit = secret.startsWith(KEY_WORD) ? admitKey : admitToken
    const admission = await admit(parts, secret, requestContext)
    request.admission = admission
    tellLimit(reply, admission.limit)
    return admission
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error instanceof LimitReached) noteLimited(parts, error.caller, networkOf(request.ip))
    if (error.members.limit) tellLimit(reply, error.members.limit as RateLimitState)
    throw error instanceof UnknownCredential ? unknownCredentials.judge(request.ip, error) : error
  }
}

function bearerOf(header: string | undefined): string {
  const match = /^bearer +(\S.*)$/i.exec(header ?? '')
  if (match) return match[1]!
  throw new Refusal(
    'credential_missing',
    'Send an API key, Authorization: Bearer comply_…, or an access token that was got through OAuth.',
  )
}

/** The fields of draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
function tellLimit(
  reply: FastifyReply,
  { calls, windowSeconds, remaining, resetSeconds }: RateLimitState,
): void {
  reply.header('ratelimit-policy', `"default";q=${calls};w=${windowSeconds}`)
  reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`)
}
