import { statement } from '../../database/connect.ts'
import { takeTurn } from '../../database/turns.ts'
import type { OwnContext, TransactionContext } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { ATTEMPT_MS } from '../request.ts'

/*
 * How many tests and redeliveries an organization has under way. Each holds a call, a socket and a place in the
 * log for as long as a receiver likes, ten seconds, so there is a bound on them: for an organization over all
 * processes, here, and for a process over all organizations, far above what one of them may have (webhooks.ts).
 */
const MANUAL_SENDS_AT_MOST = 5

const findUnderWay = statement(`
  select (extract(epoch from lease_ends_at - clock_now()) * 1000)::float8 as "leftMs"
    from webhook_manual_sends where organization_id = $1 and lease_ends_at > clock_now()`)

const insert = statement(`
  with over as (
    delete from webhook_manual_sends where organization_id = $1 and lease_ends_at <= $3::timestamptz
  )
  insert into webhook_manual_sends (organization_id, claim_id, lease_ends_at)
  values ($1, $2::uuid, $3::timestamptz + $4::int * interval '1 millisecond')`)

const remove = statement(
  'delete from webhook_manual_sends where organization_id = $1 and claim_id = $2::uuid',
)

/**
 * Takes a place for one send, with the transaction that claims it; the last thing that transaction waits for.
 * @param now the database's time, when the lease begins
 * @throws {Refusal} `rate_limited` where the organization has all it may, `unavailable` where the process has
 */
export async function takePlace(
  { tx, parts }: TransactionContext,
  claim: { readonly id: string; readonly leaseMs: number },
  now: string,
): Promise<void> {
  if (!parts.webhooks.takesManualSends)
    throw new Refusal(
      'unavailable',
      'Too many tests and redeliveries are being sent just now: try again in a few seconds.',
      { retryAfter: ATTEMPT_MS / 1_000 },
    )
  // Those of one organization queue here, so that the count holds until the row stands.
  void tx.read(takeTurn(`manual sends of ${tx.organizationId}`))
  const underWay = await tx.read<{ leftMs: number }>(findUnderWay(tx.organizationId))
  if (underWay.length >= MANUAL_SENDS_AT_MOST) throw tooMany(underWay, claim.leaseMs)
  tx.write(insert(tx.organizationId, claim.id, now, claim.leaseMs))
}

/** Frees the place of a send that has ended. */
export function freePlace({ tx }: TransactionContext, claimId: string): void {
  tx.write(remove(tx.organizationId, claimId))
}

/** Frees the place of what could not be sent; where that cannot be written, the end of its lease does. */
export async function freePlaceNow({ parts, transaction }: OwnContext, claimId: string): Promise<void> {
  await transaction(async (within) => freePlace(within, claimId)).catch((err) =>
    parts.log.warn({ err }, 'the place of a manual send is free when its lease ends'),
  )
}

/** What has taken longer than an attempt was probably lost with its process, and ends with its lease. */
function tooMany(underWay: readonly { leftMs: number }[], leaseMs: number): Refusal {
  const waits = underWay.map(({ leftMs }) => {
    const attemptLeftMs = leftMs - (leaseMs - ATTEMPT_MS)
    return attemptLeftMs > 0 ? attemptLeftMs : leftMs
  })
  const retryAfter = Math.max(1, Math.ceil(Math.min(...waits) / 1_000))
  return new Refusal(
    'rate_limited',
    `${MANUAL_SENDS_AT_MOST} tests and redeliveries of this organization are being sent: wait for one to end, ${retryAfter} seconds at most.`,
    { retryAfter },
  )
}
