import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ROLE_SCOPES, type Role, type Scope } from '../../model/scopes.ts'
import { call } from '../../server/call.ts'
import { newKeySecret, prefixOf } from '../../server/caller/api-key-secret.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { readConfig } from '../../server/config.ts'
import { newId } from '../../server/database/ids.ts'
import type { AnyJobKind } from '../../server/jobs/job-kind.ts'
import { newMasterKey } from '../../server/keyring/keyring.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { buildService, type Service } from '../../server/service.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { type Door, openDoor, openOtherDoor } from './door.ts'
import { holdPromise } from './promised.ts'

/** The service as main.ts builds it, on a database of its own, and what a test needs around it. */
export interface TestService {
  readonly service: Service
  readonly database: FreshDatabase
  /** Its ring, for another process beside it. */
  readonly masterKey: string
  /** A superuser's connection, to look past every rule. */
  readonly administrator: pg.Client
  /** Does an operation as somebody, through call(); throws its refusal. */
  call(
    caller: Caller,
    operation: string,
    input?: unknown,
    idempotencyKey?: string,
  ): Promise<{ status: number; body: never }>
  organization(features?: Record<string, boolean>): Promise<TestOrganization>
  /** Opens the doors on a free port, or on PORT; another process in spirit where `environment` is given. */
  listen(environment?: Record<string, string>, logTo?: (line: string) => void): Promise<Door>
  /** Moves the database's clock by so many milliseconds more. */
  moveClock(milliseconds: number): Promise<void>
  /** The service's time stands still, but for where it is moved: what is to happen within a span has all it takes. */
  stopClock(): Promise<void>
  /** It goes on from where it stands. */
  startClock(): Promise<void>
  close(): Promise<void>
}

export interface TestOrganization {
  readonly id: string
  /** Its first admin. */
  readonly admin: Caller
  /** A new person of this role, as a session of theirs would call. */
  person(role: Role): Promise<Caller>
  /** A new key of the first admin, or of the person given. */
  key(scopes: readonly Scope[], creator?: Caller): Promise<{ id: string; secret: string }>
}

const SETTINGS = { LOG_LEVEL: 'silent', METRICS_PORT: '0', RATE_LIMIT: '1000000/10m' }

/**
 * @param environment settings beside the tests' own
 * @param further operations of the test's own, beside those of the list
 * @param furtherJobKinds kinds of job of the test's own; where there are any, or mail, jobs are worked as they come
 */
export async function startTestService(
  environment: Record<string, string> = {},
  further: readonly AnyOperation[] = [],
  furtherJobKinds: readonly AnyJobKind[] = [],
): Promise<TestService> {
  const database = await freshDatabase()
  const administrator = new pg.Client({ connectionString: database.administratorUrl })
  await administrator.connect()
  const AUDIT_CHECKPOINTS_FILE = join(tmpdir(), `plumbline-checkpoints-${randomUUID()}.jsonl`)
  const FILES = join(tmpdir(), `plumbline-files-${randomUUID()}`)
  const settings = { ...SETTINGS, AUDIT_CHECKPOINTS_FILE, FILES, ...environment }
  const config = readConfig(settings)
  const masterKey = newMasterKey()
  const built = buildService(config, database.url, masterKey, undefined, furtherJobKinds)
  if (config.smtpUrl || furtherJobKinds.length > 0) await built.jobs.start()
  const service = { ...built, operations: [...built.operations, ...further] }
  const doors: Door[] = []
  let moved = 0
  let stoppedAt: number | null = null
  const setClock = async () => {
    const now =
      stoppedAt === null
        ? `date_trunc('milliseconds', clock_timestamp() + interval '${moved} milliseconds')`
        : `timestamptz '${new Date(stoppedAt).toISOString()}'`
    await administrator.query(
      `create or replace function clock_now() returns timestamptz language sql volatile parallel safe return ${now}`,
    )
    await administrator.query("select ensure_weeks(clock_now() + interval '21 days')")
  }
  return {
    service,
    database,
    masterKey,
    administrator,
    call: async (caller, name, input = {}, idempotencyKey) => {
      const operation = service.operations.find((one) => one.name === name)
      if (!operation) throw new Error(`no operation ${name}`)
      const { status, body } = await call(service, caller, operation, input, { idempotencyKey })
      holdPromise(operation, status, body)
      return { status, body: body as never }
    },
    listen: async (further, logTo) => {
      const door =
        further || logTo
          ? await openOtherDoor(database.url, masterKey, { ...settings, ...further }, logTo)
          : await openDoor(service, undefined, Number(environment.PORT ?? 0))
      doors.push(door)
      return door
    },
    organization: (features = {}) => makeOrganization(administrator, service, features),
    moveClock: async (milliseconds) => {
      if (stoppedAt === null) moved += milliseconds
      else stoppedAt += milliseconds
      await setClock()
    },
    stopClock: async () => {
      const { rows } = await administrator.query<{ now: Date }>('select clock_now() as now')
      stoppedAt = rows[0]!.now.getTime()
      await setClock()
    },
    startClock: async () => {
      moved = stoppedAt! - Date.now()
      stoppedAt = null
      await setClock()
    },
    close: async () => {
      for (const door of doors) await door.close()
      await service.close()
      await administrator.end()
      await database.drop()
      rmSync(AUDIT_CHECKPOINTS_FILE, { force: true })
      rmSync(FILES, { recursive: true, force: true })
    },
  }
}

async function makeOrganization(
  administrator: pg.Client,
  service: Service,
  features: Record<string, boolean>,
): Promise<TestOrganization> {
  const id = newId('org')
  await administrator.query(
    'insert into organizations (id, name, features, created_at, updated_at) values ($1, $2, $3, clock_now(), clock_now())',
    [id, `Organization ${id.slice(-6)}`, JSON.stringify(features)],
  )
  const person = async (role: Role): Promise<Caller> => {
    const accountId = newId('acc')
    const name = `${role} ${accountId.slice(-6)}`
    await administrator.query('insert into users (id, email, created_at) values ($1, $2, clock_now())', [
      accountId,
      `${accountId}@example.com`,
    ])
    const userId = await addMember(administrator, { organizationId: id, accountId, name, role })
    return sessionOf({ organizationId: id, userId, accountId, name, role, features })
  }
  const admin = await person('admin')
  return {
    id,
    admin,
    person,
    key: (scopes, creator = admin) => makeKey(administrator, service, creator, scopes),
  }
}

/** Makes somebody a member, of a further organization as of their first. @returns the id that they have there */
export async function addMember(
  administrator: pg.Client,
  one: { organizationId: string; accountId: string; name: string; role: string },
): Promise<string> {
  const userId = newId('usr')
  await administrator.query(
    `insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at)
     values ($1, $2, $3, $4, $5, clock_now(), clock_now())`,
    [one.organizationId, userId, one.accountId, one.name, one.role],
  )
  return userId
}

function sessionOf(one: {
  organizationId: string
  userId: string
  accountId: string
  name: string
  role: Role
  features: Record<string, boolean>
}): Caller {
  const { organizationId, userId, accountId, name, role, features } = one
  return {
    organizationId,
    features,
    userId,
    accountId,
    role,
    limitedView: null,
    credential: { type: 'session', id: `ses_${randomUUID()}`, name },
    granted: ROLE_SCOPES[role],
    channel: 'cli',
    requestId: randomUUID(),
  }
}

async function makeKey(
  administrator: pg.Client,
  service: Service,
  creator: Caller,
  scopes: readonly Scope[],
) {
  const id = newId('key')
  const secret = newKeySecret()
  await administrator.query(
    `insert into api_keys (organization_id, id, name, prefix, secret_hash, hashed_with, scopes, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, clock_now())`,
    [
      creator.organizationId,
      id,
      'test key',
      prefixOf(secret),
      service.keyring.hash(secret),
      service.keyring.firstId,
      scopes,
      creator.userId,
    ],
  )
  await administrator.query('insert into api_key_usage (organization_id, key_id) values ($1, $2)', [
    creator.organizationId,
    id,
  ])
  return { id, secret }
}
