import { PAGES } from '../../model/pages.ts'
import { foreign, unanswered } from '../copy/problems.ts'
import { heard } from './connection-state.ts'
import { Problem, type ProblemMembers } from './problem.ts'

/** Longer than anything the service does within one call. */
const PATIENCE = 60_000

export interface Sending {
  /** Breaks it off where nobody waits for the answer any more, which says nothing of the service. */
  readonly signal?: AbortSignal | undefined
  /** Of what must not happen twice: sent again with the same word, it is answered as it was the first time. */
  readonly onceKey?: string | undefined
}

/**
 * The one call of the app. The cookie of the session and the origin of the page go with it by themselves.
 * @throws {Problem} what the service said, or that it did not answer
 */
export async function send(
  path: string,
  input: unknown,
  { signal, onceKey }: Sending = {},
): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(onceKey === undefined ? {} : { 'idempotency-key': onceKey }),
  }
  return answered(path, { headers, body: JSON.stringify(input), ...(signal ? { signal } : {}) })
}

/**
 * The same for bytes; what else the call takes stands in the path.
 * @throws {Problem}
 */
export const sendBytes = (path: string, body: Blob): Promise<unknown> =>
  answered(path, { headers: { 'content-type': 'application/octet-stream' }, body })

async function answered(path: string, asked: RequestInit): Promise<unknown> {
  const { signal } = asked
  const response = await ask(path, { method: 'POST', ...asked })
  const { status, ok } = response
  const body: unknown = status === 204 ? null : await response.json().catch(() => undefined)
  signal?.throwIfAborted()
  if (ok && body !== undefined) {
    heard(true)
    return body
  }
  if (ok || !isProblemOfOurs(body)) throw unreadable(response)
  heard(status !== 503)
  throw new Problem(body)
}

/**
 * The document that this is, as the service has it now.
 * @throws {Problem}
 */
export async function askPage(): Promise<string> {
  const response = await ask(location.pathname === PAGES.guest ? PAGES.guest : '/', { cache: 'no-store' })
  const text = response.ok ? await response.text().catch(() => '') : ''
  if (!text.includes('<script')) throw unreadable(response)
  return text
}

/** @throws {Problem} `unanswered` */
export const ask = (path: string, asked: RequestInit): Promise<Response> =>
  fetch(path, {
    ...asked,
    signal: AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(asked.signal ? [asked.signal] : [])]),
  }).catch(() => {
    asked.signal?.throwIfAborted()
    heard(false)
    throw new Problem({ code: 'unanswered', status: 0, requestId: null, ...unanswered })
  })

/** Of a proxy that finds nobody behind it, of a network that asks for a login of its own, or broken off. */
export function unreadable({ status, headers }: Response): Problem {
  heard(false)
  const { title, detail } = foreign
  return new Problem({
    code: 'unreadable',
    status,
    title,
    detail: detail(status),
    requestId: headers.get('request-id'),
  })
}

export const isProblemOfOurs = (body: unknown): body is ProblemMembers =>
  typeof body === 'object' &&
  body !== null &&
  ['code', 'title', 'detail'].every((name) => typeof (body as Record<string, unknown>)[name] === 'string')
