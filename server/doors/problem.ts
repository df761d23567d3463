import { refusalOf } from '../database/errors.ts'
import { FIRST_SCOPES } from '../oauth/resource.ts'
import { Refusal, tooLarge } from '../refusal.ts'
import { RESOURCE_METADATA } from './well-known.ts'

/**
 * A refusal as RFC 9457 tells it. The members of the refusal stand beside the standard ones, but for those
 * that are headers.
 */
export function problemOf(refusal: Refusal, requestId: string, publicUrl: string): Record<string, unknown> {
  const { retryAfter: _retryAfter, limit: _limit, close: _close, offer: _offer, ...members } = refusal.members
  return {
    ...members,
    type: `${publicUrl}/docs#${refusal.code}`,
    title: refusal.title,
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    requestId,
  }
}

/** What the service says when it has no better word: the log has the rest. */
const INTERNAL = 'This is a fault of the service: report it with the request id.'

/** Whatever was thrown, as a refusal; a fault of ours becomes an opaque `internal`. */
export function asRefusal(error: unknown): Refusal {
  return refusalOf(error) ?? refusalOfFramework(error) ?? new Refusal('internal', INTERNAL)
}

/** What the HTTP framework refuses by itself, before a door sees the request. */
function refusalOfFramework(error: unknown): Refusal | null {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (!code?.startsWith('FST_') || !statusCode || statusCode >= 500) return null
  if (statusCode === 413) return tooLarge()
  if (statusCode === 414) return new Refusal('not_found', 'Nothing is at this path: check it.')
  if (statusCode === 415) return notJson()
  return new Refusal('malformed_request', 'The request could not be read: check its path and headers.')
}

export const notJson = (): Refusal =>
  new Refusal(
    'unsupported_media_type',
    'Send the body as JSON in UTF-8, uncompressed, with Content-Type: application/json.',
  )

/**
 * The challenge of a 401 or 403 (RFC 6750, RFC 9728), or null. A client takes the scopes in it for what it should
 * ask for: to begin with, enough to be of use; later, what the call at hand needs and the role would permit.
 * @param path that was called: REST and MCP are resources of a name each
 */
export function challengeOf(refusal: Refusal, publicUrl: string, path: string): string | null {
  const resource = path === '/v1/mcp' || path.startsWith('/v1/mcp/') ? '/v1/mcp' : '/v1'
  const metadata = `resource_metadata="${publicUrl}${RESOURCE_METADATA}${resource}"`
  const first = `scope="${FIRST_SCOPES.join(' ')}"`
  if (refusal.code === 'credential_missing') return `Bearer ${metadata}, ${first}`
  if (refusal.status === 401) return `Bearer ${metadata}, ${first}, error="invalid_token"`
  if (refusal.code !== 'insufficient_scope') return null
  return `Bearer ${metadata}, error="insufficient_scope", scope="${refusal.members.offer}"`
}
