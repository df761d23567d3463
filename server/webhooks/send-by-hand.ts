import { type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { audit } from '../journal/audit.ts'
import type { OwnContext, TransactionContext } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { getDelivery } from './deliveries/delivery-log.ts'
import { freePlace, freePlaceNow, takePlace } from './deliveries/manual-sends.ts'
import { type DeliveryDetail, STATUS } from './delivery-record.ts'
import type { Claimed } from './dispatcher/claim.ts'
import { leased } from './dispatcher/lease.ts'
import { getEndpoint } from './endpoint-record.ts'
import { subjectOf } from './endpoints/endpoint-changes.ts'

/*
 * Tests and redeliveries: sent by the process that was asked, beside the queue and on sockets of their own, so that the
 * answer can tell how it went. They are claimed as they are written, like anything the dispatcher claims: so no two
 * send one delivery, its attempt stands before the request leaves, and what is lost with its process is taken up again.
 */

/** A claim, and the database's time when it was made. */
interface Made {
  readonly claim: Claimed
  readonly now: string
}

const openClaimOf = (claimId: string, deliveryId: string) => ({ claimId, open: new Set([deliveryId]) })

export const TEST_MESSAGE = 'This is a test. Your endpoint received it, and nothing needs to be done.'

const UNTIL = "$7::timestamptz + $8::int * interval '1 millisecond'"

const insertTest = statement(`
  with made as (
    insert into deliveries (organization_id, id, endpoint_id, signal_id, type, body, purpose, epoch, attempt_number,
      claim_count, due_at, claim_id, claimed_at, claim_address, status_before, created_at)
    values ($1, $2, $3, $4, 'webhook.test', $5, 'test', $6::int, 1,
      1, ${UNTIL}, $9::uuid, $7::timestamptz, $11, $10, $7::timestamptz)
    returning organization_id, id, created_at
  ), ${leased('made', '$9', UNTIL)} select`)

/**
 * A new delivery of `webhook.test`, sent now. To an endpoint that is on it is a delivery like any other; to one
 * that is off, it is one attempt that counts for nothing.
 *
 * @throws {Refusal} `not_found`, `rate_limited` while five sends of the organization are under way, `unavailable`
 */
export async function sendTest(context: OwnContext, input: { id: string }): Promise<DeliveryDetail> {
  const made = await context.transaction(async (within) => {
    const { tx, caller, parts } = within
    const [endpoint, now] = await Promise.all([getEndpoint(within, input.id), tx.now])
    const { record, epoch } = endpoint
    const { id: claimId, leaseMs } = parts.webhooks.newClaim()
    await takePlace(within, { id: claimId, leaseMs }, now)
    const deliveryId = newId('dlv')
    const signalId = newId('sig')
    const body = JSON.stringify({
      id: signalId,
      type: 'webhook.test',
      time: now,
      organizationId: caller.organizationId,
      subject: { type: 'webhook_endpoint', id: record.id },
      data: { message: TEST_MESSAGE },
    })
    const statusBefore = record.enabled ? null : 'not_sent'
    tx.write(
      insertTest(
        caller.organizationId,
        deliveryId,
        record.id,
        signalId,
        body,
        epoch,
        now,
        leaseMs,
        claimId,
        statusBefore,
        record.address,
      ),
    )
    audit(tx, caller, { time: now, action: 'webhook_endpoint.test', subject: subjectOf(record) })
    const claim: Claimed = {
      organizationId: caller.organizationId,
      deliveryId,
      createdAt: now,
      claimId,
      openClaim: openClaimOf(claimId, deliveryId),
      endpointId: record.id,
      epoch,
      purpose: 'test',
      number: 1,
      attemptCount: 0,
      statusBefore,
      off: !record.enabled,
      address: record.address,
      secretCipher: endpoint.secretCipher,
      secretVersion: endpoint.secretVersion,
      body: Buffer.from(body),
      lateMs: 0,
    }
    return { claim, now }
  })
  return await sendNow(context, made)
}

/** Out of the queue, where it waits in vain and is not marked so yet. */
const unqueue = statement(`
  delete from delivery_queue q using deliveries d
   where d.organization_id = $1 and d.id = $2
     and q.endpoint_id = d.endpoint_id and q.epoch = d.epoch and q.due_at = d.due_at and q.delivery_id = d.id`)

const lock = statement('select from deliveries where organization_id = $1 and id = $2 for update')

const find = statement(`
  select d.created_at, d.endpoint_id, d.purpose, d.attempt_number, d.attempt_count, d.type,
         coalesce(d.body, g.body) as body, ${STATUS} as status, d.claim_id is not null and d.due_at > (select clock_now()) as on_the_wire
    from deliveries d
    join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id and e.deleted_at is null
    left join webhook_endpoint_states s on s.endpoint_id = e.id
    left join signals g on g.organization_id = d.organization_id and g.id = d.signal_id and g.created_at = d.created_at
   where d.organization_id = $1 and d.id = $2`)

const claimAgain = statement(`
  with lost as (
    insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, address, outcome)
    select organization_id, id, attempt_number, endpoint_id, created_at, claimed_at, claim_address, 'interrupted'
      from deliveries
     where organization_id = $1 and id = $2 and created_at = $3::timestamptz and claim_id is not null
  ),
  delivered as (
    insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, sent_at, address,
      signature, outcome, counted, status_code, duration_ms, response_body, response_truncated)
    select organization_id, id, attempt_number, endpoint_id, created_at, claimed_at, sent_at, claim_address,
           signature, 'success', true, status_code, duration_ms, response_body, response_truncated
      from deliveries
     where organization_id = $1 and id = $2 and created_at = $3::timestamptz and sent_at is not null
  ),
  made as (
    update deliveries
       set status = 'pending', status_before = $4, epoch = $5::int, claim_count = 1, claim_id = $9::uuid,
           due_at = ${UNTIL}, attempt_number = attempt_number + 1, claimed_at = $7::timestamptz, claim_address = $6,
           sent_at = null, signature = null, status_code = null, duration_ms = null, response_body = null,
           response_truncated = null
     where organization_id = $1 and id = $2 and created_at = $3::timestamptz
    returning organization_id, id, created_at
  ), ${leased('made', '$9', UNTIL)} select`)

/**
 * Sends a finished delivery again: once, now, under its own webhook-id.
 * @throws {Refusal} `not_found`, `delivery_not_finished` (also while another send of it is under way),
 *   `rate_limited` while five sends of the organization are under way, `unavailable`
 */
export async function redeliver(context: OwnContext, input: { id: string }): Promise<DeliveryDetail> {
  return await sendNow(context, await context.transaction((within) => reclaim(within, input.id)))
}

async function reclaim(within: TransactionContext, deliveryId: string): Promise<Made> {
  const { tx, caller, parts } = within
  // In this order: whoever marks it at this moment has its row of the queue, and is waited for there.
  void tx.read(unqueue(tx.organizationId, deliveryId))
  void tx.read(lock(tx.organizationId, deliveryId))
  // Once more: the row may have been waited for, and what had it under way may have put it back.
  void tx.read(unqueue(tx.organizationId, deliveryId))
  const [[row], now] = await Promise.all([tx.read(find(tx.organizationId, deliveryId)), tx.now])
  if (!row) throw notFound()
  const status = finished(row)
  const endpoint = await getEndpoint(within, row.endpoint_id as string)
  const { record, epoch } = endpoint
  const { id: claimId, leaseMs } = parts.webhooks.newClaim()
  await takePlace(within, { id: claimId, leaseMs }, now)
  const { organizationId } = caller
  const createdAt = row.created_at as string
  tx.write(
    claimAgain(organizationId, deliveryId, createdAt, status, epoch, record.address, now, leaseMs, claimId),
  )
  audit(tx, caller, {
    time: now,
    action: 'webhook_delivery.redeliver',
    subject: { type: 'webhook_delivery', id: deliveryId, title: row.type as string },
  })
  const claim: Claimed = {
    organizationId,
    deliveryId,
    createdAt,
    claimId,
    openClaim: openClaimOf(claimId, deliveryId),
    endpointId: record.id,
    epoch,
    purpose: row.purpose as Claimed['purpose'],
    number: (row.attempt_number as number) + 1,
    attemptCount: row.attempt_count as number,
    statusBefore: status,
    off: !record.enabled,
    address: record.address,
    secretCipher: endpoint.secretCipher,
    secretVersion: endpoint.secretVersion,
    body: Buffer.from(row.body as string),
    lateMs: 0,
  }
  return { claim, now }
}

function finished({ status, on_the_wire: onTheWire }: Row): NonNullable<Claimed['statusBefore']> {
  if (onTheWire || status === 'pending' || status === 'waiting_for_retry')
    throw new Refusal(
      'delivery_not_finished',
      'The delivery is being sent, or will be tried again by itself: wait until it is delivered, failed or not sent.',
      { status: onTheWire ? 'pending' : status },
    )
  return status as NonNullable<Claimed['statusBefore']>
}

async function sendNow(context: OwnContext, { claim, now }: Made): Promise<DeliveryDetail> {
  const carried = await context.parts.webhooks.send(claim, now)
  if ('notSent' in carried) {
    await freePlaceNow(context, claim.claimId)
    throw new Refusal(
      'unavailable',
      'The service cannot send just now, for a reason of its own: try again in a moment.',
    )
  }
  return await context.transaction((within) => {
    freePlace(within, claim.claimId)
    return getDelivery(within, claim.deliveryId)
  })
}
