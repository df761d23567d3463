import { type Outcome, outcomes } from '../outcomes.ts'
import type { Claimed } from './claim.ts'

const WEIGHT = 0.1

/** Is told how late each delivery was when it was taken to be sent. */
export type LatenessObserver = (seconds: number) => void

/** What operators watch of the engine, as plain numbers. */
export class Stats {
  readonly #outcomes = new Map<Outcome, number>()
  #lagMs = 0
  #claimMs = 0
  #flushMs = 0
  #faults = 0
  #turnedOff = 0
  readonly #latenessObservers: LatenessObserver[] = []

  observeLateness(observer: LatenessObserver): void {
    this.#latenessObservers.push(observer)
  }

  claimed(claims: readonly Claimed[], milliseconds: number): void {
    this.#claimMs = moved(this.#claimMs, milliseconds)
    if (claims.length > 0) this.#lagMs = Math.max(...claims.map((claim) => claim.lateMs))
    for (const observe of this.#latenessObservers) for (const { lateMs } of claims) observe(lateMs / 1_000)
  }

  flushed(milliseconds: number, turnedOff: number): void {
    this.#flushMs = moved(this.#flushMs, milliseconds)
    this.#turnedOff += turnedOff
  }

  ended(outcome: Outcome): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
  }

  faulted(): void {
    this.#faults += 1
  }

  /** Milliseconds are moving averages; the lag is the longest wait of the last claim; the rest are totals. */
  numbers(): Record<string, number> {
    const counts = (Object.keys(outcomes) as Outcome[]).map((outcome) => [
      `attempts_${outcome}`,
      this.#outcomes.get(outcome) ?? 0,
    ])
    return {
      lag_ms: this.#lagMs,
      claim_ms: this.#claimMs,
      flush_ms: this.#flushMs,
      own_faults: this.#faults,
      endpoints_turned_off: this.#turnedOff,
      ...Object.fromEntries(counts),
    }
  }
}

const moved = (average: number, value: number): number => average + (value - average) * WEIGHT
