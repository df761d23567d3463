import type pg from 'pg'
import { newId } from '../server/database/ids.ts'
import { sampleBody } from './backlog.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

/*
 * A log as it stands after a month, put in by set-wise SQL, in the order of time, its indexes built afterwards. A tenth
 * of all its deliveries wait in vain, of one endpoint that was turned off and on again and off; a hundredth wait for a
 * retry, of two others of the same organization, which has another tenth in its log, half of it failed and half not sent.
 * All others are delivered. Beside these some are due just now, as many in a small log as in a large one.
 */

const DAYS = 28
const ENDPOINTS_EACH = 10
const DUE_ENDPOINTS = 64
const DUE_EACH = 20
const SIGNAL_TABLES = ['signals', 'deliveries', 'attempts']

export interface OldLog {
  readonly database: StandDatabase
  /** Whose the dead endpoint is. */
  readonly owner: Organization
  readonly dueEndpointIds: readonly string[]
}

export interface LogSize {
  readonly deliveries: number
  /** Of ten endpoints each. */
  readonly organizations: number
}

export async function makeOldLog(stand: Stand, { deliveries, organizations }: LogSize): Promise<OldLog> {
  const database = await stand.database()
  const { administrator } = database
  const owner = await makeOrganization(administrator, stand.masterKey)
  const query = (text: string, ...values: unknown[]) => administrator.query(text, values)
  await query("set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'")
  await query(MANY_ORGANIZATIONS, organizations)
  await query(MANY_ENDPOINTS, owner.id, organizations, ENDPOINTS_EACH)
  await query(MANY_STATES)
  await makeWeeks(administrator)
  await withoutIndexes(administrator, async () => {
    await query(OLD_SIGNALS, owner.id, organizations, deliveries, DAYS)
    await query(OLD_DELIVERIES, owner.id, organizations, deliveries, DAYS)
    await query(OLD_ATTEMPTS)
  })
  await query(WAITING)
  const dueEndpointIds = Array.from({ length: DUE_ENDPOINTS }, (_, place) =>
    endpointId(place < 4 ? place + 7 : (place + 1) * ENDPOINTS_EACH + 1),
  )
  await query(DUE, dueEndpointIds, DUE_EACH, sampleBody(), newId('dlv').slice(0, 18))
  await query(`vacuum analyze ${[...SIGNAL_TABLES, 'delivery_queue'].join(', ')}`)
  await query('vacuum analyze organizations, webhook_endpoints, webhook_endpoint_states')
  await query('checkpoint')
  return { database, owner, dueEndpointIds }
}

const endpointId = (number: number): string => `whe_${String(number).padStart(26, '0')}`

const ID = (prefix: string, number: string): string => `'${prefix}_' || lpad((${number})::text, 26, '0')`

/** The first is the owner, who was made before. */
const ORGANIZATION = (number: string): string =>
  `case when ${number} = 1 then $1 else ${ID('org', number)} end`

const MANY_ORGANIZATIONS = `
  insert into organizations (id, name, created_at, updated_at)
  select ${ID('org', 'n')}, 'Example Ltd', now(), now() from generate_series(2, $1::int) n`

const MANY_ENDPOINTS = `
  insert into webhook_endpoints
    (organization_id, id, address, signal_types, enabled, epoch, secret_cipher, created_at, updated_at)
  select ${ORGANIZATION('o')}, ${ID('whe', '(o - 1) * $3::int + k')}, 'https://receiver.example/', '{risk.created}',
         o > 1 or k > 1, case when o = 1 and k = 1 then 3 else 1 end, '\\x00', now(), now()
    from generate_series(1, $2::int) o, generate_series(1, $3::int) k`

const MANY_STATES = `
  insert into webhook_endpoint_states (organization_id, endpoint_id, epoch)
  select organization_id, id, epoch from webhook_endpoints`

/** Of what happens to each signal, ten deliveries: whose it is, and of what kind its deliveries are. */
const OF_SIGNAL = `
  cross join lateral (select case when s % 10 = 3 then 'dead' when s % 100 = 51 then 'retried'
    when s % 10 = 0 then 'owner' else 'other' end as kind) what
  cross join lateral (select case when kind = 'other' then 2 + s * 7919 % ($2::int - 1) else 1 end as o) whose
  cross join lateral (select date_trunc('milliseconds', now() - interval '1 minute'
    - ($3::int / 10 - s) * ($4::int * interval '1 day' / ($3::int / 10))) as at) made`

const OLD_SIGNALS = `
  insert into signals (organization_id, id, type, time, subject_type, subject_id, body, created_at)
  select ${ORGANIZATION('o')}, ${ID('sig', 's')}, 'risk.created', at, 'risk', ${ID('risk', 's')}, '{}', at
    from generate_series(1::bigint, $3::int / 10) s ${OF_SIGNAL}`

const OLD_DELIVERIES = `
  insert into deliveries (organization_id, id, endpoint_id, signal_id, type, purpose, epoch, status,
    attempt_count, attempt_number, due_at, created_at, claimed_at, sent_at, claim_address, status_code, duration_ms)
  select ${ORGANIZATION('o')}, ${ID('dlv', '(s - 1) * 10 + k')},
         ${ID('whe', `(o - 1) * 10 + case kind when 'dead' then 1 when 'retried' then 2 + k % 2 else k end`)},
         ${ID('sig', 's')}, 'risk.created', 'signal', 1,
         case when kind = 'dead' then 'pending' when kind = 'retried' then 'waiting_for_retry'
              when kind = 'other' then 'delivered' when s / 10 % 2 = 0 then 'failed' else 'not_sent' end,
         (kind <> 'dead')::int, (kind <> 'dead')::int,
         case kind when 'dead' then at when 'retried' then now() + (1 + k) * interval '1 hour' end, at,
         at, case kind when 'other' then at end, 'https://receiver.example/', 200, 12
    from generate_series(1::bigint, $3::int / 10) s ${OF_SIGNAL} cross join generate_series(1, 10) k`

const OLD_ATTEMPTS = `
  insert into attempts (organization_id, delivery_id, number, endpoint_id, created_at, claimed_at, sent_at, address,
    outcome, counted, status_code, duration_ms)
  select organization_id, id, 1, endpoint_id, created_at, created_at, created_at, 'https://receiver.example/',
         'http_error', true, 503, 12
    from deliveries where attempt_count = 1 and sent_at is null`

const WAITING = `
  insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at, is_first, is_retry)
  select organization_id, endpoint_id, epoch, due_at, id, created_at, attempt_number = 0, status = 'waiting_for_retry'
    from deliveries where due_at is not null`

const DUE = `
  with made as (
    insert into deliveries (organization_id, id, endpoint_id, type, purpose, body, epoch, due_at, created_at)
    select e.organization_id, $4 || lpad(((n - 1) * 1000 + place)::text, 12, '0'), e.id, 'risk.created', 'signal', $3, 1,
           clock_now(), clock_now()
      from unnest($1::text[]) with ordinality w (id, place) join webhook_endpoints e on e.id = w.id,
           generate_series(1, $2::int) n
    returning *
  )
  insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at)
  select organization_id, endpoint_id, epoch, due_at, id, created_at from made`

/** The weeks of the past are there where a service has run in them: so it is told that they are now. */
async function makeWeeks(administrator: pg.Client): Promise<void> {
  const { rows } = await administrator.query("select pg_get_functiondef('clock_now'::regproc) as clock")
  await administrator.query(`
    create or replace function clock_now() returns timestamptz language sql volatile parallel safe
      return clock_timestamp() - interval '${DAYS} days';
    select ensure_weeks(clock_timestamp());
    ${rows[0].clock}`)
}

/** Takes the indexes off while tables are filled, and builds them from what is there then. */
async function withoutIndexes(administrator: pg.Client, fill: () => Promise<void>): Promise<void> {
  const { rows } = await administrator.query(
    `select i.indrelid::regclass::text as "table", i.indexrelid::regclass::text as name, c.conname,
            case when c.oid is null then pg_get_indexdef(i.indexrelid) else pg_get_constraintdef(c.oid) end as definition
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
      where i.indrelid = any($1::regclass[])`,
    [SIGNAL_TABLES],
  )
  for (const { table, name, conname } of rows)
    await administrator.query(
      conname ? `alter table ${table} drop constraint ${conname}` : `drop index ${name}`,
    )
  await fill()
  for (const { table, conname, definition } of rows)
    await administrator.query(
      // Of a partitioned table it is told as of the table alone.
      conname
        ? `alter table ${table} add constraint ${conname} ${definition}`
        : definition.replace(' ON ONLY ', ' ON '),
    )
}
