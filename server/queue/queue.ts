import type { Capacity } from './allotment.ts'
import type { Ended } from './lane.ts'

/**
 * A queue is any table with rows that are due: deliveries to send, mails to write, work to do. Nothing is copied
 * into a store of its own. The row that people read is the row that is worked, so it is there with the change that
 * asks for it, or not at all.
 *
 * A *worker* (worker.ts) *claims* what is due, with `for update skip locked`, so that any number of processes work
 * beside each other. A claim is a *lease*: the moment at which the row is due moves ahead, by more than its work can
 * take. So a claimed row leaves the head of the index by itself, and is due again by itself where its worker has
 * died. No transaction is open while the work is done. What came of it is written *fenced*: only while the claim
 * still stands on the row. A worker that was merely asleep finds another claim there, and changes nothing. So
 * everything is worked at least once, and its outcome is written once.
 *
 * Rows belong to a *partition*, such as an endpoint, and that to an organization. Each partition has a *lane*
 * (lane.ts) that bounds how much of the process it takes, and the room that is free is shared out in turn
 * (allotment.ts): so what hangs or fails holds up itself alone.
 *
 * What wakes a worker: a hint from the process that committed, NOTIFY from another (hints.ts), a timer for what is
 * due soon (due-timers.ts), and behind them a sweep (sweeper.ts) that finds whatever was missed. All times are the
 * database's.
 *
 * Faults of our own, such as the database being away, are nobody's failure: claims are handed back as if they had
 * never been, and the worker waits a little longer each time (back-off.ts). A process that is gone is known by a lock
 * that went with it, and what it had claimed is due at once (worker-connection.ts).
 *
 * There is no SQL here. Statements that claim and finish are tuned to a table, its indexes and its plans, and stand
 * by hand with whoever owns it; this is what the owner says of the table.
 */
export interface Queue<Item> {
  /** What its rows are, as the log calls them: `webhook deliveries`. */
  readonly name: string
  /** By which processes that only commit wake those that work (NOTIFY); none where the sweep is soon enough. */
  readonly channel?: string
  readonly capacity: Capacity
  /** From a claim to the beginning of its work. */
  readonly startWithinMs: number
  partitionOf(item: Item): string
  organizationOf(item: Item): string
  /** Takes leases on what is due of the partitions named, on as much of each as it has room for. */
  claim(wanted: Wanted): Promise<Taken<Item>>
  /** Takes one of those that may end the process that works them (`SUSPECT_AFTER`); they are worked alone. */
  claimAlone?(claimId: string): Promise<Taken<Item>>
  /** Lets go of a claim whose answer was lost with the connection; without this, it ends with its lease. */
  release?(claimId: string): Promise<unknown>
  /** Makes due what workers that are gone had claimed: all whose claims begin with none of these. */
  recover?(living: readonly string[]): Promise<unknown>
  /** Finds the partitions in which something waits, and does what else is to be done now and then. */
  sweep(): Promise<Swept>
  /**
   * Does the work, writes what came of it where the claim still stands, and says how it went.
   * @param startBy on the monotonic clock; what cannot begin by then is handed back
   */
  run(item: Item, startBy: number): Promise<Ran>
}

/** What a worker asks for: partitions, and the room that each has. */
export interface Wanted {
  readonly partitions: readonly string[]
  readonly rooms: readonly number[]
  readonly claimId: string
  /** Slots are short, and kept for what was never tried. */
  readonly firstAttemptsOnly: boolean
}

/** What a claim took, and the database's clock then, in unix ms; 0 where the answer did not say. */
export interface Taken<Item> {
  readonly now: number
  readonly items: readonly Item[]
}

/** What a sweep found. */
export interface Swept {
  readonly waiting: readonly Waiting[]
  /** Something is due that is worked alone. */
  readonly alone: boolean
}

/** A partition in which something waits. */
export interface Waiting {
  readonly partition: string
  readonly organizationId: string | null
  /** Of the earliest: when it is due, from now. */
  readonly dueInMs: number
}

/** What became of one item. */
export type Ran =
  | {
      readonly ended: Ended
      readonly durationMs: number
      /** Of the row that was worked: when it is due again; null where it is not. */
      readonly dueInMs: number | null
      /** When what came of it is in the table, where it is not yet. Does not reject. */
      readonly written?: Promise<void>
    }
  /** Handed back: due again at once, or when it said. */
  | { readonly handedBack: 'now' | 'later' }
  /** A fault of our own: handed back, and nothing is claimed for a while. */
  | {
      readonly fault: string
      readonly detail: unknown
      /** What an operator can do about it. */
      readonly cure: string
    }

/** After this many losses in a row an item is suspected of taking its worker down with it. */
export const SUSPECT_AFTER = 3
