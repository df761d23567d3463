import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { readConfig } from '../server/config.ts'
import { newId } from '../server/database/ids.ts'
import { transaction } from '../server/database/transaction.ts'
import { makeLink, peekLink } from '../server/identity/one-time-links.ts'
import { replaceRecoveryCodes } from '../server/identity/second-factor/recovery-codes.ts'
import { beginSession, readSession } from '../server/identity/sessions.ts'
import { sendMail } from '../server/jobs/send-mail.ts'
import { startJobAlone } from '../server/jobs/start-job.ts'
import { signingKey } from '../server/journal/signing-keys.ts'
import { newMasterKey, openKeyring } from '../server/keyring/keyring.ts'
import { reseal } from '../server/keyring/reseal.ts'
import { SEALED, type SealedColumnName } from '../server/keyring/sealed-columns.ts'
import { operationsByHand } from '../server/operations.ts'
import { prepare } from '../server/preparation.ts'
import { buildService, type Service } from '../server/service.ts'
import { commandLine } from './support/command-line.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* A master key that is not the one of the database is refused, and one that is retires without a loss. */

let one: TestService
let acme: TestOrganization
let k1: string
const k2 = newMasterKey().replace('k1:', 'k2:')
const others: Service[] = []

beforeAll(async () => {
  one = await startTestService()
  k1 = one.masterKey
  acme = await one.organization()
})
afterAll(async () => {
  for (const service of others) await service.close()
  await one.close()
})

const requestContext = { channel: 'ui', requestId: 'r' } as const
const start = (MASTER_KEY: string) =>
  prepare(readConfig({ DATABASE_URL: one.database.url, MASTER_KEY, LOG_LEVEL: 'silent' }), one.database.url)

/** Another process, with other keys. */
function running(ring: string): Service {
  const service = buildService(one.service.config, one.database.url, ring)
  others.push(service)
  return service
}

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await one.administrator.query(text, values)).rows as Row[]

/** Each value at rest, with what it belongs to. */
async function atRest(): Promise<{ what: SealedColumnName; ids: string[]; sealed: Buffer }[]> {
  const all: { what: SealedColumnName; ids: string[]; sealed: Buffer }[] = []
  for (const [what, { table, column, ids }] of Object.entries(SEALED)) {
    const rows = await sql<{ ids: string[]; sealed: Buffer }>(
      `select array[${ids.join(', ')}] as ids, ${column} as sealed from ${table} where length(${column}) > 0`,
    )
    all.push(...rows.map((row) => ({ what: what as SealedColumnName, ...row })))
  }
  return all
}

const opensWith = async (ring: string): Promise<Set<string>> => {
  const keyring = openKeyring(ring)
  return new Set(
    (await atRest()).map(({ what, ids, sealed }) => `${what} ${keyring.open(sealed, what, ids)}`),
  )
}

/** One of each thing that is sealed, the rows themselves by hand. */
async function sealOneOfEach(service: Service): Promise<void> {
  const { keyring } = service
  const { accountId } = acme.admin
  const now = 'clock_now(), clock_now()'
  const [endpoint, provider, totp, client] = ['whe', 'sip', 'totp', 'app'].map((kind) => newId(kind as 'whe'))
  const sealed = (what: SealedColumnName, ...ids: string[]) => keyring.seal(Buffer.from(what), what, ids)
  await signingKey(service)
  await sql(
    `insert into webhook_endpoints (organization_id, id, address, signal_types, enabled, secret_cipher, created_at, updated_at)
     values ($1, $2, 'https://receiver.example/', '{}', true, $3, ${now})`,
    [acme.id, endpoint, sealed('endpointSecret', acme.id, endpoint!)],
  )
  await sql(
    `insert into sign_in_providers (organization_id, id, name, issuer, client_id, client_secret_cipher, created_at, updated_at)
     values ($1, $2, 'Id', 'https://id.example', 'us', $3, ${now})`,
    [acme.id, provider, sealed('providerClientSecret', acme.id, provider!)],
  )
  await sql('insert into totp_secrets (id, user_id, sealed_secret, created_at) values ($1, $2, $3, now())', [
    totp,
    accountId,
    sealed('totpSecret', accountId, totp!),
  ])
  await sql(
    `insert into oauth_clients (id, registration, metadata, secret_sealed, created_at)
     values ($1, 'preregistered', '{}', $2, now())`,
    [client, sealed('oauthClientSecret', client!)],
  )
}

describe('a start is refused, and writes nothing,', () => {
  test('with other keys than have served here, though nothing is sealed with them yet', async () => {
    await start(k1)
    const proofs = await sql('select * from master_key_proofs')
    expect(proofs).toMatchObject([{ key_id: 'k1' }])
    await sql("delete from migrations where name = '0020-master-keys.sql'")
    await expect(start(newMasterKey())).rejects.toThrow(
      'MASTER_KEY has another key by the id k1 than the one this database was written with',
    )
    await expect(start(k2)).rejects.toThrow('MASTER_KEY has no k1, which this database was written with')
    expect(await sql("select from migrations where name = '0020-master-keys.sql'")).toEqual([])
    await sql("insert into migrations values ('0020-master-keys.sql', now())")
    const failed = await commandLine({ DATABASE_URL: one.database.url, MASTER_KEY: k2 })(
      'organization list --json',
    )
    expect(failed).toMatchObject({ code: 1, stdout: '', json: { code: 'config_invalid' } })
    expect(await sql('select * from master_key_proofs')).toEqual(proofs)
  })

  test('with other keys than secrets are sealed with, where none has left a proof', async () => {
    await sealOneOfEach(one.service)
    await sql('delete from master_key_proofs')
    await expect(start(newMasterKey())).rejects.toThrow('another key by the id k1')
    await expect(start(k2)).rejects.toThrow('MASTER_KEY has no k1')
    expect(await sql('select key_id from master_key_proofs')).toEqual([])
    await start(k1)
    expect(await sql('select key_id from master_key_proofs')).toEqual([{ key_id: 'k1' }])
  })
})

test('a key is retired: secrets are sealed anew, credentials move when they are used, and nothing is lost', async () => {
  const [used, unused, revoked] = await Promise.all([1, 2, 3].map(() => acme.key(['read:risks'])))
  await sql("update api_keys set hashed_with = 'k1'")
  await sql('update api_keys set revoked_at = now() where id = $1', [revoked!.id])
  const { accountId } = acme.admin
  const entrance = { accountId, organizationId: acme.id, method: 'passkey' } as const
  const [session, idle] = [
    await beginSession(one.service, requestContext, entrance),
    await beginSession(one.service, requestContext, entrance),
  ]
  const [link] = await transaction(one.service.database.tenant, acme.id, async (tx) => {
    replaceRecoveryCodes(one.service, tx, accountId)
    return [makeLink(one.service, tx, { purpose: 'password_reset', accountId })]
  })
  await startJobAlone(one.service, sendMail, { to: 'a@example.com', subject: '', text: '', html: '' })
  const token = link!.address.split('#token=')[1]!
  const secrets = await opensWith(k1)
  expect(secrets.size).toBe(Object.keys(SEALED).length)

  const plumbline = commandLine({ DATABASE_URL: one.database.url, MASTER_KEY: `${k2},${k1}` })
  const both = running(`${k2},${k1}`)
  await admitKey(both, used!.secret, requestContext)
  expect(await readSession(both, session)).toMatchObject({ accountId })
  expect(await peekLink(both, 'password_reset', token)).toMatchObject({ accountId })

  const { code, json } = await plumbline('keyring reseal --json')
  expect(code).toBe(0)
  expect(json).toMatchObject({
    firstKey: 'k2',
    resealed: {
      endpointSecret: 1,
      providerClientSecret: 1,
      totpSecret: 1,
      oauthClientSecret: 1,
      auditSigningKey: 1,
      jobInput: 1,
    },
    unopened: [],
    retired: ['k1'],
    remaining: [
      { what: 'apiKey', keyId: 'k1', count: 1, whose: [unused!.secret.slice(0, 16)] },
      { what: 'session', keyId: 'k1', count: 1 },
      { what: 'recoveryCode', keyId: 'k1', count: 10, whose: [expect.stringContaining('@')] },
    ],
  })
  const checked = await plumbline('config check --json')
  expect(checked.json).toMatchObject({
    ok: true,
    masterKey: { opens: true, olderKeys: (json as { remaining: object }).remaining },
  })

  const codesLeft = async (parts: Service) => {
    const answer = await call(parts, acme.admin, operationsByHand.getSignInMethods, {})
    return (answer.body as { recoveryCodesLeft: number }).recoveryCodesLeft
  }
  expect(await codesLeft(both)).toBe(10)

  await start(k2)
  const alone = running(k2)
  expect(await codesLeft(alone), 'which no key opens any more').toBe(0)
  expect(await opensWith(k2)).toEqual(secrets)
  expect((await admitKey(alone, used!.secret, requestContext)).caller.organizationId).toBe(acme.id)
  await expect(admitKey(alone, unused!.secret, requestContext)).rejects.toMatchObject({
    code: 'credential_invalid',
  })
  expect(await readSession(alone, session)).toMatchObject({ accountId })
  expect(await readSession(alone, idle)).toBeNull()
  expect(await peekLink(alone, 'password_reset', token)).toMatchObject({ accountId })
})

test('what is sealed with a retired key by a process left behind is missed at the next start', async () => {
  await sql('delete from totp_secrets')
  const late = openKeyring(k1).seal(randomBytes(20), 'totpSecret', [acme.admin.accountId, 'totp_late'])
  await sql(
    "insert into totp_secrets (id, user_id, sealed_secret, created_at) values ('totp_late', $1, $2, now())",
    [acme.admin.accountId, late],
  )
  await expect(start(k2)).rejects.toThrow('MASTER_KEY has no k1')
  expect((await reseal(running(`${k2},${k1}`))).resealed).toMatchObject({ totpSecret: 1 })
  await start(k2)
})

test('sealing anew goes over many batches, leaves what was rotated meanwhile, and names what nothing opens', async () => {
  const old = openKeyring(k1)
  await sql('delete from webhook_endpoints')
  const insert = `insert into webhook_endpoints (organization_id, id, address, signal_types, enabled, secret_cipher, created_at, updated_at)
    values ($1, $2, 'https://receiver.example/', '{}', true, $3, clock_now(), clock_now())`
  const ids = Array.from({ length: 250 }, () => newId('whe'))
  for (const id of ids)
    await sql(insert, [acme.id, id, old.seal(Buffer.from(id), 'endpointSecret', [acme.id, id])])
  const [damaged, rotated] = [ids[3]!, ids[200]!]
  const cut = `update webhook_endpoints set secret_cipher = set_byte(secret_cipher, 40, get_byte(secret_cipher, 40) # 1) where id = $1`
  await sql(cut, [damaged])

  const service = running(`${k2},${k1}`)
  const fresh = service.keyring.seal(Buffer.from('new'), 'endpointSecret', [acme.id, rotated])
  // The secret is rotated after it was opened, and before it is written back.
  const open: typeof service.keyring.open = (sealed, what, of) => {
    const opened = service.keyring.open(sealed, what, of)
    if (of[1] === rotated)
      rotation = sql('update webhook_endpoints set secret_cipher = $2 where id = $1', [rotated, fresh])
    return opened
  }
  let rotation: Promise<unknown> = Promise.resolve()
  const engine = Object.create(service.database.engine, {
    query: {
      value: async (...asked: [never]) => {
        await rotation
        return service.database.engine.query(...asked)
      },
    },
  })
  const done = await reseal({
    ...service,
    keyring: { ...service.keyring, open },
    database: { ...service.database, engine },
  })
  expect(done).toMatchObject({
    resealed: { endpointSecret: 248 },
    unopened: [{ what: 'endpointSecret', ids: [acme.id, damaged] }],
    retired: [],
  })
  await sql('delete from webhook_endpoints where id = $1', [damaged])
  expect(await reseal(service)).toMatchObject({ resealed: { endpointSecret: 0 }, retired: ['k1'] })
  const opened = await opensWith(k2)
  for (const id of ids)
    if (id !== damaged) expect(opened).toContain(`endpointSecret ${id === rotated ? 'new' : id}`)
})
