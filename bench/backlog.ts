import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../server/database/ids.ts'
import type { Receiver } from './receiver.ts'
import { makeEndpoint, makeOrganization, type Organization } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

/** An organization and its endpoints, all at one receiver. */
export interface Subscriber extends Organization {
  readonly endpointIds: readonly string[]
}

/** @param path of the n-th endpoint's address, within the organization */
export async function makeSubscribers(
  { masterKey }: Stand,
  { administrator }: StandDatabase,
  { organizations, endpoints }: { organizations: number; endpoints: number },
  addressOf: (organization: number, endpoint: number) => string,
): Promise<Subscriber[]> {
  const made: Subscriber[] = []
  for (let organization = 0; organization < organizations; organization++) {
    const one = await makeOrganization(administrator, masterKey)
    const endpointIds: string[] = []
    for (let endpoint = 0; endpoint < endpoints; endpoint++)
      endpointIds.push(
        await makeEndpoint(administrator, masterKey, one.id, addressOf(organization, endpoint)),
      )
    made.push({ ...one, endpointIds })
  }
  return made
}

export const addressesAt =
  ({ origin }: Receiver) =>
  (organization: number, endpoint: number): string =>
    `${origin}/organization-${organization}/endpoint-${endpoint}`

/** A body such as the creation of a risk sends; about 1.5 KB. */
export function sampleBody(): string {
  const subject = newId('risk')
  const person = { type: 'user', refId: newId('usr'), displayName: 'Ada Example', active: true }
  const record = {
    id: subject,
    organizationId: newId('org'),
    reference: 'RSK-1024',
    title: 'Unpatched gateway',
    description: 'The gateway in the second data centre runs a version that gets no more updates. '.repeat(3),
    ...Object.fromEntries(FIELDS.map((field) => [field, null])),
    owner: person,
    createdBy: { ...person, channel: 'rest' },
    updatedBy: { ...person, channel: 'rest' },
    version: 1,
  }
  const time = new Date().toISOString()
  return JSON.stringify({
    id: newId('sig'),
    type: 'risk.created',
    time,
    subject: { type: 'risk', id: subject },
    data: { record },
  })
}

const FIELDS = [
  'externalId',
  'statusReason',
  'inherentLikelihood',
  'inherentImpact',
  'residualLikelihood',
  'residualImpact',
  'targetLevel',
  'dueDate',
  'reviewDate',
  'reviewFrequency',
  'identifiedAt',
  'impactAreas',
  'threat',
  'vulnerability',
  'cause',
  'consequence',
  'strengthOfKnowledge',
  'quantification',
  'acceptanceExpiresAt',
  'archivedAt',
]

/**
 * Puts signals with a delivery for each endpoint into the tables, as their fan-out would have, all due at one
 * moment to come, and settles the tables meanwhile.
 * @returns just before that moment, with the number of deliveries
 */
export async function putIn(
  { administrator }: StandDatabase,
  subscribers: readonly Subscriber[],
  signalsEach: number,
): Promise<number> {
  const count = subscribers.reduce((sum, { endpointIds }) => sum + endpointIds.length * signalsEach, 0)
  const dueInMs = 8_000 + count / 4
  const start = performance.now()
  const body = sampleBody()
  for (const { id, endpointIds } of subscribers) {
    await administrator.query(PUT_IN, [
      id,
      signalsEach,
      body,
      endpointIds,
      dueInMs,
      ...signalAndDelivery(),
      1,
    ])
  }
  await administrator.query('vacuum analyze deliveries, delivery_queue, signals')
  await administrator.query('checkpoint')
  const left = dueInMs - (performance.now() - start)
  if (left < 100) throw new Error('the machine is too slow to put the deliveries in before they are due')
  await sleep(left - 100)
  return count
}

/** What ids begin with. As they are drawn, those of one moment begin alike and lie together in every index. */
export const signalAndDelivery = (): [string, string] => [
  newId('sig').slice(0, 18),
  newId('dlv').slice(0, 18),
]

/** Organization, signals, body, endpoints, ms until it is due, the beginnings of the ids, epoch. */
export const PUT_IN = `
  with clock as materialized (select clock_now() as now),
  signal as (
    insert into signals (organization_id, id, type, time, subject_type, subject_id, body, created_at)
    select $1, $6 || lpad(n::text, 12, '0'), 'risk.created', now, 'risk', 'risk_' || n, $3, now
      from clock, generate_series(1, $2::int) n
  ),
  made as (insert into deliveries (organization_id, id, endpoint_id, signal_id, type, purpose, epoch, due_at, created_at)
  select $1, $7 || lpad(((n - 1) * cardinality($4::text[]) + place)::text, 12, '0'), endpoint_id,
         $6 || lpad(n::text, 12, '0'), 'risk.created', 'signal', $8::int, now + $5::int * interval '1 ms', now
    from clock, generate_series(1, $2::int) n, unnest($4::text[]) with ordinality e (endpoint_id, place)
  returning *)
  insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at)
  select organization_id, endpoint_id, epoch, due_at, id, created_at from made`

/** Waits until the log says that nothing waits any more. */
export async function untilWritten({ administrator }: StandDatabase): Promise<void> {
  for (;;) {
    const { rows } = await administrator.query(
      `select exists (select from deliveries where status in ('pending', 'waiting_for_retry')) as waits`,
    )
    if (!rows[0].waits) return
    await sleep(20)
  }
}
