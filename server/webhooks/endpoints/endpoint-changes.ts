import { randomBytes } from 'node:crypto'
import { statement } from '../../database/connect.ts'
import { newId } from '../../database/ids.ts'
import type { IfMatch } from '../../database/locked-row.ts'
import { takeTurn } from '../../database/turns.ts'
import { audit, movedBetween } from '../../journal/audit.ts'
import { ENDPOINTS_AT_MOST } from '../../journal/write.ts'
import type { OwnContext, TransactionContext } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { type EndpointRecord, getEndpoint, lockEndpoint } from '../endpoint-record.ts'
import { shutOffIsKnown } from '../shut-off-notices.ts'
import { encodeSecret } from '../signature.ts'
import {
  judgeSignalTypes,
  refuseServiceFields,
  refuseUnlessPublic,
  type ServiceFields,
} from './endpoint-rules.ts'

/*
 * The life of an endpoint. The address is looked up before any transaction begins: a name server may take
 * seconds. A turn of the switch is a new epoch, written to the configuration and to the state under one lock,
 * so that neither a delivery nor a result of before reaches over it.
 */

const count = statement(
  'select count(*)::int as count from webhook_endpoints where organization_id = $1 and deleted_at is null',
)
const insert = statement(`
  with endpoint as (
    insert into webhook_endpoints (organization_id, id, address, description, signal_types, enabled,
      disabled_reason, disabled_at, secret_cipher, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6::boolean, case when not $6::boolean then 'turned_off' end,
      case when not $6::boolean then $8::timestamptz end, $7, $8::timestamptz, $8::timestamptz)
    returning organization_id, id
  )
  insert into webhook_endpoint_states (organization_id, endpoint_id) select organization_id, id from endpoint`)

/**
 * @throws {Refusal} `validation_failed` for signal types, `address_not_public`, `endpoint_limit_reached`
 */
export async function createEndpoint(
  context: OwnContext,
  input: {
    address: string
    description?: string | null | undefined
    signalTypes: string[]
    enabled: boolean
  },
): Promise<EndpointRecord & { secret: string }> {
  const signalTypes = judgeSignalTypes(context.caller, input.signalTypes)
  await refuseUnlessPublic(context, input.address)
  return context.transaction(async ({ tx, caller, parts }) => {
    // Those who create at the same time queue here, so that the count holds until the row stands.
    void tx.read(takeTurn(`webhook endpoints of ${caller.organizationId}`))
    const [[counted], now] = await Promise.all([tx.read(count(caller.organizationId)), tx.now])
    if ((counted?.count as number) >= ENDPOINTS_AT_MOST)
      throw new Refusal(
        'endpoint_limit_reached',
        `An organization has at most ${ENDPOINTS_AT_MOST} webhook endpoints: delete one first.`,
      )
    const secret = randomBytes(32)
    const record: EndpointRecord = {
      id: newId('whe'),
      address: input.address,
      description: input.description ?? null,
      signalTypes,
      enabled: input.enabled,
      disabledReason: input.enabled ? null : 'turned_off',
      disabledAt: input.enabled ? null : now,
      consecutiveFailures: 0,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }
    const cipher = parts.keyring.seal(secret, 'endpointSecret', [caller.organizationId, record.id])
    tx.write(
      insert(
        caller.organizationId,
        record.id,
        record.address,
        record.description,
        signalTypes,
        record.enabled,
        cipher,
        now,
      ),
    )
    audit(tx, caller, { time: now, action: 'webhook_endpoint.create', subject: subjectOf(record) })
    return { ...record, secret: encodeSecret(secret) }
  })
}

const update = statement(`
  with endpoint as (
    update webhook_endpoints
       set address = $3, description = $4, signal_types = $5, enabled = $6, disabled_reason = $7,
           disabled_at = $8, epoch = $9::int, updated_at = $10, version = $12::int
     where organization_id = $1 and id = $2
    returning id
  )
  update webhook_endpoint_states s
     set epoch = $9::int,
         failures = case when $11::boolean then 0 else s.failures end,
         last_failures = case when $11::boolean then '[]' else s.last_failures end
    from endpoint e where s.endpoint_id = e.id and s.epoch <> $9::int`)

const CHANGEABLE = ['address', 'description', 'signalTypes', 'enabled'] as const

export type EndpointChange = { id: string; ifMatch?: IfMatch | undefined } & {
  [Field in (typeof CHANGEABLE)[number]]?: EndpointRecord[Field] | undefined
} & ServiceFields

/** @throws {Refusal} `not_found`, `version_mismatch`, `validation_failed`, `address_not_public` */
export async function updateEndpoint(context: OwnContext, input: EndpointChange): Promise<EndpointRecord> {
  const before = await context.transaction((within) => getEndpoint(within, input.id))
  if (input.signalTypes) judgeSignalTypes(context.caller, input.signalTypes, before.record.signalTypes)
  if (input.address !== undefined && input.address !== before.record.address)
    await refuseUnlessPublic(context, input.address)
  return context.transaction(async (within) => {
    const { tx, caller, parts } = within
    const read = input.ifMatch ?? input.version
    const { record, epoch, secretVersion, time } = await lockEndpoint(within, input.id, read)
    refuseServiceFields(record, input)
    const changed = { ...record, ...given(input) }
    const turned = changed.enabled !== record.enabled
    const after: EndpointRecord = turned ? { ...changed, ...switched(changed.enabled, time) } : changed
    const changes = movedBetween(CHANGEABLE, record, after)
    if (Object.keys(changes).length === 0) return record
    const nextEpoch = turned ? epoch + 1 : epoch
    const version = record.version + 1
    // What reads as turned off by failures may not have been written down so; it is now.
    tx.write(
      update(
        tx.organizationId,
        record.id,
        after.address,
        after.description,
        after.signalTypes,
        after.enabled,
        after.disabledReason,
        after.disabledAt,
        nextEpoch,
        time,
        turned && after.enabled,
        version,
      ),
    )
    audit(tx, caller, { time, action: 'webhook_endpoint.update', subject: subjectOf(after), changes })
    if (turned) tx.afterCommit(() => parts.webhooks.changed(record.id, secretVersion, nextEpoch))
    if (turned && after.enabled) shutOffIsKnown(tx, record.id, null)
    return {
      ...after,
      version,
      updatedAt: time,
      ...(turned && after.enabled ? { consecutiveFailures: 0 } : {}),
    }
  })
}

const rotate = statement(`
  update webhook_endpoints set secret_cipher = $3, secret_version = $4::int, updated_at = $5, version = $6::int
   where organization_id = $1 and id = $2`)

/**
 * When it answers, nothing is signed with the old secret any more, by any process.
 * @throws {Refusal} `not_found`, `version_mismatch`
 */
export async function rotateSecret(
  context: OwnContext,
  input: { id: string; ifMatch?: IfMatch | undefined },
): Promise<EndpointRecord & { secret: string }> {
  const secret = randomBytes(32)
  const record = await context.transaction(async (within) => {
    const { tx, caller, parts } = within
    const { record, epoch, secretVersion, time } = await lockEndpoint(within, input.id, input.ifMatch)
    const version = record.version + 1
    const cipher = parts.keyring.seal(secret, 'endpointSecret', [caller.organizationId, record.id])
    tx.write(rotate(tx.organizationId, record.id, cipher, secretVersion + 1, time, version))
    audit(tx, caller, { time, action: 'webhook_endpoint.rotate_secret', subject: subjectOf(record) })
    tx.afterCommit(() => parts.webhooks.changed(record.id, secretVersion + 1, epoch))
    return { ...record, version, updatedAt: time }
  })
  await context.parts.webhooks.settled()
  return { ...record, secret: encodeSecret(secret) }
}

const countDeliveries = statement(`
  select count(*)::int as deliveries, count(*) filter (where status in ('pending', 'waiting_for_retry'))::int as waiting
    from deliveries where organization_id = $1 and endpoint_id = $2`)
const remove = statement(`
  update webhook_endpoints
     set deleted_at = $3::timestamptz, updated_at = $3::timestamptz, enabled = false, epoch = epoch + 1,
         secret_cipher = null, signal_types = '{}'
   where organization_id = $1 and id = $2`)

/**
 * A tombstone: from the commit on nobody sees the endpoint or its deliveries, nothing waits, the secret is
 * gone and the place among the ten is free. The rows of its log go later, in small portions.
 * @throws {Refusal} `not_found`, `version_mismatch`
 */
export async function deleteEndpoint(
  within: TransactionContext,
  input: { id: string; ifMatch?: IfMatch | undefined },
): Promise<null> {
  const { tx, caller, parts } = within
  const { record, epoch, secretVersion, time } = await lockEndpoint(within, input.id, input.ifMatch)
  const [counts] = await tx.read(countDeliveries(tx.organizationId, record.id))
  const changes = Object.fromEntries(
    Object.entries({ address: record.address, deliveries: counts?.deliveries, waiting: counts?.waiting }).map(
      ([name, from]) => [name, { from, to: null }],
    ),
  )
  tx.write(remove(tx.organizationId, record.id, time))
  shutOffIsKnown(tx, record.id, null)
  audit(tx, caller, { time, action: 'webhook_endpoint.delete', subject: subjectOf(record), changes })
  tx.afterCommit(() => parts.webhooks.changed(record.id, secretVersion + 1, epoch + 1))
  return null
}

export const subjectOf = ({ id, address }: EndpointRecord) => ({
  type: 'webhook_endpoint',
  id,
  title: address,
})

function given(input: EndpointChange): Partial<EndpointRecord> {
  const fields = CHANGEABLE.filter((field) => input[field] !== undefined)
  const values = Object.fromEntries(fields.map((field) => [field, input[field]]))
  return input.signalTypes ? { ...values, signalTypes: [...new Set(input.signalTypes)] } : values
}

const switched = (enabled: boolean, time: string): Partial<EndpointRecord> =>
  enabled ? { disabledReason: null, disabledAt: null } : { disabledReason: 'turned_off', disabledAt: time }
