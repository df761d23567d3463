import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLE_SCOPES } from '../model/scopes.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { readConfig } from '../server/config.ts'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { createOrganization } from '../server/organization/organizations.ts'
import { buildService, type Service } from '../server/service.ts'
import { PASSWORD } from './support/factors.ts'
import { until } from './support/until.ts'

/* What goes or comes with a record does so whole, also where PostgreSQL is killed in the middle. */

let dataDir: string
let embedded: EmbeddedDatabase
let service: Service
let admin: Caller
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'plumbline-deletion-'))
  embedded = await startEmbedded({ dataDir })
  await migrate({ url: embedded.url })
  const config = readConfig({ LOG_LEVEL: 'silent', METRICS_PORT: '0', DATA_DIR: dataDir })
  service = buildService(config, embedded.url, newMasterKey())
  const given = { name: 'Acme', adminEmail: 'ada@acme.example', adminName: 'Ada', adminPassword: PASSWORD }
  const { organizationId, userId } = await createOrganization(service, given)
  const [account] = await look('select account_id as id from members')
  admin = {
    organizationId,
    features: {},
    userId,
    accountId: account!.id as string,
    role: 'admin',
    limitedView: null,
    credential: { type: 'session', id: `ses_${randomUUID()}`, name: 'Ada' },
    granted: ROLE_SCOPES.admin,
    channel: 'cli',
    requestId: randomUUID(),
  }
})
afterAll(async () => {
  await service.close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Past every rule, by a connection of its own each time. */
async function look(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const connectionString = embedded.administratorUrl.replace(/\/postgres\?/, '/plumbline?')
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

const done = async (name: string, input: object) => {
  const operation = service.operations.find((one) => one.name === name)!
  return (await call(service, admin, operation, input)).body as { id: string }
}

const COUNTS = `
  select (select count(*) from risks)::int as risks, (select count(*) from risk_treatments)::int as treatments,
         (select count(*) from known_records)::int as known,
         (select count(*) from signals where type like '%.deleted')::int as told,
         (select count(*) from audit_entries where action like '%.delete')::int as entries`

test('a risk with fifty treatments is deleted whole or not at all', async () => {
  const { id } = await done('createRisk', { title: 'Doomed' })
  const records = Array.from({ length: 50 }, (_, place) => ({ riskId: id, action: `Treat ${place}` }))
  await done('createRiskTreatmentBatch', { records })
  const [before] = await look(COUNTS)
  expect(before).toEqual({ risks: 1, treatments: 50, known: 51, told: 0, entries: 0 })
  await look(`
    create function linger() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.1); return coalesce(new, old); end $$;
    create trigger linger before delete on risk_treatments for each row execute function linger()`)

  const deletion = done('deleteRisk', { id }).then(
    () => null,
    (error: { code: string }) => error.code,
  )
  await until(async () => {
    const [row] = await look("select from pg_stat_activity where wait_event = 'PgSleep'")
    return row !== undefined
  }, 'a deletion under way')
  process.kill(postmaster(), 'SIGKILL')
  expect(await deletion).toBe('unavailable')
  await until(() => look('select 1').catch(() => null), 'the next run of PostgreSQL')
  expect(await look(COUNTS)).toEqual([before])

  await look('drop trigger linger on risk_treatments')
  await done('deleteRisk', { id })
  expect(await look(COUNTS)).toEqual([{ risks: 0, treatments: 0, known: 0, told: 51, entries: 51 }])
})

const STANDING = `
  select p.status, p.version_label as label, v.label as "inForce",
         (select count(*) from policy_versions where status = 'published')::int as published,
         (select count(*) from attestations)::int as asked,
         (select count(*) from signals where type = 'policy.updated')::int as told
    from policies p join policy_versions v on v.id = p.current_version_id`

test('a text takes the place of the one before whole or not at all, with all who are asked', async () => {
  await done('updateOrganization', { allowSelfApproval: true })
  for (let at = 0; at < 20; at++)
    await done('createPersonnel', { fullName: `Person ${at}`, workEmail: `person-${at}@acme.example` })
  const { id: policyId } = await done('createPolicy', {
    ...{ name: 'Access control', approver: { type: 'user', refId: admin.userId } },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const approved = async (content: string) => {
    const { id } = await done('createPolicyVersion', { policyId, content })
    const { contentSha256, round } = (await done('submitPolicyVersion', { id })) as never
    await done('approvePolicyVersion', { id, contentSha256, round })
    return id
  }
  await done('publishPolicyVersion', { id: await approved('First.') })
  const next = await approved('Second.')
  const [before] = await look(STANDING)
  expect(before).toMatchObject({ inForce: '1.0', published: 1, asked: 20 })
  await look(`
    create trigger linger before insert on attestations for each row execute function linger()`)

  const publication = done('publishPolicyVersion', { id: next }).then(
    () => null,
    (error: { code: string }) => error.code,
  )
  await until(async () => {
    const [row] = await look("select from pg_stat_activity where wait_event = 'PgSleep'")
    return row !== undefined
  }, 'a publication under way')
  process.kill(postmaster(), 'SIGKILL')
  expect(await publication).toBe('unavailable')
  await until(() => look('select 1').catch(() => null), 'the next run of PostgreSQL')
  expect(await look(STANDING)).toEqual([before])

  await look('drop trigger linger on attestations')
  await done('publishPolicyVersion', { id: next })
  expect(await look(STANDING)).toMatchObject([
    { status: 'published', inForce: '2.0', published: 1, asked: 40 },
  ])
})

const postmaster = (): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
