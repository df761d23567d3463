import type { Needs } from '../../model/needs.ts'
import type { Caller } from '../caller/caller.ts'
import type { Query } from '../database/connect.ts'
import { isAway, isDeadlock, refusalOf } from '../database/errors.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import type { Parts, TransactionContext } from '../operation.ts'
import { inUnit } from '../unit-of-work.ts'
import { actingCaller, callerOfService } from './acting.ts'
import {
  type AnyJobKind,
  type ClaimedJob,
  type JobError,
  needsOfJob,
  type Piece,
  type ResultFile,
} from './job-kind.ts'
import {
  appendResult,
  countErrors,
  endJob,
  holdJob,
  isPieceRefused,
  moveJob,
  moveJobFurther,
  queueForJob,
} from './statements.ts'
import { isToldOf, tellStarter } from './tell-starter.ts'

/**
 * Runs a job for one turn, piece by piece (job-kind.ts has the promise). A turn ends with the job, or, between two
 * pieces, when it has lasted a second: then the job is handed back and goes on when it is its turn again, so that no
 * job of many pieces keeps the others waiting.
 */
const TURN_MS = 1_000

/** How a turn ended. */
export type TurnEnd =
  /** It is written that it is over: its last piece said so. */
  | { readonly end: 'over' }
  | { readonly end: 'succeeded' | 'cancelled' | 'turn' | 'lost' }
  | { readonly end: 'failed'; readonly failure: string }
  /** The database is away, or a fault of our own. */
  | { readonly end: 'away' | 'fault'; readonly error: unknown }

export async function runTurn(
  parts: Parts,
  kind: AnyJobKind,
  claimed: ClaimedJob,
  isStopping: () => boolean,
): Promise<TurnEnd> {
  const input = inputOf(parts, kind, claimed)
  if (input === UNREADABLE)
    return { end: 'failed', failure: 'Its input cannot be read any more: start it again.' }
  const turn = new Turn(parts, kind, claimed, needsOfJob(kind, input), isStopping)
  try {
    const ended = await inUnit('job', claimed.id, () =>
      kind.run({
        job: { id: claimed.id, organizationId: claimed.organizationId ?? '' },
        input,
        parts,
        step: (piece) => turn.step(piece),
        handBack: () => turn.handBack(),
        transaction: (work) => turn.read(work),
      }),
    )
    if (turn.end) return { end: turn.end }
    return ended ? { end: 'failed', failure: ended.failed } : { end: 'succeeded' }
  } catch (error) {
    // Whatever a run made of it: a turn that is over is over.
    if (turn.end) return { end: turn.end }
    if (isAway(error)) return { end: 'away', error }
    // PostgreSQL ended the piece so that others could go on: it goes on when it is its turn again.
    if (isDeadlock(error)) return { end: 'turn' }
    const refusal = refusalOf(error)
    return refusal ? { end: 'failed', failure: refusal.message } : { end: 'fault', error }
  }
}

const UNREADABLE = Symbol('unreadable')

function inputOf({ keyring }: Parts, kind: AnyJobKind, { id, input, sealedInput }: ClaimedJob): unknown {
  try {
    return kind.input.parse(
      sealedInput ? JSON.parse(keyring.open(sealedInput, 'jobInput', [id]).toString()) : input,
    )
  } catch {
    return UNREADABLE
  }
}

/** Ends a run between two pieces. */
class TurnOver extends Error {
  override name = 'TurnOver'
}

class Turn {
  readonly #parts: Parts
  readonly #kind: AnyJobKind
  readonly #job: ClaimedJob
  readonly #isStopping: () => boolean
  readonly #needs: readonly Needs[]
  readonly #until = performance.now() + TURN_MS
  #pieces = 0
  #assumed: Assumed | null
  #end: 'over' | 'turn' | 'cancelled' | 'lost' | null = null

  constructor(
    parts: Parts,
    kind: AnyJobKind,
    job: ClaimedJob,
    needs: readonly Needs[],
    isStopping: () => boolean,
  ) {
    this.#parts = parts
    this.#kind = kind
    this.#needs = needs
    this.#job = job
    this.#isStopping = isStopping
    this.#assumed = isOfPerson(job) ? null : job
  }

  get end(): 'over' | 'turn' | 'cancelled' | 'lost' | null {
    return this.#end
  }

  async step<Place>(work: (piece: Piece<Place>) => Promise<Place | null>): Promise<Place | null> {
    if (this.#isStopping() || (this.#pieces > 0 && performance.now() > this.#until)) this.#end ??= 'turn'
    if (this.#end) throw new TurnOver()
    this.#pieces += 1
    const next = await this.#piece(work)
    if (next === null) this.#end = 'over'
    // As the row has it.
    else if (this.#assumed) this.#assumed = { ...this.#assumed, place: JSON.parse(JSON.stringify(next)) }
    return next
  }

  handBack(): never {
    this.#end ??= 'turn'
    throw new TurnOver()
  }

  read<T>(work: (context: TransactionContext) => Promise<T>): Promise<T> {
    return this.#inTransaction(async (tx) => {
      const { caller } = await this.#hold(tx)
      return await work({ caller, parts: this.#parts, tx })
    })
  }

  #inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return transaction(this.#parts.database.tenant, this.#job.organizationId ?? '', work)
  }

  /**
   * A job of the service alone needs nothing of its row but that it stands as it was left: its piece does not wait to be
   * told so, and is one round trip where it reads nothing. Where it stands otherwise, its last statement ends the
   * transaction, and the piece is begun anew by what the row says.
   */
  async #piece<Place>(work: (piece: Piece<Place>) => Promise<Place | null>): Promise<Place | null> {
    const assumed = this.#assumed
    if (assumed) {
      const caller = callerOfService(this.#job.organizationId ?? '', assumed.features, this.#job.startedBy)
      try {
        return await this.#inTransaction((tx) => this.#work(tx, { ...assumed, isLong: false, caller }, work))
      } catch (error) {
        if (!isPieceRefused(error)) throw error
        this.#assumed = null
      }
    }
    return await this.#inTransaction(async (tx) => this.#work(tx, await this.#hold(tx), work))
  }

  #send<Row>(tx: Transaction, query: Query): Promise<Row[]> {
    return this.#job.organizationId === null ? tx.readAsGate<Row>(query) : tx.read<Row>(query)
  }

  /** Holds the row for a piece, and says whom the piece acts as. */
  async #hold(tx: Transaction): Promise<Standing> {
    const { id, organizationId, claimId, startedBy } = this.#job
    tx.write(queueForJob(organizationId, id))
    const [[held], person] = await Promise.all([
      this.#send<Held>(tx, holdJob(id, claimId)),
      isOfPerson(this.#job) ? actingCaller(tx, startedBy!, this.#needs) : null,
    ])
    if (!held) this.#end = 'lost'
    else if (held.isCancelled) this.#end = 'cancelled'
    if (!held || this.#end) throw new TurnOver()
    return {
      place: held.place,
      isLong: held.isLong,
      caller: person ?? callerOfService(tx.organizationId, held.features, startedBy),
      features: null,
    }
  }

  async #work<Place>(
    tx: Transaction,
    { place, isLong, caller, features }: Standing,
    work: (piece: Piece<Place>) => Promise<Place | null>,
  ): Promise<Place | null> {
    const { id, organizationId } = this.#job
    const told = new Told()
    const next = await work({
      caller,
      parts: this.#parts,
      tx,
      place: place as Place | null,
      progress: (done, total) => told.progress(done, total),
      error: (error) => void told.errors.push(error),
      result: (file) => told.keep(file),
      append: (bytes, section = 0) => void told.parts.push({ section, bytes }),
    })
    const moved = told.written(this.#job, features, next)
    for (const { section, bytes } of told.parts)
      tx.write(appendResult(organizationId, id, section, Buffer.from(bytes)))
    if (organizationId === null) tx.writeAsGate(moved)
    else tx.write(moved)
    if (next === null && isLong && isToldOf(this.#kind, this.#job)) {
      const [row] = await tx.read<{ count: number }>(countErrors(organizationId, id))
      tellStarter(tx, this.#kind, this.#job, 'done', row?.count)
    }
    return next
  }
}

/** Whether a job acts as a person or a program, whose rights are judged anew at each piece. */
const isOfPerson = ({ startedBy }: ClaimedJob): boolean =>
  startedBy !== null && startedBy.credential.type !== 'operator'

/** What a job of the service is taken to be as its next piece begins. */
type Assumed = Pick<ClaimedJob, 'place' | 'features'>

/** What a piece goes by. */
interface Standing {
  readonly place: unknown
  readonly isLong: boolean
  readonly caller: Caller
  /** What it takes to be those of its organization; null where it read them itself. */
  readonly features: Caller['features'] | null
}

interface Held {
  place: unknown
  isCancelled: boolean
  isLong: boolean
  features: Caller['features'] | null
}

/** What a piece says of itself. */
class Told {
  readonly errors: JobError[] = []
  readonly parts: { readonly section: number; readonly bytes: Uint8Array }[] = []
  #done: number | null = null
  #total: number | null = null
  #file: ResultFile | null = null

  progress(done: number, total?: number): void {
    this.#done = done
    this.#total = total ?? null
  }

  keep(file: ResultFile): void {
    this.#file = file
    if (file.bytes) this.parts.push({ section: 0, bytes: file.bytes })
  }

  written({ id, claimId }: ClaimedJob, features: Standing['features'], next: unknown) {
    const place = next === null ? null : JSON.stringify(next)
    const asked = features && JSON.stringify(features)
    const moved = [id, this.#done, this.#total, place, claimId, asked] as const
    const isMoreTold = this.errors.length > 0 || this.parts.length > 0 || this.#file !== null
    if (next !== null && !isMoreTold) return moveJob(...moved)
    const { name = null, type = null } = this.#file ?? {}
    const added = this.parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const further = [JSON.stringify(this.errors), name, type, this.parts.length > 0 ? added : null]
    return (next === null ? endJob : moveJobFurther)(...moved, ...further)
  }
}
