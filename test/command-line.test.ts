import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { commandLine, commandLineAlone, type Shell } from './support/command-line.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'

// What commands do, on a database given by DATABASE_URL. The first test has a process for each, as people have.

const PASSWORD = 'a few plain words'
const LINK = expect.stringMatching(/^http:\/\/localhost:3000\/invitation#token=[\w-]{43}$/)
let database: FreshDatabase
let plumbline: Shell
let alone: Shell
let organizationId: string

beforeAll(async () => {
  database = await freshDatabase()
  const settings = { DATABASE_URL: database.url, MASTER_KEY: newMasterKey() }
  plumbline = commandLine(settings)
  alone = commandLineAlone(settings)
})
afterAll(() => database.drop())

test('organization create answers with the two ids', async () => {
  const made = await alone(
    `organization create --name Acme --admin-email ana@example.com --admin-password '${PASSWORD}' --json`,
  )
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.json).toEqual({
    organizationId: expect.stringMatching(/^org_[0-9a-z]{26}$/),
    userId: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
  })
  organizationId = (made.json as { organizationId: string }).organizationId
  const named = await alone(
    'call getUser --organization Acme --as ana@example.com --input \'{"id":"usr_01"}\' --json',
  )
  expect(named.json).toMatchObject({ code: 'not_found', status: 404 })
})

test('a file is sent beside the input of an operation that takes bytes', async () => {
  const as = '--organization Acme --as ana@example.com --json'
  const begun = await plumbline(`call startImport ${as} --input '{"type":"risk","name":"risks.csv"}'`)
  const { id } = begun.json as { id: string }
  const file = join(tmpdir(), `risks-${id}.csv`)
  writeFileSync(file, 'Title\nA risk\n')
  const send = `call sendImportFile ${as} --input '{"id":"${id}"}'`
  const sent = await plumbline(`${send} --file ${file}`)
  expect(sent.json).toMatchObject({ rowCount: 1, columns: [{ title: 'Title', key: 'title' }] })
  expect(await plumbline(send)).toMatchObject({ code: 2, stderr: expect.stringContaining('--file') })
  rmSync(file)
})

test('a password may come on standard input, and is asked for where it is needed', async () => {
  const command = 'user add --organization Acme --name Ed --role editor --json'
  const added = await plumbline(`${command} --email ed@example.com`, `${PASSWORD}\n`)
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.json).toMatchObject({ email: 'ed@example.com', role: 'editor', status: 'active' })
  const [without, short] = await Promise.all([
    plumbline('organization create --name None --admin-email none@example.com --json'),
    plumbline(`${command} --email short@example.com`, 'short'),
  ])
  expect(without).toMatchObject({ code: 1, stdout: '' })
  expect(without.json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'adminPassword' }] })
  expect(short.json).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'password' }],
  })
})

test('who is added without a password is invited, and a lost password is replaced by a link', async () => {
  const added = await plumbline(
    'user add --organization Acme --email in@example.com --name In --role viewer --json',
  )
  expect(added.json).toMatchObject({ status: 'invited', invitation: { sentTo: null, link: LINK } })
  const again = await plumbline('user invite --organization Acme --email IN@example.com --json')
  expect(again.json).toEqual({ sentTo: null, link: LINK, problem: null, expiresAt: expect.any(String) })
  const human = await plumbline('user invite --organization Acme --email in@example.com')
  expect(human.stdout).toMatch(
    /^Hand them this link; it works once, until .+:\n {2}http.+#token=[\w-]{43}\n$/,
  )
  const resetFor = (args: string) => plumbline(`user reset-password --organization Acme ${args} --json`)
  const [reset, nobody, own] = await Promise.all([
    resetFor('--email ed@example.com'),
    resetFor('--email no@example.com'),
    resetFor('--as ana@example.com --email ana@example.com'),
  ])
  expect(reset.json).toEqual({
    link: expect.stringMatching(/^http:\/\/localhost:3000\/reset#token=[\w-]{43}$/),
    expiresAt: expect.any(String),
  })
  expect(nobody.json).toMatchObject({ code: 'not_found' })
  expect(own.json).toMatchObject({ code: 'conflict' })
})

test('organization list and update print the record as the API does', async () => {
  const updated = await plumbline(
    `organization update --organization ${organizationId} --country AT --supplier-risk-management on --json`,
  )
  expect(updated.json).toMatchObject({
    id: organizationId,
    name: 'Acme',
    country: 'AT',
    features: { supplierRiskManagement: true },
    version: 2,
  })
  const [list, read] = await Promise.all([
    plumbline('organization list --json'),
    plumbline('call getOrganization --organization Acme --as ana@example.com --json'),
  ])
  expect(list.json).toEqual({ data: [updated.json] })
  expect(read.json).toEqual(updated.json)
})

test('a key is created with its secret, listed without, and revoked', async () => {
  const created = await plumbline(
    'key create --organization Acme --as ana@example.com --name ci --scopes read:risks,write:webhooks --expires 2040-01-31 --json',
  )
  expect(created.json).toEqual({
    id: expect.stringMatching(/^key_/),
    name: 'ci',
    prefix: expect.stringMatching(/^comply_.{9}$/),
    secret: expect.stringMatching(/^comply_[0-9A-Za-z]{32}$/),
    scopes: ['read:risks', 'write:webhooks'],
    expiresAt: '2040-01-31T23:59:59.999Z',
  })
  const { id, secret } = created.json as { id: string; secret: string }
  const listed = await plumbline('key list --organization Acme --json')
  expect(listed.json).toMatchObject({ data: [{ id, state: 'active', createdBy: { displayName: 'ana' } }] })
  const revoked = await plumbline(`key revoke ${id} --json`)
  expect(revoked.json).toMatchObject({ id, state: 'revoked' })
  const [human, nobody, audit] = await Promise.all([
    plumbline('key list --organization Acme'),
    plumbline('key revoke key_nobody --json'),
    plumbline(
      `call listAuditLog --organization Acme --as ana@example.com --input '{"subjectId":["${id}"]}' --json`,
    ),
  ])
  expect(human.stdout).toMatch(/^ID +NAME +PREFIX +STATE +LAST USED +SCOPES\n/)
  expect(human.stdout).toContain('revoked')
  for (const { stdout, stderr } of [listed, revoked, human])
    expect(stdout + stderr).not.toContain(secret.slice(16))
  expect(nobody.json).toMatchObject({ code: 'not_found' })
  expect(audit.json).toMatchObject({
    data: [
      {
        action: 'api_key.revoke',
        actor: { type: 'operator', displayName: 'Command line', actingUserId: null },
      },
      { action: 'api_key.create', actor: { type: 'user' } },
    ],
  })
})

test('auditors and people who are here for themselves are added and told apart', async () => {
  const add = (name: string, role: string) =>
    plumbline(
      `user add --organization Acme --email ${name}@example.com --name ${name} --role ${role} --json`,
      PASSWORD,
    )
  const [auditor, self] = [await add('aud', 'auditor'), await add('own', 'self_service')]
  expect(auditor.json).toMatchObject({ role: 'viewer', isAuditor: true, selfServiceOnly: false })
  expect(self.json).toMatchObject({ role: 'viewer', isAuditor: false, selfServiceOnly: true })
  const { stdout } = await plumbline('user list --organization Acme')
  expect(stdout).toMatch(/aud@example\.com +aud +auditor +active/)
  expect(stdout).toMatch(/own@example\.com +own +self_service +active/)
})

test('call does what an editor may, and not what a viewer may not', async () => {
  const added = plumbline(
    'user add --organization Acme --email vi@example.com --name Vi --role viewer --json',
    PASSWORD,
  )
  const call = (who: string, operation: string, input: object) =>
    plumbline(
      `call ${operation} --organization Acme --as ${who}@example.com --input - --json`,
      JSON.stringify(input),
    )
  const control = { code: 'A.5.1', title: 'Rules are written' }
  const [made, risk] = await Promise.all([
    call('ed', 'createControl', control),
    call('ed', 'createRisk', { title: 'A risk' }),
    added,
  ])
  expect(made.json).toMatchObject({
    reference: 'CTL-1',
    createdBy: { displayName: 'Ed' },
  })
  const { id } = risk.json as { id: string }
  const [noControl, noRisk] = [
    await call('vi', 'createControl', control),
    await call('vi', 'deleteRisk', { id }),
  ]
  for (const refused of [noControl, noRisk]) {
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.json).toMatchObject({
      status: 403,
      code: 'capability_required',
      requestId: expect.any(String),
    })
  }
  expect(await call('ed', 'deleteRisk', { id })).toMatchObject({ code: 0, stdout: '{}\n', stderr: '' })
  expect((await call('vi', 'getRisk', { id })).json).toMatchObject({ code: 'not_found' })
  const denied = await call('ana', 'listAuditLog', { outcome: ['denied'] })
  expect(denied.json).toMatchObject({ data: [{ action: 'deleteRisk' }, { action: 'createControl' }] })
})

test('call takes the role as it is now, and nobody who is not active', async () => {
  const list = (who: string) => plumbline(`call listRisks --organization Acme --as ${who} --json`)
  const { data } = (
    await plumbline(`call listUsers --organization Acme --as ana@example.com --input '{"q":"vi@"}' --json`)
  ).json as { data: { id: string }[] }
  const input = JSON.stringify({ id: data[0]?.id, status: 'disabled' })
  await plumbline(`call updateUser --organization Acme --as ana@example.com --input '${input}' --json`)
  for (const { json } of await Promise.all(['vi@example.com', 'nobody@example.com'].map(list)))
    expect(json).toMatchObject({ code: 'credential_invalid', status: 401 })
})

test('an organization is found by its name while that is enough, else by its id', async () => {
  const again = await plumbline('organization create --name Acme --admin-email ana@example.com --json')
  expect(again.code).toBe(0)
  const { organizationId: second } = again.json as { organizationId: string }
  const [two, one, none] = await Promise.all(
    ['Acme', second, 'Nobody'].map((named) => plumbline(`key list --organization ${named} --json`)),
  )
  expect(two!.json).toMatchObject({ code: 'conflict', ids: [organizationId, second] })
  expect(one!.json).toEqual({ data: [] })
  expect(none!.json).toMatchObject({ code: 'not_found' })
})

test('input that is no JSON object is refused', async () => {
  const command = `call listRisks --organization ${organizationId} --as ana@example.com --json`
  const refused = await Promise.all(
    ["'{'", "'[]'", '@/nowhere'].map((input) => plumbline(`${command} --input ${input}`)),
  )
  for (const { json } of refused) expect(json).toMatchObject({ code: 'malformed_request' })
})

test('a failure is said in words to a person', async () => {
  const failed = await plumbline('key list --organization Nobody')
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/^plumbline: There is no organization Nobody/)
})
