import { LRUCache } from 'lru-cache'
import { refusedCall } from '../../model/audit-actions.ts'
import type { Caller } from '../caller/caller.ts'
import type { AnyOperation, Parts } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import { entry, insertEntry, type Subject } from './audit.ts'
import { leftOutWords } from './entry-limiter.ts'

/** At most one entry for the same credential and operation in this many milliseconds, in one process. */
const EVERY = 60_000
const MOST_REMEMBERED = 10_000
const justNoted = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: EVERY })

/**
 * Logs a refused attempt, beside the operation and not in its way: limited in rate, and a failure to
 * write it changes nothing for the caller.
 *
 * @param subject finds what the call is about; null where it names nothing
 */
export function noteDenied(
  parts: Parts,
  caller: Caller,
  operation: AnyOperation,
  refusal: Refusal,
  subject: () => Promise<Subject | null>,
): void {
  const what = `${caller.credential.id} ${operation.name}`
  if (justNoted.has(what)) return
  justNoted.set(what, true)
  const noting = write(parts, caller, operation, refusal, subject)
    .catch((err) => parts.log.warn({ err }, 'could not log a refused attempt'))
    .finally(() => underWay.delete(noting))
  underWay.add(noting)
}

/**
 * Logs that a credential, or a session, made more calls than it may: once in ten minutes, and then how many more
 * there were.
 * @param network from which it was called
 */
export function noteLimited(parts: Parts, caller: Caller, network: string): void {
  const { id, name, type } = caller.credential
  const { channel, requestId, ip: _ip, userAgent: _userAgent, ...plain } = caller
  const write = async (by: Caller, reason: string) => {
    const { rows } = await parts.database.gate.query<{ now: string }>('select clock_now() as now')
    const subject = { type, id, title: name }
    const event = {
      time: rows[0]!.now,
      action: 'rate_limit.exceed',
      outcome: 'denied',
      subject,
      reason,
    } as const
    await parts.database.gate.query(insertEntry(...entry(by, event)))
  }
  parts.entryLimiter.add(
    `${id} rate_limit`,
    1,
    network,
    () => write(caller, 'rate_limited'),
    (leftOut) => write({ ...plain, channel, requestId }, leftOutWords(leftOut)),
  )
}

const underWay = new Set<Promise<void>>()

/** Waits for the entries that are still being written, so that a process that ends loses none. */
export async function settleDenied(): Promise<void> {
  await Promise.all(underWay)
}

async function write(
  parts: Parts,
  caller: Caller,
  operation: AnyOperation,
  refusal: Refusal,
  find: () => Promise<Subject | null>,
): Promise<void> {
  // Before the subject is looked for, so that entries stand in the order of the calls.
  const { rows } = await parts.database.gate.query('select clock_now() as now')
  const subject = await find()
  const row = entry(caller, {
    time: rows[0].now,
    action: refusedCall(operation),
    outcome: 'denied',
    subject: subject ?? { type: 'operation', id: operation.name },
    reason: refusal.code,
  })
  await parts.database.gate.query(insertEntry(...row))
}
