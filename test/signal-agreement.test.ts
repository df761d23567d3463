import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writableFields } from '../model/access.ts'
import { callsOf } from '../model/calls.ts'
import type { Values } from '../model/complaint.ts'
import { givenFields, type Kind, principalFields } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import { may } from '../server/caller/rights.ts'
import { operations } from '../server/operations.ts'
import { toldValue } from '../server/records/changes.ts'
import { sendFile } from './support/files.ts'
import { makeOfKind } from './support/makers.ts'
import { otherValues } from './support/other-values.ts'
import { formOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: `data.record` of a signal is what GET answers at that version, and `changes` has every public field that GET
 * answers otherwise than before, with both values. Each operation below is one that writes records of a kind with signals.
 */

let one: TestService
let acme: TestOrganization
let admin: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization({ supplierRiskManagement: true })
  admin = acme.admin
})
afterAll(() => one.close())

const told: readonly Kind[] = everyKind.filter(({ signals }) => signals.length > 0)
const kindNamed = (name: string): Kind => everyKind.find((kind) => kind.name === name)!

// biome-ignore lint/suspicious/noExplicitAny: answers of many forms
const call = async (name: string, input: object, who = admin): Promise<any> =>
  (await one.call(who, name, input)).body

async function everyRecord(): Promise<Map<string, Values>> {
  const all = new Map<string, Values>()
  for (const kind of told) {
    const { rows } = await one.administrator.query(
      `select id from ${kind.table} where organization_id = $1`,
      [acme.id],
    )
    for (const { id } of rows) all.set(id, await call(callsOf(kind).get, { id }))
  }
  return all
}

const signalsRaised = async (): Promise<
  { type: string; subject: { id: string }; data: { record: Values; changes?: Values } }[]
> =>
  (
    await one.administrator.query('select body from signals where organization_id = $1 order by time, id', [
      acme.id,
    ])
  ).rows.map(({ body }) => JSON.parse(body))

const problems: string[] = []
const seen = new Set<string>()

/** Does something, and holds each signal of it against what GET answers. */
async function agree<Answer>(what: string, act: () => Promise<Answer>, only?: Kind): Promise<Answer> {
  const before = await everyRecord()
  const count = (await signalsRaised()).length
  const answer = await act()
  const after = await everyRecord()
  const raised = (await signalsRaised()).slice(count)
  for (const { type, subject, data } of raised) {
    seen.add(type)
    const kind = kindNamed(type.split('.')[0]!)
    if (only && only !== kind) continue
    const [was, is] = [before.get(subject.id), after.get(subject.id)]
    const report = (words: string) => problems.push(`${what}, ${type}: ${words}`)
    const current = type.endsWith('.deleted') ? was : is
    if (!current || current.version !== data.record.version) {
      if (raised.filter((other) => other.subject.id === subject.id).length === 1 && current)
        report(`version ${data.record.version}, GET ${current.version}`)
      continue
    }
    for (const field of new Set([...Object.keys(current), ...Object.keys(data.record)]))
      if (!isDeepStrictEqual(data.record[field], current[field]))
        report(
          `record.${field} is ${JSON.stringify(data.record[field])}, GET ${JSON.stringify(current[field])}`,
        )
    if (!type.endsWith('.updated') || !was || was.version !== (data.record.version as number) - 1) continue
    const quiet = new Set(['version', 'updatedAt', 'updatedBy', ...principalFields(kind)])
    const changes = data.changes as Record<string, unknown>
    for (const field of new Set([...Object.keys(current), ...Object.keys(changes)])) {
      const moved = !quiet.has(field) && !isDeepStrictEqual(was[field] ?? null, current[field] ?? null)
      const wanted = moved
        ? { from: toldValue(kind, field, was[field]), to: toldValue(kind, field, current[field]) }
        : undefined
      if (!isDeepStrictEqual(changes[field], wanted))
        report(`changes.${field} is ${JSON.stringify(changes[field])}, not ${JSON.stringify(wanted)}`)
    }
  }
  return answer
}

const settle = () => expect(problems.splice(0)).toEqual([])
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })

test.each(
  told.filter(({ name }) => operations.some((each) => each.name === callsOf(kindNamed(name)).update)),
)('$name: added, changed field by field, archived, brought back and deleted', async (kind) => {
  const calls = callsOf(kind)
  const update = operations.find(({ name }) => name === calls.update)!
  const form = formOf(update).properties!
  const writable = writableFields(kind, (needs) => may(admin, needs)) ?? Object.keys(form)
  // What it points at is made with it, and raises signals of its own.
  const id = await agree('add', () => makeOfKind(one, admin, kind), kind)
  for (const field of Object.keys(givenFields(kind))) {
    if (!(field in form) || !writable.includes(field)) continue
    const [value] = await otherValues(one, admin, form[field]!, null)
    if (value === undefined) continue
    await agree(`change ${field}`, () => call(calls.update, { id, [field]: value }).catch(() => null))
    await agree(`clear ${field}`, () => call(calls.update, { id, [field]: null }).catch(() => null))
  }
  for (const name of [calls.archive, calls.unarchive, calls.delete])
    if (operations.some((each) => each.name === name))
      await agree(name, () => call(name, { id }).catch(() => null))
  settle()
})

test('evidence: sent, sent back, approved, expired, archived', async () => {
  const [owner, reviewer] = [await acme.person('editor'), await acme.person('editor')]
  const { id } = await agree('add', () =>
    call(
      'createEvidence',
      { title: 'Access review', text: 'All were reviewed.', owner: user(owner), reviewer: user(reviewer) },
      owner,
    ),
  )
  const file = await sendFile(one, owner, 'review.txt')
  await agree('add a file', () => call('addEvidenceFiles', { id, fileIds: [file.id] }, owner))
  await agree('submit', () => call('submitEvidence', { id }, owner))
  await agree('reject', () =>
    call(
      'rejectEvidence',
      { id, reason: 'It is of last year.', rejectionReason: 'It is of last year.' },
      reviewer,
    ).catch(() => null),
  )
  await agree('change', () =>
    call('updateEvidence', { id, text: 'All were reviewed once more.' }, owner).catch(() => null),
  )
  await agree('submit again', () => call('submitEvidence', { id }, owner).catch(() => null))
  await agree('approve', () => call('approveEvidence', { id }, reviewer))
  await agree('back to draft', () => call('updateEvidence', { id, status: 'draft' }, owner).catch(() => null))
  await agree('submit once more', () => call('submitEvidence', { id }, owner).catch(() => null))
  await agree('archive', () => call('archiveEvidence', { id }).catch(() => null))
  settle()
  expect(await call('getEvidence', { id })).toMatchObject({
    currentRevision: expect.any(Number),
    revisionSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

test('a control: proven by evidence, and implemented', async () => {
  const [owner, reviewer] = [await acme.person('editor'), await acme.person('editor')]
  const { id } = await agree('add', () => call('createControl', { code: 'S.1', title: 'Doors are locked' }))
  const evidence = await call(
    'createEvidence',
    { title: 'Photo of the lock', text: 'Locked.', owner: user(owner), reviewer: user(reviewer) },
    owner,
  )
  for (const implementationStatus of ['in_progress', 'implemented', 'in_progress', 'implemented'])
    await agree(implementationStatus, () =>
      call('updateControl', {
        id,
        implementationStatus,
        ...(implementationStatus === 'in_progress' ? { statusReason: 'Looked at again' } : {}),
      }),
    )
  await agree('link', () => call('linkEvidence', { id: evidence.id, targetKind: 'control', targetId: id }))
  await agree('submit', () => call('submitEvidence', { id: evidence.id }, owner))
  await agree('approve', () => call('approveEvidence', { id: evidence.id }, reviewer))
  await agree('out of use', () =>
    call('updateControl', { id, implementationStatus: 'deprecated', statusReason: 'x' }).catch(() => null),
  )
  settle()
})

test('a policy: drafted, approved, published, corrected and retired', async () => {
  const [author, approver] = [await acme.person('editor'), await acme.person('admin')]
  const policy = await agree('add', () =>
    call(
      'createPolicy',
      { name: 'Clean desk', owner: user(author), approver: user(approver), reviewFrequency: 'annually' },
      author,
    ),
  )
  for (const content of ['As a text.', 'As another text.']) {
    const draft = await agree('draft', () =>
      call('createPolicyVersion', { policyId: policy.id, content }, author),
    )
    let sent = await agree('submit', () => call('submitPolicyVersion', { id: draft.id }, author))
    await agree('withdraw', () => call('withdrawPolicyVersion', { id: draft.id }, author).catch(() => null))
    sent =
      (await agree('submit again', () =>
        call('submitPolicyVersion', { id: draft.id }, author).catch(() => null),
      )) ?? sent
    const { contentSha256, round } = sent
    await agree('approve', () =>
      call('approvePolicyVersion', { id: draft.id, contentSha256, round }, approver),
    )
    await agree('publish', () => call('publishPolicyVersion', { id: draft.id }))
  }
  await agree('review date', () =>
    call('updatePolicy', { id: policy.id, reviewDate: '2020-01-01' }, author).catch(() => null),
  )
  await agree('retire', () => call('retirePolicy', { id: policy.id }).catch(() => null))
  settle()
  expect((await call('getPolicy', { id: policy.id })).currentVersionId).not.toBeUndefined()
})

test('a risk: treated, accepted, rated otherwise, linked', async () => {
  const approver = await acme.person('admin')
  const risk = await agree('add', () =>
    call('createRisk', { title: 'Old gateway', likelihood: 'possible', impact: 'major' }),
  )
  await agree('assess', () => call('updateRisk', { id: risk.id, status: 'assessed' }))
  const treatment = await agree('treat', () =>
    call('createRiskTreatment', { riskId: risk.id, action: 'Replace it', strategy: 'mitigate' }),
  )
  await agree('in treatment', () =>
    call('updateRisk', { id: risk.id, status: 'in_treatment' }).catch(() => null),
  )
  for (const status of ['in_progress', 'implemented', 'verified', 'cancelled'])
    await agree(status, () =>
      call('updateRiskTreatment', { id: treatment.id, status, statusReason: 'x' }).catch(() => null),
    )
  const accept = async () => {
    const acceptance = await agree('ask', () =>
      call('createRiskAcceptance', {
        riskId: risk.id,
        approver: user(approver),
        justification: 'It costs more.',
        expiresAt: '2030-03-31',
      }),
    )
    await agree('accept', () => call('approveRiskAcceptance', { id: acceptance.id }, approver))
    return acceptance.id
  }
  await accept()
  await agree('rate otherwise', () => call('updateRisk', { id: risk.id, impact: 'severe' }))
  const id = await accept()
  await agree('revoke', () =>
    call('revokeRiskAcceptance', { id, reason: 'No longer', revocationReason: 'No longer' }).catch(
      () => null,
    ),
  )
  const control = await call('createControl', { code: 'S.2', title: 'Gateways are patched' })
  await agree('link', () => call('linkRisk', { id: risk.id, targetKind: 'control', targetId: control.id }))
  await agree('unlink', () =>
    call('unlinkRisk', { id: risk.id, targetKind: 'control', targetId: control.id }).catch(() => null),
  )
  await agree('zone', () => call('updateOrganization', { timezone: 'Pacific/Auckland' }))
  settle()
})

test('a finding: resolved, found again, accepted with its risk', async () => {
  const finding = await agree('add', () =>
    call('createSecurityFinding', { title: 'Open port', severity: 'high', externalId: 'scan:1' }),
  )
  for (const status of ['triaged', 'in_progress', 'resolved', 'open'])
    await agree(status, () =>
      call('updateSecurityFinding', { id: finding.id, status, resolution: 'fixed', statusReason: 'x' }).catch(
        () => call('updateSecurityFinding', { id: finding.id, status }).catch(() => null),
      ),
    )
  await agree('resolved', () =>
    call('updateSecurityFinding', { id: finding.id, status: 'resolved' }).catch(() => null),
  )
  await agree('found again', () =>
    call('upsertSecurityFinding', {
      externalId: 'scan:1',
      record: { title: 'Open port', severity: 'critical', status: 'open' },
    }).catch(() => null),
  )
  const risk = await call('createRisk', { title: 'Ports', likelihood: 'possible', impact: 'major' })
  await agree('link a risk', () => call('updateSecurityFinding', { id: finding.id, linkedRiskId: risk.id }))
  settle()
})

test('many at a time: batches, upserts, bulk changes, merges', async () => {
  await agree('batch', () =>
    call('createRiskBatch', {
      records: [
        { title: 'One', externalId: 'b1' },
        { title: 'Two', dueDate: '2030-01-31' },
      ],
    }),
  )
  await agree('upsert', () =>
    call('createRiskBatch', {
      mode: 'upsert',
      records: [{ title: 'One!', externalId: 'b1', likelihood: 'rare', impact: 'minor' }],
    }),
  )
  const [kept, gone] = [
    await call('createVendor', { name: 'Cloud' }),
    await call('createVendor', { name: 'Cloud Ltd', website: 'https://cloud.example' }),
  ]
  await agree('merge', () =>
    call('mergeVendor', { id: kept.id, fromId: gone.id, from: gone.id }).catch(() => null),
  )
  await agree('approve', () => call('approveVendor', { id: kept.id }).catch(() => null))
  await agree('review', () => call('reviewVendor', { id: kept.id }).catch(() => null))
  settle()
})

test('each type of a record was among them', () => {
  const types = told.flatMap(({ name, signals }) => signals.map((event) => `${name}.${event}`))
  expect([...seen].sort()).toEqual(types.toSorted())
})
