import { z } from 'zod'
import type { RequestContext } from '../caller/request-context.ts'
import type { Session } from '../caller/session.ts'
import type { Outcome, Parts } from '../operation.ts'
import { beginSession } from './sessions.ts'
import { SECOND_FACTORS, secondFactorsOf } from './sign-in/sign-in-methods.ts'
import { makeTicket, type Ticket } from './sign-in/sign-in-tickets.ts'

/** What is told to whoever has given their password, or come by a link of theirs. */
export const entered = z.union([
  z.object({ state: z.literal('signed_in') }),
  z.object({
    state: z.literal('second_factor'),
    ticket: z.string().describe('For signInSecondFactor or beginPasskeySignIn, within five minutes'),
    methods: z.array(z.enum(SECOND_FACTORS)),
  }),
])

/**
 * Lets a person in who has given their password or come by a link: at once, or to the second step where they
 * have a second factor. Whatever ends with a session ends here; beginSession refuses to begin one past it.
 */
export async function enter(
  parts: Parts,
  requestContext: RequestContext,
  person: Ticket,
  before: Session | null,
): Promise<Outcome<z.input<typeof entered>>> {
  const methods = await secondFactorsOf(parts, person.accountId)
  if (methods.length > 0)
    return { body: { state: 'second_factor', ticket: await makeTicket(parts, person), methods } }
  const session = await beginSession(parts, requestContext, person, before)
  return { body: { state: 'signed_in' }, cookies: { session } }
}
