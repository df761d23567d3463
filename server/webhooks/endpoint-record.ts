import { z } from 'zod'
import { type Row, statement } from '../database/connect.ts'
import { lockedRow, refuseOtherVersion } from '../database/locked-row.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'

/** A webhook endpoint as readers see it. */
export const endpointRecord = z
  .object({
    id: z.string(),
    address: z.string(),
    description: z.string().nullable(),
    signalTypes: z.array(z.string()),
    enabled: z.boolean(),
    disabledReason: z
      .enum(['turned_off', 'failures'])
      .nullable()
      .describe('Somebody turned it off, or ten failures in a row did'),
    disabledAt: timestamp.nullable(),
    consecutiveFailures: z.int().describe('Failed attempts since the last success; the tenth turns it off'),
    version: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'WebhookEndpoint', title: 'Webhook endpoint' })

export const secretShown = z
  .string()
  .nullable()
  .meta({ title: 'Secret' })
  .describe('Shown this once. Receivers check signatures with the bytes behind `whsec_`, base64-decoded.')

export const endpointWithSecret = endpointRecord
  .extend({ secret: secretShown })
  .meta({ id: 'WebhookEndpointWithSecret', title: 'Webhook endpoint with its secret' })

export type EndpointRecord = z.input<typeof endpointRecord>

export const signalTypeRow = z
  .object({
    type: z.string(),
    label: z.string(),
    description: z.string(),
    raised: z.boolean().describe('Whether anything raises it yet'),
  })
  .meta({ id: 'SignalType', title: 'Signal type' })

/** What operations need of an endpoint beside its record. */
export interface Endpoint {
  readonly record: EndpointRecord
  readonly epoch: number
  readonly secretCipher: Buffer
  readonly secretVersion: number
}

export const ENDPOINT_COLUMNS = `
  e.id, e.address, e.description, e.signal_types, e.enabled, e.disabled_reason, e.disabled_at, e.epoch,
  e.secret_cipher, e.secret_version, e.version, e.created_at, e.updated_at, coalesce(s.failures, 0) as failures,
  coalesce(s.tripped_epoch = e.epoch, false) as tripped, s.last_failures -> -1 ->> 'at' as failed_at`

export const ENDPOINT_TABLES =
  'webhook_endpoints e left join webhook_endpoint_states s on s.endpoint_id = e.id'

const find = statement(
  `select ${ENDPOINT_COLUMNS} from ${ENDPOINT_TABLES}
    where e.organization_id = $1 and e.id = $2 and e.deleted_at is null`,
)

/** Both rows: the configuration, and the state that the engine folds results into. */
const lock = statement(
  `select ${ENDPOINT_COLUMNS}, greatest(clock_now(), e.updated_at + interval '1 millisecond') as write_time
     from webhook_endpoints e join webhook_endpoint_states s on s.endpoint_id = e.id
    where e.organization_id = $1 and e.id = $2 and e.deleted_at is null for update of e, s`,
)

/** @throws {Refusal} `not_found` */
export async function getEndpoint({ tx }: TransactionContext, id: string): Promise<Endpoint> {
  const [row] = await tx.read(find(tx.organizationId, id))
  if (!row) throw notFound()
  return endpointOf(row)
}

/**
 * The endpoint, locked until the transaction ends, and the time of what is written to it.
 * @param ifMatch the version the caller read, where it sent one
 * @throws {Refusal} `not_found`, `version_mismatch`
 */
export async function lockEndpoint(
  { tx }: TransactionContext,
  id: string,
  ifMatch?: unknown,
): Promise<Endpoint & { readonly time: string }> {
  const { before, time } = lockedRow<Row>(await tx.read(lock(tx.organizationId, id)))
  const endpoint = endpointOf(before)
  refuseOtherVersion(endpoint.record.version, ifMatch)
  return { ...endpoint, time }
}

export function endpointOf(row: Row): Endpoint {
  // Ten failures turn it off at once; that its row says so follows within a moment.
  const tripped = row.enabled === true && row.tripped === true
  const record = {
    id: row.id,
    address: row.address,
    description: row.description,
    signalTypes: row.signal_types,
    enabled: row.enabled === true && !tripped,
    disabledReason: tripped ? 'failures' : row.disabled_reason,
    disabledAt: tripped ? new Date(row.failed_at as string).toISOString() : row.disabled_at,
    consecutiveFailures: row.failures,
    version: (row.version as number) + (tripped ? 1 : 0),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  } as EndpointRecord
  return {
    record,
    epoch: row.epoch as number,
    secretCipher: row.secret_cipher as Buffer,
    secretVersion: row.secret_version as number,
  }
}
