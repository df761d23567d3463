import type { CallName, Input, Output } from './calls.ts'
import { send } from './send.ts'

/**
 * Calls an operation for guests, at their own door: the cookie of their pass goes there and nowhere else.
 * @throws {Problem}
 */
export const callAsGuest = <Name extends CallName>(name: Name, input: Input<Name>): Promise<Output<Name>> =>
  send(`/guest/${name}`, input) as Promise<Output<Name>>

/** Where the answers about a guest's pass are kept. */
export const PASS = ['getGuestPass']
export const TEXT = ['readPolicyAsGuest']
