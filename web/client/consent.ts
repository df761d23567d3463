import type { Input, Output } from './calls.ts'
import { send } from './send.ts'

export type ConsentRequest = Output<'getConsentRequest'>
export type ConsentScope = ConsentRequest['scopes'][number]

/** The calls lie under the page, where the browser sends the cookie of the request. */
const at = (uid: string, step: string) => `/consent/${encodeURIComponent(uid)}/${step}`

export const readConsentRequest = (uid: string): Promise<ConsentRequest> =>
  send(at(uid, 'request'), {}) as Promise<ConsentRequest>

export const approveConsent = (
  uid: string,
  given: Omit<Input<'approveConsentRequest'>, 'uid'>,
): Promise<void> => follow(send(at(uid, 'approve'), given))

export const denyConsent = (uid: string): Promise<void> => follow(send(at(uid, 'deny'), {}))

/** The browser goes on to where the program waits, and does not come back here. */
async function follow(answer: Promise<unknown>): Promise<never> {
  const { returnTo } = (await answer) as Output<'approveConsentRequest'>
  location.assign(returnTo)
  return new Promise(() => {})
}
