import type { Role } from '../../server/access/scopes.ts'
import { send } from './send.ts'

/** What a program asks a person for; the calls lie under its page, where its cookie is sent (server/doors/consent.ts). */
export interface ConsentRequest {
  client: {
    name: string
    uri: string | null
    redirectHost: string
    redirectIsLocal: boolean
    registration: 'dynamic' | 'metadata' | 'preregistered'
    clientId: string
  }
  /** The organization it is bound to already; null where the person chooses. */
  organizationId: string | null
  organizations: { id: string; name: string; role: Role }[]
  scopes: ConsentScope[]
}

export interface ConsentScope {
  scope: string
  description: string
  requested: boolean
  alreadyGranted: boolean
  /** Who may hold it. */
  roles: Role[]
}

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
