import { z } from 'zod'
import type { Row } from '../database/connect.ts'
import { parseAddress } from '../outbound/address.ts'
import { timestamp } from '../output.ts'
import type { RecordName } from '../records/record-names.ts'
import { type ConnectionFailure, connectionFailures, type Outcome, outcomes } from './outcomes.ts'
import { hostOf, sentHeaders } from './sent-headers.ts'

export const DELIVERY_STATUSES = ['pending', 'waiting_for_retry', 'delivered', 'failed', 'not_sent'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const run = z.object({ workflowId: z.string(), runId: z.string() }).meta({ id: 'WorkflowRun' })

/** What a row of the log and one delivery have in common. */
const shape = {
  id: z.string().describe('The `webhook-id` of every attempt'),
  endpointId: z.string(),
  signalId: z.string().nullable(),
  type: z.string().describe('The signal type'),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe('`pending`: due or being sent. `not_sent`: it did not arrive, and its endpoint was off.'),
  createdAt: timestamp,
  nextAttemptAt: timestamp
    .nullable()
    .describe('null while an attempt is under way, and where none will follow'),
  attemptCount: z.int().describe('Attempts that count, of seven'),
  run: run.nullable().describe('The run of a workflow whose message it is'),
}

/** The same for the documents, which say it once. */
export const deliveryFields = z
  .object(shape)
  .meta({ id: 'WebhookDeliveryFields', title: 'What is always told of a webhook delivery' })

const outcome = z
  .enum(Object.keys(outcomes) as [Outcome, ...Outcome[]])
  .nullable()
  .describe('null while it is under way')

/** A row of the delivery log. */
export const deliveryRow = z
  .object({
    ...shape,
    subject: z
      .object({
        type: z.string(),
        id: z.string(),
        reference: z.string().optional(),
        title: z.string().optional(),
      })
      .nullable()
      .describe('What it is about; a record with its reference and title for who may read it'),
    lastAttempt: z
      .object({
        at: timestamp,
        outcome,
        statusCode: z.int().nullable(),
        durationMs: z.int().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookDelivery', title: 'Webhook delivery' })

export const attemptRecord = z
  .object({
    number: z.int().describe('In the order of the log'),
    sentAt: timestamp,
    outcome,
    reason: z
      .enum(Object.keys(connectionFailures) as [ConnectionFailure, ...ConnectionFailure[]])
      .nullable()
      .describe('Of `could_not_connect`'),
    meaning: z.string().nullable().describe('The outcome in plain words'),
    likelyCause: z.string().nullable().describe('Where to look first'),
    counted: z.boolean().describe('Takes one of the seven attempts, and may turn the endpoint off'),
    statusCode: z.int().nullable().describe('Of the answer, where there was one'),
    durationMs: z.int().nullable(),
    address: z.string().nullable().describe('Where it was sent'),
    headers: z.record(z.string(), z.string()).nullable().describe('As they were sent'),
    responseBody: z.string().nullable().describe('The first 4 KB, as UTF-8'),
    responseBodyBase64: z.string().optional().describe('The same bytes, where they are not valid UTF-8'),
    responseTruncated: z.boolean(),
  })
  .meta({ id: 'WebhookAttempt', title: 'Attempt' })

/** One delivery with its exact request and every attempt. */
export const deliveryDetail = z
  .object({
    ...shape,
    request: z.object({
      method: z.literal('POST'),
      address: z.string(),
      headers: z.record(z.string(), z.string()).describe('As last sent'),
      body: z.string().describe('Exactly the bytes that are signed'),
    }),
    attempts: z.array(attemptRecord).describe('Newest first'),
  })
  .meta({ id: 'WebhookDeliveryDetail', title: 'Webhook delivery with its attempts' })

export type DeliveryRow = z.input<typeof deliveryRow>
export type DeliveryDetail = z.input<typeof deliveryDetail>
type AttemptRecord = z.input<typeof attemptRecord>

/** Whether the epoch a delivery `d` was made in still runs, of endpoint `e` with state `s`. */
export const LIVE = '(e.enabled and e.epoch = d.epoch and s.tripped_epoch is distinct from e.epoch)'

/** Not yet written as `not_sent`, but it is: it waits in an epoch that is over. */
export const WAITS_IN_VAIN = `(d.status in ('pending', 'waiting_for_retry') and d.status_before is null and not ${LIVE})`

/** A send by hand that was lost, and that nothing will take up again. */
export const LOST_BY_HAND = `(d.status = 'pending' and d.status_before is not null and d.due_at <= (select clock_now()) and not ${LIVE})`

/** The status as readers see it. */
export const STATUS = `case when ${WAITS_IN_VAIN} then 'not_sent' when ${LOST_BY_HAND} then d.status_before else d.status end`

export const DELIVERY_COLUMNS = `
  d.id, d.endpoint_id, d.signal_id, d.type, ${STATUS} as status, d.created_at, d.attempt_count, d.run,
  case when d.claim_id is null and not ${WAITS_IN_VAIN} and not ${LOST_BY_HAND} then d.due_at end as next_attempt_at`

/** Deliveries of endpoints that are deleted are gone for readers, wherever their rows are. */
export const DELIVERY_TABLES = `deliveries d
  join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id and e.deleted_at is null
  left join webhook_endpoint_states s on s.endpoint_id = e.id`

export type Subject = { readonly type: string; readonly id: string }

/** What a delivery is about. Of a test it is the endpoint; the message of a workflow is about nothing. */
export function subjectOf(row: Row): Subject | null {
  if (row.purpose === 'test') return { type: 'webhook_endpoint', id: row.endpoint_id as string }
  return row.subject_id === null ? null : { type: row.subject_type as string, id: row.subject_id as string }
}

/** @param names of the records that the caller may read */
export function deliveryRowOf(row: Row, names: ReadonlyMap<string, RecordName>): DeliveryRow {
  const subject = subjectOf(row)
  return {
    ...deliveryOf(row),
    subject: subject && { ...subject, ...names.get(subject.id) },
    lastAttempt: row.last_at && {
      at: row.last_at,
      outcome: row.last_outcome,
      statusCode: row.last_status_code,
      durationMs: row.last_duration_ms,
    },
  } as DeliveryRow
}

export function deliveryOf(row: Row): Omit<DeliveryRow, 'subject' | 'lastAttempt'> {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    signalId: row.signal_id,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    attemptCount: row.attempt_count,
    run: row.run,
  } as Omit<DeliveryRow, 'subject' | 'lastAttempt'>
}

/** @param delivery whose attempt it is */
export function attemptOf(row: Row, delivery: { readonly id: string; readonly body: string }): AttemptRecord {
  const outcome = row.outcome as Outcome | null
  const words = outcome && outcomes[outcome]
  const reason = row.reason as ConnectionFailure | null
  return {
    number: row.number,
    sentAt: row.sent_at ?? row.claimed_at,
    outcome,
    reason,
    meaning: words?.meaning ?? null,
    likelyCause: reason ? connectionFailures[reason] : (words?.likelyCause ?? null),
    counted: row.counted,
    statusCode: row.status_code,
    durationMs: row.duration_ms,
    address: row.address,
    headers: row.headers ?? headersOf(row, delivery),
    ...bodyOf(row.response_body as Buffer | null),
    responseTruncated: row.response_truncated,
  } as AttemptRecord
}

function headersOf(row: Row, { id, body }: { readonly id: string; readonly body: string }) {
  if (row.signature === null) return null
  const parsed = parseAddress(row.address as string)
  return sentHeaders({
    id,
    host: hostOf(parsed.ok ? parsed.address.origin : null),
    timestamp: Math.floor(Date.parse(row.sent_at as string) / 1_000),
    signature: row.signature as string,
    length: Buffer.byteLength(body),
  })
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function bodyOf(bytes: Buffer | null): Pick<AttemptRecord, 'responseBody' | 'responseBodyBase64'> {
  if (bytes === null) return { responseBody: null }
  try {
    return { responseBody: strict.decode(bytes) }
  } catch {
    return { responseBody: bytes.toString('utf8'), responseBodyBase64: bytes.toString('base64') }
  }
}
