import type { AnyOperation } from '../../operation.ts'
import { CODES, type Code } from '../../refusal.ts'

/** Every code an operation may refuse a bearer's call with, by what it takes and needs. */
export function codesOf(operation: AnyOperation): Code[] {
  const { method, path, needs, headers = {}, refusals = [] } = operation
  const codes: (Code | false)[] = [
    'malformed_request',
    'credential_missing',
    'credential_invalid',
    'key_revoked',
    'key_expired',
    'key_creator_inactive',
    needs.anyOf.length > 0 && 'insufficient_scope',
    needs.anyOf.length > 0 && 'capability_required',
    path.includes('{') && 'not_found',
    method === 'POST' && 'conflict',
    'if-match' in Object.fromEntries(Object.values(headers).map((name) => [name, true])) &&
      'version_mismatch',
    method !== 'GET' && 'body_too_large',
    method !== 'GET' && 'unsupported_media_type',
    'validation_failed',
    method === 'POST' && 'idempotency_key_reused',
    'rate_limited',
    'internal',
    'unavailable',
    ...refusals,
  ]
  const known = new Set(codes)
  return (Object.keys(CODES) as Code[]).filter((code) => known.has(code))
}

/** The codes by their status. */
export function byStatus(codes: readonly Code[]): Map<number, Code[]> {
  return Map.groupBy(codes, (code) => CODES[code].status)
}

/** What the codes of one status have in common. */
export const STATUS_TITLES: Record<number, string> = {
  400: 'The request could not be read',
  401: 'The credential is missing or not valid',
  403: 'The credential may not do this',
  404: 'Not found',
  405: 'The path does not take this method',
  409: 'The current state does not allow this',
  412: 'The record has changed',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The input is not valid; nothing was written',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'The service is temporarily unavailable',
}
