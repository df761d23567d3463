import type { z } from 'zod'
import type { RequestContext } from '../../caller/request-context.ts'
import type { Session } from '../../caller/session.ts'
import type { Parts } from '../../operation.ts'

/**
 * A session act: what begins, changes or ends a person's session.
 *
 * Such an act is no operation, because an operation is done by a caller, and here there is none yet, or none
 * any more. So these few have a list of their own (session-acts.ts), and one door: the web app's. What a
 * person does with their account once they are in (their second factor, their other sessions) is an
 * operation like any other.
 */
export interface SessionAct<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Asks extends 'nobody' | 'session' = 'nobody' | 'session',
> {
  readonly name: string
  readonly title: string
  /** Whether it is for anybody, or for who has a session. */
  readonly asks: Asks
  readonly input: Input
  readonly output: Output
  readonly run: (context: ActContext<Asks>, input: z.output<Input>) => Promise<Outcome<z.input<Output>>>
}

export interface ActContext<Asks extends 'nobody' | 'session' = 'nobody' | 'session'> {
  readonly parts: Parts
  readonly requestContext: RequestContext
  /** The session that the browser has; for `asks: 'nobody'` there may be none. */
  readonly session: Asks extends 'session' ? Session : Session | null
}

export interface Outcome<Body> {
  readonly body: Body
  /** The secret of the session that now is; null: there is none any more. Left out: as before. */
  readonly cookie?: string | null
  /** What the browser brings back with the answer of a sign-in provider. */
  readonly providerCookie?: string
}

/** The list's common form. */
// biome-ignore lint/suspicious/noExplicitAny: an act takes its own input; only the list forgets which
export type AnySessionAct = SessionAct<any, any, any>

/** Describes a session act; the types of `run` follow from the schemas. */
export function sessionAct<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Asks extends 'nobody' | 'session',
>(described: SessionAct<Input, Output, Asks>): SessionAct<Input, Output, Asks> {
  return described
}
