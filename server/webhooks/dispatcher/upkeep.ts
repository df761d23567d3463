import type pg from 'pg'
import type { Logger } from 'pino'
import { statement } from '../../database/connect.ts'
import { tryingOn } from '../../database/errors.ts'
import { dueSuspects } from './claim.ts'
import { recover } from './lost-senders.ts'
import { type Waiting, waitingEndpoints } from './sweep.ts'
import { turnOffTripped } from './turn-off.ts'

interface UpkeepParts {
  readonly pool: pg.Pool
  readonly log: Logger
  readonly delays: readonly number[]
}

const isSuspectDue = statement(`select exists (select from ${dueSuspects('(select clock_now())')}) as due`)

/**
 * What the sweep does besides looking: leases that have ended are taken back, and endpoints turned off by failures are
 * written down as off.
 *
 * @returns what waits, and whether a suspect is due
 */
export async function upkeep(parts: UpkeepParts): Promise<{ waiting: Waiting[]; suspect: boolean }> {
  const { pool, log } = parts
  // Whatever stands in the way of that must not hold up what is due.
  await takeBack(parts, null).catch((err) =>
    log.error({ err }, `webhook deliveries lost with their sender cannot be taken back; ${tryingOn(err)}`),
  )
  const waiting = await waitingEndpoints(pool)
  for (const { endpointId, unturned } of waiting) if (unturned) await tellTurnedOff(pool, log, endpointId)
  const { rows } = await pool.query(isSuspectDue())
  return { waiting, suspect: rows[0].due }
}

/**
 * Makes due what was lost with its sender.
 * @param living what the claims of senders that live begin with; null where only leases that have ended are looked for
 */
export async function takeBack(
  { pool, log, delays }: UpkeepParts,
  living: readonly string[] | null,
): Promise<void> {
  for (const { deliveryId, endpointId, losses } of await recover(pool, living, delays))
    log.error(
      { deliveryId, endpointId, losses },
      'a webhook delivery was lost with its sender again and again: it may be the cause, and is sent alone from now on',
    )
}

/** Turns an endpoint off that has tripped, once, and says so. */
export async function tellTurnedOff(pool: pg.Pool, log: Logger, endpointId: string): Promise<void> {
  const turned = await turnOffTripped(pool, endpointId)
  if (turned)
    log.warn({ endpointId, ...turned }, 'ten failed attempts in a row have turned a webhook endpoint off')
}
