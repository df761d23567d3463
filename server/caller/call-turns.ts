import { Refusal } from '../refusal.ts'

/*
 * The fair share of calls between organizations, within one process.
 *
 * All calls share one event loop and the connections to one PostgreSQL. Without a limit per organization, a page that
 * sends thirty searches takes every connection, and the calls of all others wait behind them. So a call takes a turn:
 * a limited number runs at a time, and what waits is served by organization, the one served longest ago first. Within
 * an organization the same holds for its credentials, so that a script does not block the people of its organization.
 *
 * A large call (a list, a search, an export) keeps a core of PostgreSQL busy for as long as it runs, and order alone
 * does not help against that. So an organization may run one large call for every sixteen places while another
 * organization calls too, and nearly a quarter of all places while it is alone. It never takes the last places: a call
 * of another organization finds one. While another organization calls, one that queues large calls also pauses after each
 * for as long as it ran: its queue keeps a core busy for half of the time at most.
 *
 * The limits hold per process: organizations are compared where they compete, and no call waits for a round trip to
 * learn whether it may run. Sign-in, health checks and background jobs take no turn.
 */
export class CallTurns {
  readonly #limits: TurnLimits
  readonly #now: () => number
  readonly #organizations = new Map<string, Share>()
  #running: Counts = { all: 0, large: 0 }
  #waiting = 0
  #served = 0
  readonly refused: Record<OverloadReason, number> = { organization: 0, service: 0, waited: 0 }

  /** @param now milliseconds of a clock that never goes back */
  constructor(atOnce: number, now: () => number = () => performance.now()) {
    this.#limits = limitsOf(atOnce)
    this.#now = now
  }

  get running(): number {
    return this.#running.all
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs the work when its turn has come.
   * @param call whose it is; one that `continues` has done a part of its work: it is not refused, however many calls wait
   *   or however long it waits itself, since its caller would then repeat what was done
   * @throws {Overloaded} where too many calls wait, or this one has waited too long
   */
  async run<T>(call: TurnCall, work: () => Promise<T>): Promise<T> {
    const share = this.#shareOf(call.organizationId)
    await this.#turn(share, call)
    const startedAt = this.#now()
    try {
      return await work()
    } finally {
      this.#count(share, call, -1)
      if (call.isLarge) this.#rest(share, this.#now() - startedAt)
      share.lastSeen = this.#now()
      this.#startNext()
    }
  }

  #turn(share: Share, call: TurnCall): Promise<void> {
    // What waits of others cannot run, or it would: only calls of the same credential come before this one.
    const isBehind = (one: Waiting) =>
      one.credentialId === call.credentialId &&
      one.isLarge === call.isLarge &&
      (one.continues || !call.continues)
    if (this.#mayRun(share, call) && !share.waiting.some(isBehind)) {
      this.#start(share, call)
      return Promise.resolve()
    }
    if (!call.continues) this.#refuseFull(share, call)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      share.waiting.splice(share.waiting.indexOf(waiting), 1)
      this.#waiting--
      reject(this.#overloaded('waited'))
    }
    const timer = call.continues ? undefined : setTimeout(giveUp, WAIT_AT_MOST_MS)
    const start = () => {
      clearTimeout(timer)
      resolve()
    }
    const waiting: Waiting = { ...call, start }
    share.waiting.push(waiting)
    this.#waiting++
    return promise
  }

  #refuseFull({ waiting }: Share, { credentialId }: TurnCall): void {
    const own = waiting.filter((one) => one.credentialId === credentialId).length
    if (waiting.length >= WAITING.ofOrganization || own >= WAITING.ofCredential)
      throw this.#overloaded('organization')
    if (this.#waiting >= WAITING.inAll) throw this.#overloaded('service')
  }

  #overloaded(reason: OverloadReason): Overloaded {
    this.refused[reason]++
    return new Overloaded(reason)
  }

  /** The share of an organization, which counts as calling from now on. */
  #shareOf(organizationId: string): Share {
    const share = this.#organizations.get(organizationId) ?? newShare()
    share.lastSeen = this.#now()
    // Moved to the end: the map is in the order in which organizations were last seen.
    this.#organizations.delete(organizationId)
    this.#organizations.set(organizationId, share)
    return share
  }

  /** Whether another organization has calls under way, or has just had some. */
  #isContended(share: Share): boolean {
    const since = this.#now() - CALLING_WITHIN_MS
    for (const [organizationId, one] of this.#organizations) {
      if (one.lastSeen > since || one.running.all > 0 || one.waiting.length > 0) {
        if (one !== share) return true
      } else this.#organizations.delete(organizationId)
    }
    return false
  }

  /** Between two large calls of an organization that queues them the others have the core for as long as the first took. */
  #rest(share: Share, took: number): void {
    if (!share.waiting.some(({ isLarge }) => isLarge) || !this.#isContended(share)) return
    const rest = Math.min(took, REST_AT_MOST_MS)
    share.restsUntil = this.#now() + rest
    setTimeout(() => this.#startNext(), Math.ceil(rest) + 1).unref()
  }

  #mayRun(share: Share, { isLarge, credentialId }: TurnCall): boolean {
    const { all, large, alone, shared } = this.#limits
    if (this.#running.all >= all || (isLarge && this.#running.large >= large)) return false
    const isContended = this.#isContended(share)
    if (isLarge && isContended && this.#now() < share.restsUntil) return false
    const most = isContended ? shared : alone
    const own = share.credentials.get(credentialId) ?? { all: 0, large: 0 }
    const kind = isLarge ? 'large' : 'all'
    return (
      share.running.all < most.all &&
      share.running[kind] < most[kind] &&
      // The rest is for other credentials of the organization.
      own[kind] < Math.max(1, Math.ceil(most[kind] * OF_ONE_CREDENTIAL))
    )
  }

  #start(share: Share, call: TurnCall): void {
    this.#served++
    share.lastServed = this.#served
    this.#count(share, call, 1).lastServed = this.#served
  }

  #count(share: Share, { credentialId, isLarge }: TurnCall, by: 1 | -1): CredentialShare {
    const own = share.credentials.get(credentialId) ?? { all: 0, large: 0, lastServed: 0 }
    share.credentials.set(credentialId, own)
    for (const counts of [this.#running, share.running, own]) {
      counts.all += by
      if (isLarge) counts.large += by
    }
    const isIdle = own.all === 0 && !share.waiting.some((one) => one.credentialId === credentialId)
    if (isIdle) share.credentials.delete(credentialId)
    return own
  }

  #startNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [share, waiting] = next
      share.waiting.splice(share.waiting.indexOf(waiting), 1)
      this.#waiting--
      this.#start(share, waiting)
      waiting.start()
    }
  }

  /** Of those that may run the one whose organization, and within it whose credential, was served longest ago. */
  #next(): [Share, Waiting] | null {
    if (this.#waiting === 0) return null
    const shares = [...this.#organizations.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .toSorted((one, other) => one.lastServed - other.lastServed)
    for (const share of shares) {
      const lastServed = ({ credentialId }: Waiting) => share.credentials.get(credentialId)?.lastServed ?? 0
      const [next] = share.waiting
        .filter((one) => this.#mayRun(share, one))
        .toSorted(
          (one, other) =>
            lastServed(one) - lastServed(other) ||
            // What was begun is finished first: an Idempotency-Key is reserved for a minute only.
            Number(other.continues ?? false) - Number(one.continues ?? false),
        )
      if (next) return [share, next]
    }
    return null
  }
}

/** What a turn is asked for. */
export interface TurnCall {
  readonly organizationId: string
  readonly credentialId: string
  readonly isLarge: boolean
  readonly continues?: boolean
}

interface Counts {
  all: number
  large: number
}

interface CredentialShare extends Counts {
  lastServed: number
}

interface Share {
  readonly running: Counts
  readonly credentials: Map<string, CredentialShare>
  readonly waiting: Waiting[]
  lastServed: number
  lastSeen: number
  /** It starts no large call before this time, while another organization calls. */
  restsUntil: number
}

interface Waiting extends TurnCall {
  readonly start: () => void
}

/** How many calls run at a time: of all organizations together, of one while no other calls, and while another does. */
interface TurnLimits extends Readonly<Counts> {
  readonly alone: Readonly<Counts>
  readonly shared: Readonly<Counts>
}

function limitsOf(all: number): TurnLimits {
  const large = Math.max(2, Math.ceil(all / 4))
  return {
    all,
    large,
    alone: { all: all - Math.ceil(all / 8), large: large - 1 },
    shared: { all: Math.ceil(all / 2), large: Math.ceil(all / 16) },
  }
}

const OF_ONE_CREDENTIAL = 3 / 4

/** A page of the web app sends a few calls, a busy script some dozens; more is better refused than kept waiting. */
const WAITING = { ofCredential: 50, ofOrganization: 100, inAll: 1_000 }
const WAIT_AT_MOST_MS = 10_000

const REST_AT_MOST_MS = 100

/** An organization counts as calling for this long after its last call. */
const CALLING_WITHIN_MS = 2_000

const newShare = (): Share => ({
  running: { all: 0, large: 0 },
  credentials: new Map(),
  waiting: [],
  lastServed: 0,
  lastSeen: 0,
  restsUntil: 0,
})

export type OverloadReason = 'organization' | 'service' | 'waited'

/** A call was not started, because too many others are under way. */
export class Overloaded extends Refusal {
  readonly reason: OverloadReason

  constructor(reason: OverloadReason) {
    super('unavailable', DETAILS[reason], { retryAfter: 2 })
    this.reason = reason
  }
}

const DETAILS: Record<OverloadReason, string> = {
  organization:
    'Your organization has too many calls under way: wait for their answers, then send fewer at the same time.',
  service: 'The service is overloaded, and nothing was done: try again in a moment.',
  waited: `The service is overloaded: the call waited ${WAIT_AT_MOST_MS / 1000} seconds for its turn, and nothing was done. Try again in a moment.`,
}
