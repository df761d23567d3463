import type { ConsentRequest } from '../../server/oauth/consent.ts'
import { send } from './send.ts'

export type { ConsentRequest }
export type ConsentScope = ConsentRequest['scopes'][number]

/** The calls lie under the page, where the browser sends the cookie of the request (server/doors/consent.ts). */
const at = (uid: string, name: string) => `/consent/${encodeURIComponent(uid)}/${name}`

export const readConsentRequest = (uid: string): Promise<ConsentRequest> =>
  send(at(uid, 'request'), {}) as Promise<ConsentRequest>

export const approveConsent = (
  uid: string,
  given: { organizationId: string; scopes: string[] },
): Promise<void> => follow(send(at(uid, 'approve'), given))

export const denyConsent = (uid: string): Promise<void> => follow(send(at(uid, 'deny'), {}))

/** The browser goes on to where the program waits, and does not come back here. */
async function follow(answer: Promise<unknown>): Promise<never> {
  const { returnTo } = (await answer) as { returnTo: string }
  location.assign(returnTo)
  return new Promise(() => {})
}
