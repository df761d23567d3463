import { unanswered } from '../words/problems.ts'
import { Problem, type ProblemMembers } from './problem.ts'

/**
 * The one fetch of the app. The cookie of the session and the origin of the page go with it by themselves.
 * @throws {Problem} what the service said, or that it did not answer
 */
export async function send(path: string, input: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  }).catch(() => {
    throw new Problem({ code: 'unanswered', status: 0, requestId: null, ...unanswered })
  })
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  const told = (body ?? {}) as Partial<ProblemMembers>
  throw new Problem({
    code: 'unreadable',
    status: response.status,
    ...unanswered,
    requestId: response.headers.get('request-id'),
    ...told,
  })
}
