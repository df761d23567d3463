import type { WorkerObserver } from '../../queue/claim-loop.ts'
import { type Outcome, outcomes } from '../outcomes.ts'
import type { Claimed } from './claim.ts'

/** Is told, in seconds, of what has a distribution. */
export interface WebhookObserver {
  /** How late a delivery was when it was taken to be sent. */
  lateness(seconds: number): void
  /** How long an attempt took, from the resolution of the name to the end of the answer's headers. */
  attempt(seconds: number): void
  /** How long the database took to hand out deliveries, and to take results. */
  claim(seconds: number): void
  write(seconds: number): void
}

/** Attempts that this process saw the end of; one that was interrupted has lost its process. */
export type SeenOutcome = Exclude<Outcome, 'interrupted'>

/** What the engine of one process counts since its start. */
export class Stats implements WorkerObserver<Claimed> {
  readonly attempts = Object.fromEntries(
    Object.keys(outcomes).flatMap((outcome) => (outcome === 'interrupted' ? [] : [[outcome, 0]])),
  ) as Record<SeenOutcome, number>
  ownFaults = 0
  endpointsTurnedOff = 0
  readonly #observers: WebhookObserver[] = []

  observe(observer: WebhookObserver): void {
    this.#observers.push(observer)
  }

  claimed(claims: readonly Claimed[], milliseconds: number | null): void {
    for (const observer of this.#observers) {
      if (milliseconds !== null) observer.claim(milliseconds / 1_000)
      for (const { lateMs } of claims) observer.lateness(lateMs / 1_000)
    }
  }

  written(milliseconds: number, turnedOff: number): void {
    this.endpointsTurnedOff += turnedOff
    for (const observer of this.#observers) observer.write(milliseconds / 1_000)
  }

  attempted(outcome: Outcome, milliseconds: number): void {
    if (outcome === 'interrupted') return
    this.attempts[outcome] += 1
    for (const observer of this.#observers) observer.attempt(milliseconds / 1_000)
  }

  faulted(): void {
    this.ownFaults += 1
  }
}
