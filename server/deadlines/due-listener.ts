import type { Kind } from '../../model/kind.ts'
import type { TransactionContext } from '../operation.ts'

/** That a threshold of a date has come, of a record that counts: it is told of once. */
export interface DueMoment {
  readonly kind: Kind
  readonly recordId: string
  /** As the kind calls the deadline. */
  readonly deadline: string
  /** So many days before its date; 0 as the day begins, -1 once it is over. */
  readonly threshold: number
  /** The date as it is written, a day or an instant. */
  readonly date: string
  readonly endsAt: string
  /** From today to the day of it, where the organization is; fewer than the threshold, where that was looked at late. */
  readonly daysLeft: number
  /** The user or person of the directory who is to see to it. */
  readonly ownerId: string | null
  /** The state that the record came to by it. */
  readonly lapsedTo: string | null
  /** Who is told of that beside whoever is to see to it, and what the record is to them. */
  readonly alsoTold: readonly { readonly who: string; readonly as: string }[]
}

/**
 * Is told of what has come in an organization, in the transaction in which it is done: what it writes stands or falls
 * with that. Where it fails, the moments are tried again later.
 */
export type DueListener = (context: TransactionContext, moments: readonly DueMoment[]) => Promise<void>

declare module '../operation.ts' {
  interface Parts {
    /** Whoever is told of what time has brought, as values in a list (server/due-listeners.ts). */
    readonly dueListeners: readonly DueListener[]
  }
}
