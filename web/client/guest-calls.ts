import { PASS_ENDS, type PassEnd } from '../../model/guest-purpose.ts'
import type { CallName, Input, Output } from './calls.ts'
import { isProblem, Problem } from './problem.ts'
import { queries } from './queries.ts'
import { ask, isProblemOfOurs, send, unreadable } from './send.ts'

/** Where the answers about a guest's pass are kept. */
export const PASS = ['getGuestPass']
export const TEXT = ['readPolicyAsGuest']
/** Where it is kept that the pass is over, once a call was told so: the page says that in place of all else. */
export const END = ['endOfGuestPass']

/** Why a guest is in no more: `away`, where nobody called for half an hour. */
export type GuestEnd = PassEnd | 'away'

/**
 * Calls an operation for guests, at their own door: the cookie of their pass goes there and nowhere else.
 * @throws {Problem}
 */
export async function callAsGuest<Name extends CallName>(
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  return (await noting(send(`/guest/${name}`, input))) as Output<Name>
}

/**
 * Has the browser save the file that a pass leads to.
 * @throws {Problem}
 */
export async function saveFileOfPass(name: string, correction: boolean): Promise<void> {
  const url = URL.createObjectURL(await noting(bytesOfPass(correction)))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // What is being saved needs it no longer than that.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

async function bytesOfPass(correction: boolean): Promise<Blob> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ correction })
  const response = await ask('/guest/downloadPolicyAsGuest', { method: 'POST', headers, body })
  if (response.ok) return response.blob()
  const told: unknown = await response.json().catch(() => undefined)
  throw isProblemOfOurs(told) ? new Problem(told) : unreadable(response)
}

/** Notes that the pass is over, where that is what was answered. */
const noting = <Result>(asked: Promise<Result>): Promise<Result> =>
  asked.catch((error: unknown) => {
    const end = endOf(error)
    if (end && queries.getQueryData(PASS)) queries.setQueryData(END, end)
    throw error
  })

/** The text of a pass. Never anew while they read: what is before them is what they agree to. */
export const policyOfPass = (correction: boolean) => ({
  queryKey: [...TEXT, correction],
  queryFn: () => callAsGuest('readPolicyAsGuest', { correction }),
  staleTime: Infinity,
})

/** What the service said of a pass that is over. */
export function endOf(error: unknown): GuestEnd | null {
  if (isProblem(error, 'credential_missing')) return 'away'
  if (!isProblem(error, 'link_invalid')) return null
  const { reason } = (error as Problem).members
  return PASS_ENDS.find((end) => end === reason) ?? null
}
