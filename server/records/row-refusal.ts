import { refusalOf } from '../database/errors.ts'
import type { Refusal } from '../refusal.ts'

/* Of many rows in one call, what is refused of one keeps out that row alone; a fault of ours ends all. */

/** @throws what is no refusal of the work, but a fault */
export function asRefusal<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    return rowRefusal(error)
  }
}

/** @throws the error itself, where it is a fault */
export function rowRefusal(error: unknown): Refusal {
  const refusal = refusalOf(error)
  if (!refusal || refusal.status >= 500) throw error
  return refusal
}
