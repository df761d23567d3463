import type { z } from 'zod'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { callerOfSession, signedOut } from '../caller/session.ts'
import { rememberDevice } from '../identity/sign-in/known-devices.ts'
import { parseInput } from '../input.ts'
import type { Answer, AnyOperation, Browser, Cookies, Outcome, Parts, redirect } from '../operation.ts'
import { projectedBy } from '../output.ts'

/**
 * Does an operation for a browser, for call(): what begins, changes or ends a session, and so has no caller yet, or
 * none any more. Nothing of it is one transaction: each opens those it needs.
 *
 * @throws {Refusal} `credential_missing` where it takes a session and there is none
 */
export async function callFromBrowser(
  parts: Parts,
  browser: Browser,
  operation: AnyOperation,
  raw: unknown,
): Promise<Answer> {
  const { session, requestContext } = browser
  if (operation.by === 'session') {
    if (!session) throw signedOut()
    refuseUnlessAllowed(operation.needs, callerOfSession(session, requestContext), raw)
  }
  const input = parseInput(operation, raw)
  const outcome: Outcome<unknown> = await operation.run({ parts, ...browser }, input)
  const cookies = await withDevices(parts, browser, outcome.cookies ?? {})
  const body = projectedBy(operation.output)(outcome.body)
  if (operation.answers !== 'redirect') return { status: 200, body, cookies }
  const { location } = body as z.output<typeof redirect>
  return { status: 303, body: null, location, cookies }
}

/** A browser in which a session has just begun is known as its person's from now on. */
async function withDevices(parts: Parts, { requestContext }: Browser, cookies: Cookies): Promise<Cookies> {
  if (!cookies.session) return cookies
  const devices = await rememberDevice(parts, cookies.session, requestContext.devices ?? [])
  return devices ? { ...cookies, devices } : cookies
}
