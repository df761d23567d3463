/**
 * Names to addresses, off the thread pool.
 *
 * `dns.lookup` occupies one of the four threads that files and cryptography share, for as long as a name server
 * likes: four tenants with black-hole names would stall everybody. c-ares asks from the event loop instead. What
 * comes with `dns.lookup` has then to be done here: the hosts file, a cache, one query for many askers, and a budget.
 * (`localhost` is no question at all: `connector.ts` knows it.)
 *
 * The other half is blame. A name without an answer is the receiver's affair and spends an attempt; a machine without
 * a working resolver is ours and must not. Both look alike from one query: silence, or the resolver's own failure. So
 * then something is asked that every resolver answers, if only to refuse: the name servers of the root. Any answer, to
 * that or to anybody else's query meanwhile, shows the resolver alive and the name to be at fault.
 */
import { Resolver as Channel, type RecordWithTtl } from 'node:dns'
import { LRUCache } from 'lru-cache'
import { type HostsFile, openHostsFile } from './hosts-file.ts'
import { type Ip, parseIp } from './network.ts'

export type Resolution =
  | { readonly found: readonly Ip[] }
  /** The name's own fault: it does not exist, has no address, or its servers fail. `missing` is for operators. */
  | { readonly missing: string }
  /** Ours: no resolver answers anything. */
  | { readonly silent: string }

export interface ResolverOptions {
  /** `address:port` each; without any, those of the machine. */
  readonly nameServers?: readonly string[] | undefined
  readonly hostsFile?: HostsFile
  /** For one name, all tries together. Three seconds leave seven of an attempt's ten. */
  readonly budgetMs?: number
}

export interface Resolver {
  /** All addresses of a name (ASCII, lower case, no trailing dot). Never rejects. */
  resolve(name: string): Promise<Resolution>
  close(): void
}

const longestKeptMs = 60_000
const missingKeptMs = 10_000
/** An operator's repair must be noticed soon: this only keeps a burst from asking a dead resolver one by one. */
const silentKeptMs = 1_000
const reopenedAfterMs = 5_000
const mostNames = 10_000
/** What the other address family may still take once one has answered: some servers never answer for AAAA. */
const secondFamilyMs = 1_000

/**
 * c-ares codes that leave open whose fault it is: nobody answered, or the resolver says that it failed itself, which a
 * resolver cut off from the internet says of every name. All others are some server's words about this name.
 */
const doubtful = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL', 'ECANCELLED', 'ENOMEM', 'EFILE'])

type Answer = { readonly records: readonly RecordWithTtl[] } | { readonly code: string }
type Answers = [Answer, Answer]

const recordsOf = (answers: Answers): RecordWithTtl[] =>
  answers.flatMap((answer) => ('records' in answer ? answer.records : []))
const codesOf = (answers: Answers): string =>
  answers.map((answer) => ('code' in answer ? answer.code : 'ENODATA')).join(', ')
const isDoubtful = (answers: Answers): boolean =>
  recordsOf(answers).length === 0 && answers.some((answer) => 'code' in answer && doubtful.has(answer.code))

export function openResolver(options: ResolverOptions = {}): Resolver {
  const { nameServers, hostsFile = openHostsFile(), budgetMs = 3_000 } = options
  const kept = new LRUCache<string, Resolution>({ max: mostNames })
  const asking = new Map<string, Promise<Resolution>>()
  let channel = openChannel()
  let openedAt = performance.now()
  let answeredAt = Number.NEGATIVE_INFINITY

  function openChannel(): Channel {
    // Two tries within the budget, the second twice as long (c-ares doubles): a lost packet costs a third of it.
    const made = new Channel({ timeout: Math.ceil(budgetMs / 3), tries: 2, maxTimeout: budgetMs })
    if (nameServers?.length) made.setServers(nameServers)
    return made
  }

  /** The machine may have moved to another network since: a new channel reads its configuration again. */
  function reopenChannel(): void {
    if (nameServers?.length || performance.now() - openedAt < reopenedAfterMs) return
    openedAt = performance.now()
    try {
      channel = openChannel()
    } catch {
      // Not even that can be read (no descriptors left): the old channel is as good.
    }
  }

  async function resolve(name: string): Promise<Resolution> {
    const written = hostsFile.addressesOf(name)
    if (written.length > 0) return { found: written }
    // RFC 6761 §6.4: promised never to exist, so nobody need be asked.
    if (/(^|\.)invalid$/.test(name)) return { missing: 'reserved name' }
    const known = kept.get(name)
    if (known) return known
    let question = asking.get(name)
    if (!question) {
      question = ask(name).finally(() => asking.delete(name))
      asking.set(name, question)
    }
    return question
  }

  async function ask(name: string): Promise<Resolution> {
    const startedAt = performance.now()
    let probe: Promise<boolean> | undefined
    const doubt = setTimeout(
      () => {
        probe = resolverAnswers()
      },
      (budgetMs * 2) / 3,
    )
    const first = await bothFamilies(name, budgetMs)
    clearTimeout(doubt)
    if (!isDoubtful(first)) return judge(name, first)
    if (answeredAt >= startedAt || (await (probe ?? resolverAnswers())))
      // It may have come back since the name was asked: so the name is asked again before it is blamed.
      return judge(name, await bothFamilies(name, budgetMs / 3))
    reopenChannel()
    return keep(name, { silent: codesOf(first) }, silentKeptMs)
  }

  /** Of a resolver that lives. */
  function judge(name: string, answers: Answers): Resolution {
    const records = recordsOf(answers)
    if (records.length > 0) {
      const ips = records.map(({ address }) => parseIp(address))
      // An address that cannot be read cannot be judged, and what cannot be judged is not dialled.
      if (ips.some((ip) => !ip)) return keep(name, { missing: 'unreadable address' }, missingKeptMs)
      const ttl = Math.min(...records.map((record) => record.ttl)) * 1_000
      return keep(name, { found: ips as Ip[] }, Math.min(ttl, longestKeptMs))
    }
    return keep(name, { missing: codesOf(answers) }, missingKeptMs)
  }

  /** Waits for both families within the budget; once one has addresses, not much longer for the other. */
  async function bothFamilies(name: string, withinMs: number): Promise<Answers> {
    // The dot makes the name whole: no search suffix of this machine is ever tried on a tenant's name.
    const whole = `${name}.`
    const answers: Answers = [{ code: 'ETIMEOUT' }, { code: 'ETIMEOUT' }]
    await new Promise<void>((done) => {
      let left = 2
      let timer = setTimeout(done, withinMs)
      const take = (family: 0 | 1) => (error: NodeJS.ErrnoException | null, records: RecordWithTtl[]) => {
        heard(error)
        answers[family] = error ? { code: error.code ?? error.message } : { records }
        left -= 1
        if (left > 0 && error) return
        clearTimeout(timer)
        if (left > 0) timer = setTimeout(done, Math.min(secondFamilyMs, withinMs))
        else done()
      }
      channel.resolve4(whole, { ttl: true }, take(0))
      channel.resolve6(whole, { ttl: true }, take(1))
    })
    return answers
  }

  let probing: Promise<boolean> | null = null
  function resolverAnswers(): Promise<boolean> {
    probing ??= new Promise<boolean>((done) => {
      const startedAt = performance.now()
      const timer = setTimeout(() => done(answeredAt >= startedAt), budgetMs / 3)
      channel.resolveNs('.', (error) => {
        heard(error)
        clearTimeout(timer)
        done(answeredAt >= startedAt)
      })
    }).finally(() => {
      probing = null
    })
    return probing
  }

  function heard(error: NodeJS.ErrnoException | null): void {
    if (!error || !doubtful.has(error.code ?? '')) answeredAt = performance.now()
  }

  function keep(name: string, resolution: Resolution, forMs: number): Resolution {
    // Without a time to live it would be kept for good.
    if (forMs > 0) kept.set(name, resolution, { ttl: forMs })
    return resolution
  }

  return { resolve, close: () => channel.cancel() }
}
