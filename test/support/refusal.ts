import type { Refusal } from '../../server/refusal.ts'

/** With what a call is refused; null where it is not. */
export const refusal = (call: Promise<unknown>): Promise<Refusal | null> =>
  call.then(
    () => null,
    (error: Refusal) => error,
  )
