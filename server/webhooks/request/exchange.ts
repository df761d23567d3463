/**
 * One request and its answer on one connection.
 *
 * The verdict falls with the status line: from then on nothing can turn a success into a failure, and the body is
 * read for what is left of the time, up to 4 KB, because people debug by it. Once more is coming than is kept, the
 * socket goes: reading on would be the receiver's choice of our bandwidth.
 */
import type { AnswerListener } from '../../outbound/answer-reader.ts'
import type { Connection } from '../../outbound/connection.ts'
import { Limited } from '../../outbound/deadlines.ts'
import { KEPT_BYTES } from '../limits.ts'
import { type ConnectionFailure, type Outcome, outcomeOfStatus } from '../outcomes.ts'
import { type Fault, judgeFailure } from './failure.ts'

/** How the exchange ended; times are ms. */
export interface Ending {
  readonly outcome: Outcome
  /** Of `could_not_connect`. */
  readonly reason: ConnectionFailure | null
  readonly statusCode: number | null
  /** From the start of the attempt to the end of the response headers, or to the failure. */
  readonly durationMs: number
  readonly responseBody: Buffer | null
  readonly responseTruncated: boolean
  readonly operatorDetail?: string
}

/** When its connection was there, it might not leave any more. */
export type NotLeft = 'not_left'

/** It is over: the connection may be asked again for so long, 0 for not at all. */
type Ended = (exchange: Exchange, ending: Ending | Fault | NotLeft, keptForMs: number) => void

export class Exchange extends Limited implements AnswerListener {
  /** By which it goes; null while it waits for one. */
  connection: Connection | null = null
  readonly #startedAt: number
  readonly #end: Ended
  #ended = false
  #reused = false
  #statusCode: number | null = null
  #durationMs = 0
  #body: Buffer | null = null
  #length = 0

  /** @param end is called once */
  constructor(startedAt: number, end: Ended) {
    super()
    this.#startedAt = startedAt
    this.#end = end
  }

  get reused(): boolean {
    return this.#reused
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  /** It has a connection, and may not leave by it. */
  stay(): void {
    this.#finish('not_left', Number.POSITIVE_INFINITY)
  }

  /** It leaves. */
  go(head: string, body: Buffer): void {
    const connection = this.connection!
    this.#reused = connection.isKept
    connection.send(head, body, this)
  }

  began(statusCode: number): void {
    this.#statusCode = statusCode
    this.#durationMs = this.#elapsed()
  }

  came(chunk: Buffer): void {
    if (this.#ended) return
    const part =
      chunk.length > KEPT_BYTES - this.#length ? chunk.subarray(0, KEPT_BYTES - this.#length) : chunk
    // Copied: a chunk is a window on a read buffer many times its size.
    if (this.#body === null) this.#body = Buffer.from(part)
    else {
      if (this.#body.length < KEPT_BYTES)
        this.#body = Buffer.concat([this.#body.subarray(0, this.#length)], KEPT_BYTES)
      part.copy(this.#body, this.#length)
    }
    this.#length += part.length
    if (part.length < chunk.length) this.#answered(true, 0)
  }

  ended(keptForMs: number): void {
    this.#answered(false, keptForMs)
  }

  /** No connection came, or it ended. */
  broke(error: Error): void {
    if (this.#statusCode !== null) {
      this.#answered(true, 0)
      return
    }
    const verdict = judgeFailure(error, this.#reused && !this.connection?.hasBegunToAnswer)
    if ('fault' in verdict) this.#finish(verdict, 0)
    else this.#failed(verdict)
  }

  /** The ten seconds are over. */
  expire(): void {
    if (this.#statusCode !== null) this.#answered(true, 0)
    else this.#failed({ outcome: 'timeout', reason: null, operatorDetail: 'no answer in time' })
  }

  #answered(isTruncated: boolean, keptForMs: number): void {
    const statusCode = this.#statusCode!
    this.#finish(
      {
        outcome: outcomeOfStatus(statusCode),
        reason: null,
        statusCode,
        durationMs: this.#durationMs,
        responseBody: this.#body?.subarray(0, this.#length) ?? null,
        responseTruncated: isTruncated,
      },
      keptForMs,
    )
  }

  #failed(failure: Pick<Ending, 'outcome' | 'reason' | 'operatorDetail'>): void {
    // A refused address shows nothing, not even how long its look-up took.
    const durationMs = failure.outcome === 'address_not_public' ? 0 : this.#elapsed()
    this.#finish(
      { ...failure, statusCode: null, durationMs, responseBody: null, responseTruncated: false },
      0,
    )
  }

  #finish(ending: Ending | Fault | NotLeft, keptForMs: number): void {
    if (this.#ended) return
    this.#ended = true
    this.#end(this, ending, keptForMs)
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}
