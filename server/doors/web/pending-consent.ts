import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { PendingConsent } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'

/**
 * The request of a program that waits for its answer: the library knows it by a cookie, which the browser sends to
 * the paths below the page that asks and nowhere else.
 * @throws {Refusal} `not_found` for a request that this browser did not come with, or that is over
 */
export async function pendingConsentOf(
  provider: Provider,
  uid: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<PendingConsent> {
  const over = () =>
    new Refusal('not_found', 'This request is over: go back to the app and connect it again.')
  try {
    const interaction = await provider.interactionDetails(request, response)
    if (interaction.uid !== uid) throw over()
    return { provider, interaction }
  } catch (error) {
    throw (error as Error).name === 'SessionNotFound' ? over() : error
  }
}
