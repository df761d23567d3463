import type { z } from 'zod'
import type { Needs } from '../../model/needs.ts'
import type { Caller } from '../caller/caller.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { callerOfSession, signedOut } from '../caller/session.ts'
import { refusalOf } from '../database/errors.ts'
import { rememberDevice } from '../identity/known-devices.ts'
import { parseInput } from '../input.ts'
import { noteDenied } from '../journal/denied.ts'
import type { Answer, AnyOperation, Browser, Cookies, Outcome, Parts, redirect } from '../operation.ts'
import { projectedBy } from '../output.ts'
import { calledSubject } from '../records/called-subject.ts'

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
  if (operation.by === 'session' && !session) throw signedOut()
  const caller = operation.by === 'session' ? callerOfSession(session!, requestContext) : null
  const judge = (needs: Needs) => caller && refuseDenied(parts, caller, operation, needs, raw)
  judge(operation.needs)
  const input = parseInput(operation, raw)
  for (const needs of operation.needsFor?.(input) ?? []) judge(needs)
  const outcome: Outcome<unknown> = await operation.run({ parts, ...browser }, input)
  const cookies = await withDevices(parts, browser, outcome)
  const body = projectedBy(operation.output)(outcome.body)
  if (operation.answers !== 'redirect') return { status: 200, body, cookies }
  const { location } = body as z.output<typeof redirect>
  return { status: 303, body: null, location, cookies }
}

/** Refuses what they may not, and notes that they tried. */
function refuseDenied(
  parts: Parts,
  caller: Caller,
  operation: AnyOperation,
  needs: Needs,
  raw: unknown,
): void {
  try {
    refuseUnlessAllowed(needs, caller, raw)
  } catch (error) {
    const refusal = refusalOf(error)
    // Being asked who one is again is no attempt at anything.
    if (refusal && refusal.code !== 'identity_unconfirmed')
      noteDenied(parts, caller, operation, refusal, () => calledSubject(parts, caller, raw))
    throw error
  }
}

/** A browser in which somebody has just shown who they are is known as theirs from now on. */
async function withDevices(
  parts: Parts,
  { requestContext }: Browser,
  { cookies = {}, isSameSession }: Outcome<unknown>,
): Promise<Cookies> {
  if (!cookies.session || isSameSession) return cookies
  const devices = await rememberDevice(parts, cookies.session, requestContext.devices ?? [])
  return devices ? { ...cookies, devices } : cookies
}
