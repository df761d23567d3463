import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Parts } from '../server/operation.ts'
import { operations } from '../server/operations.ts'

/** What somebody asks of a service within this process, by the name of an operation. */
export const askAs =
  (parts: Parts, caller: Caller) =>
  async <Body = { id: string }>(name: string, input: object): Promise<Body> => {
    const operation = operations.find((one) => one.name === name)!
    return (await call(parts, caller, operation, input)).body as Body
  }
