import type { z } from 'zod'
import type { operationsByHand } from '../../server/operations.ts'
import { type Sending, send } from './send.ts'

/*
 * What the app may call, with the types that the service itself gives: nothing of it is repeated here, and
 * nothing of it but its types comes along.
 */

type Described = typeof operationsByHand

export type CallName = keyof Described & string
export type Input<Name extends CallName> = z.input<Described[Name]['input']>
export type Output<Name extends CallName> = z.output<Described[Name]['output']>

/**
 * Calls an operation.
 * @throws {Problem}
 */
export const call = <Name extends CallName>(
  name: Name,
  input: Input<Name>,
  sending?: Sending,
): Promise<Output<Name>> => send(`/web/${name}`, input, sending) as Promise<Output<Name>>
