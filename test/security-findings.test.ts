import { afterAll, beforeAll, expect, test } from 'vitest'
import { securityFinding } from '../model/kinds/security-finding.ts'
import type { Refusal } from '../server/refusal.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* What is found to be weak goes through its states, and is a part of a risk, a repetition or a regression. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks', 'read:assets', 'read:controls'])).secret
})
afterAll(() => one.close())

type Finding = { id: string; version: number; [field: string]: unknown }
const send = (method: string, path: string, body?: object) =>
  door.send(key, method, `/v1/security-findings${path}`, { body })
const call = async (name: string, input: object = {}, by = acme.admin) =>
  (await one.call(by, name, input)).body as Finding
const add = (more: object = {}) =>
  call('createSecurityFinding', { title: 'Old TLS', severity: 'high', ...more })
const update = (id: string, input: object) => call('updateSecurityFinding', { id, ...input })
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error,
  )
const paths = async (promise: Promise<unknown>) =>
  (((await refused(promise)) as Refusal).members.errors as { path: string }[]).map(({ path }) => path)

const addRisk = async () => (await call('createRisk', { title: 'Eavesdropping' })).id
/** A risk, and what it is accepted by. */
const acceptedRisk = async ({ admin, person }: TestOrganization = acme) => {
  const rated = { status: 'assessed', likelihood: 'likely', impact: 'major' }
  const riskId = (await call('createRisk', { title: 'Eavesdropping', ...rated }, admin)).id
  const approver = await person('editor')
  const acceptance = await call(
    'createRiskAcceptance',
    {
      riskId,
      justification: 'Replaced in spring',
      approver: { type: 'user', refId: approver.userId },
      expiresAt: '2100-01-01T00:00:00.000Z',
    },
    admin,
  )
  await call('approveRiskAcceptance', { id: acceptance.id }, approver)
  return { riskId, acceptanceId: acceptance.id }
}

test('a title and a severity are enough', async () => {
  const made = await send('POST', '', { title: 'Old TLS', severity: 'low' })
  expect([made.status, made.headers.location]).toEqual([201, `/v1/security-findings/${made.body.id}`])
  expect(made.body).toMatchObject({
    id: expect.stringMatching(/^fnd_/),
    reference: expect.stringMatching(/^FND-/),
    status: 'open',
    origin: 'manual',
    source: 'api',
    detectedAt: made.body.createdAt,
    resolvedAt: null,
    regressionOf: null,
    linkedRiskId: null,
  })
  expect(await paths(call('createSecurityFinding', {}))).toEqual(['title', 'severity'])
  expect((await send('DELETE', `/${made.body.id}`)).body.code).toBe('session_required')
})

const { states, fields } = securityFinding
const STATES = fields.status.options
const next: Readonly<Record<string, readonly string[]>> = states[0]!.next

// An undo of one's own step takes the version that was read: none is sent here.
test.each(STATES)('from %s it goes where it may, and nowhere else', async (from) => {
  const means = {
    linkedRiskId: (await acceptedRisk()).riskId,
    duplicateOfId: (await add()).id,
    statusReason: 'Because',
  }
  for (const to of STATES.filter((state) => state !== from)) {
    const { id, status } = await add({ status: from, ...means })
    expect(status).toBe(from)
    const answer = await refused(update(id, { status: to, ...means }))
    if (next[from]!.includes(to)) expect([from, to, answer]).toEqual([from, to, null])
    else expect(answer).toMatchObject({ code: 'invalid_transition', members: { allowed: next[from] } })
  }
})

test('it is accepted with a risk that is accepted, and stays so when the risk is not any more', async () => {
  const { id } = await add()
  const risk = await addRisk()
  const { riskId: accepted, acceptanceId } = await acceptedRisk()
  expect(await paths(update(id, { status: 'risk_accepted' }))).toEqual(['linkedRiskId'])
  expect(await paths(update(id, { status: 'risk_accepted', linkedRiskId: risk }))).toEqual(['linkedRiskId'])
  expect(await paths(add({ status: 'risk_accepted', linkedRiskId: risk }))).toEqual(['linkedRiskId'])
  await update(id, { linkedRiskId: accepted })
  expect(await update(id, { status: 'risk_accepted' })).toMatchObject({
    resolvedAt: null,
    acceptanceEnded: false,
  })
  // Another risk would be another decision.
  expect(await paths(update(id, { linkedRiskId: risk }))).toEqual(['linkedRiskId'])
  expect(await paths(update(id, { linkedRiskId: null }))).toEqual(['linkedRiskId'])
  const version = (await call('getSecurityFinding', { id })).version
  await call('revokeRiskAcceptance', { id: acceptanceId, statusReason: 'It was used' })
  const ended = { status: 'risk_accepted', acceptanceEnded: true }
  expect(await call('getSecurityFinding', { id })).toMatchObject({ ...ended, version })
  expect(await update(id, { description: 'Later' })).toMatchObject(ended)
  expect(await update(id, { status: 'open' })).toMatchObject({ acceptanceEnded: null })
  expect(await paths(update(id, { status: 'risk_accepted' }))).toEqual(['linkedRiskId'])
})

test('the accepted risk of another organization is none', async () => {
  const zenith = await one.organization()
  const { riskId: theirs } = await acceptedRisk(zenith)
  const { id } = await add()
  expect(await paths(update(id, { status: 'risk_accepted', linkedRiskId: theirs }))).toEqual(['linkedRiskId'])
  expect(await paths(update(id, { linkedRiskId: theirs }))).toEqual(['linkedRiskId'])
  expect(await paths(add({ linkedRiskId: theirs }))).toEqual(['linkedRiskId'])
  const finding = (await call('createSecurityFinding', { title: 'T', severity: 'low' }, zenith.admin)).id
  expect(await paths(update(id, { status: 'duplicate', duplicateOfId: finding }))).toEqual(['duplicateOfId'])
  expect((await send('PUT', `/${id}/links/risk/${theirs}`)).status).toBe(404)
})

test('a duplicate names another finding, and no two each other', async () => {
  const [first, second] = [(await add()).id, (await add()).id]
  expect(await paths(update(second, { status: 'duplicate' }))).toEqual(['duplicateOfId'])
  expect(await paths(update(second, { status: 'duplicate', duplicateOfId: second }))).toEqual([
    'duplicateOfId',
  ])
  await update(second, { status: 'duplicate', duplicateOfId: first })
  expect(await paths(update(first, { status: 'duplicate', duplicateOfId: second }))).toEqual([
    'duplicateOfId',
  ])
  expect(await paths(update(second, { duplicateOfId: null }))).toEqual(['duplicateOfId'])
  expect((await send('GET', `?duplicateOfId=${first}`)).body.data).toMatchObject([{ id: second }])
  expect(await refused(call('deleteSecurityFinding', { id: first }))).toMatchObject({
    code: 'referenced',
    members: { counts: { security_finding: 1 } },
  })
  expect(await update(second, { status: 'open' })).toMatchObject({ duplicateOfId: null })
})

test('of two that are called duplicates of each other at once, one is', async () => {
  for (let turn = 0; turn < 4; turn++) {
    const ids = [(await add()).id, (await add()).id] as const
    const both = await Promise.all([
      refused(update(ids[0], { status: 'duplicate', duplicateOfId: ids[1] })),
      refused(update(ids[1], { status: 'duplicate', duplicateOfId: ids[0] })),
    ])
    expect(both.filter((answer) => answer === null)).toHaveLength(1)
  }
})

test('opened again after it was resolved, it keeps what that undoes', async () => {
  const { id } = await add({ status: 'ready_for_verification' })
  const resolved = await update(id, { status: 'resolved', resolution: 'TLS 1.0 is off' })
  expect(resolved).toMatchObject({ resolvedAt: resolved.updatedAt, regressionOf: null })
  const { resolvedAt } = resolved
  const open = { status: 'open', resolvedAt: null, resolution: null }
  const regressionOf = { resolvedAt, resolution: 'TLS 1.0 is off' }
  const again = await update(id, { status: 'open' })
  // As it was found anew: else it would be late at once.
  expect(again).toMatchObject({ ...open, regressionOf, detectedAt: again.updatedAt, regressed: true })
  expect(await call('getSecurityFinding', { id })).toMatchObject({ ...open, regressionOf, regressed: true })
  const { data } = await call('listSecurityFindings', { regressed: [true], sort: '-updatedAt' })
  expect((data as Finding[])[0]).toMatchObject({ id, regressed: true })
  // Set aside and opened again, it is no second regression.
  await update(id, { status: 'false_positive', statusReason: 'It was the test system' })
  expect(await update(id, { status: 'open' })).toMatchObject({ regressionOf, statusReason: null })
  expect(await paths(update(id, { regressionOf: null }))).toEqual(['regressionOf'])
})

test('each watched field alone raises one signal with its changes, and no other field does', async () => {
  await call('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['security_finding.updated'],
  })
  const owner = { type: 'user', refId: acme.admin.userId }
  const values: [string, object, readonly string[]][] = [
    ['title', { title: 'Older TLS' }, ['title']],
    ['status', { status: 'triaged' }, ['status']],
    ['severity', { severity: 'critical' }, ['dueDate', 'severity']],
    ['ownerId', { owner }, ['ownerId']],
    ['dueDate', { dueDate: '2040-01-31' }, ['dueDate', 'dueDateSource']],
    ['linkedRiskId', { linkedRiskId: await addRisk() }, ['linkedRiskId']],
  ]
  expect(values.map(([field]) => field)).toEqual(securityFinding.watch)
  const raised = async (id: string) =>
    (
      await one.administrator.query(
        "select body::json->'data'->'changes' as changes from signals where subject_id = $1 and type = 'security_finding.updated'",
        [id],
      )
    ).rows.map(({ changes }) => Object.keys(changes).sort())
  for (const [, change, told] of values) {
    const { id } = await add()
    await update(id, change)
    expect(await raised(id)).toEqual([told])
  }
  const { id } = await add()
  const silent = { description: 'How', category: 'access', origin: 'scan', remediation: 'Turn it off' }
  for (const [field, value] of Object.entries(silent)) await update(id, { [field]: value })
  await update(id, { cveIds: ['CVE-2026-12345'], cweIds: ['CWE-79'], externalUrl: 'https://scan.example/1' })
  expect(await raised(id)).toEqual([])
})

const CVSS_4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

test.each([
  [{ cveIds: ['cve-2026-12345', 'CVE-2026-12345'] }, { cveIds: ['CVE-2026-12345'] }],
  [{ cweIds: ['CWE-79'] }, { cweIds: ['CWE-79'] }],
  [{ cvssVector: `${CVSS_4}/E:A/S:P/U:Amber` }, {}],
  [{ cvssVector: 'CVSS:3.0/AV:P/AC:H/PR:L/UI:R/S:C/C:L/I:L/A:N/RL:W/MAV:N' }, {}],
  [{ cvssVector: 'CVSS:3.1/AC:L/AV:N/PR:N/UI:N/S:U/C:H/I:H/A:H' }, {}],
])('%o is taken', async (given, kept) => {
  expect(await add(given)).toMatchObject({ ...given, ...kept })
})

test.each([
  { cveIds: ['CVE-26-1'] },
  { cweIds: ['79'] },
  { cvssVector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P' },
  { cvssVector: 'constructor' },
  { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H' },
  { cvssVector: 'CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:Z' },
  { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/constructor:X' },
  { cvssVector: 'CVSS:4.0/AC:L/AV:N/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' },
  { cvssVector: `${CVSS_4}/U:` },
  { externalUrl: 'javascript:alert(1)' },
  { severity: 'none' },
  { origin: 'guess' },
])('%o is refused by its name', async (given) => {
  const [path] = await paths(add(given))
  expect(path).toMatch(new RegExp(`^${Object.keys(given)[0]}`))
})

test('a scanner that finds it no longer leads it through all its states in one call', async () => {
  const externalId = 'scanner:1'
  await add({ externalId })
  const steps = ['triaged', 'in_progress', 'ready_for_verification', 'resolved']
  const records = steps.map((status) => ({ externalId, title: 'Old TLS', severity: 'high', status }))
  const { body } = await send('POST', '/batch', { mode: 'upsert', records })
  expect(body.data.map((row: { record: Finding }) => row.record.status)).toEqual(steps)
})

test('nothing was found in a time that is yet to come', async () => {
  expect(await paths(add({ detectedAt: '2199-03-01T00:00:00Z' }))).toEqual(['detectedAt'])
  const { id } = await add({ detectedAt: new Date(Date.now() + 3_600_000).toISOString() })
  expect(await paths(update(id, { detectedAt: '2199-03-01' }))).toEqual(['detectedAt'])
})
