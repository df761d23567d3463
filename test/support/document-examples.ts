import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { callsOf, pascal } from '../../model/calls.ts'
import { pathsOf } from '../../model/family.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { isForPersons } from '../../model/needs.ts'
import { SCOPES, type Scope } from '../../model/scopes.ts'
import { SIGNAL_TYPES } from '../../model/signal-types.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { transaction } from '../../server/database/transaction.ts'
import { jobKind } from '../../server/jobs/job-kind.ts'
import { startJob } from '../../server/jobs/start-job.ts'
import { scope } from '../../server/operation.ts'
import type { Door } from './door.ts'
import { sendFile } from './files.ts'
import { makePointedAt, makeUnder } from './makers.ts'
import { startReceiver } from './receiver.ts'
import { sampleOf } from './samples.ts'
import type { TestOrganization, TestService } from './service.ts'
import { sheetsOf } from './sheets.ts'
import { until } from './until.ts'

/** A job as an example: its like is started by what takes longer than a call. */
export const exampleJob = jobKind({
  name: 'recalculateRiskMatrix',
  title: 'Recalculate the risk matrix',
  input: z.object({}),
  needs: scope('write:risks'),
  perOrganization: 1,
  keptDays: 7,
  run: async ({ step }) => {
    await step(async ({ progress, error, result }) => {
      progress(1_200, 1_200)
      error({ row: 17, field: 'impact', message: 'is not set: the risk has no level' })
      result({ name: 'moved-risks.csv', type: 'text/csv', bytes: Buffer.from('reference,from,to\n') })
      return null
    })
    return undefined
  },
})

/**
 * The examples of the document: answers of a running service, and signals as an endpoint received them, by the name of
 * their schema. What differs from run to run (ids, times, secrets) is replaced by what looks the same; the signature is
 * made anew over what stands here, so that the example verifies.
 */
export async function recordExamples(one: TestService, door: Door): Promise<Record<string, unknown>> {
  const receiver = await startReceiver({
    behaviour: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' }),
  })
  try {
    const examples = await record(one, door, receiver.url)
    return settled(examples, receiver.url)
  } finally {
    await receiver.close()
  }
}

async function record(one: TestService, door: Door, address: string): Promise<Record<string, unknown>> {
  const organization = await one.organization()
  await one.administrator.query(`update organizations set name = 'Example Ltd' where id = $1`, [
    organization.id,
  ])
  const admin = await asAda(one, organization)
  await one.administrator.query("update users set email = 'ada@example.com' where id = $1", [admin.accountId])
  const key = await organization.key(Object.keys(SCOPES) as Scope[])
  const send = async (method: string, path: string, body?: unknown, secret = key.secret) => {
    const { status, body: answer } = await door.send(secret, method, `/v1/${path}`, { body })
    if (status >= 300 && status !== 404) throw new Error(`${method} ${path}: ${status} ${answer?.detail}`)
    return answer
  }
  const get = (path: string) => send('GET', path)
  const lesser = await organization.key(['read:risks', 'write:risks'])

  const signalTypes = ['risk.created', 'risk.updated', 'risk.deleted', 'control.updated']
  const endpoint = await send('POST', 'webhook-endpoints', { address, signalTypes })
  const person = await send('POST', 'personnel', {
    fullName: 'Bo Lind',
    workEmail: 'bo.lind@example.com',
    jobTitle: 'Network engineer',
  })
  const owner = { type: 'personnel', refId: person.id }
  const given = {
    title: 'Unpatched gateway',
    description: 'The edge gateway runs a release without security fixes.',
    category: 'technical',
    likelihood: 'possible',
    impact: 'major',
    owner,
  }
  const risk = await send('POST', 'risks', given)
  const comments = `records/${risk.id}/comments`
  const comment = await send('POST', comments, { text: 'Is **this** still open?' })
  const commented = {
    Comment: await send('PATCH', `comments/${comment.id}`, { text: 'Is it still open?' }),
    CommentPage: await get(comments),
    CommentVersions: await get(`comments/${comment.id}/versions`),
  }
  await send('PATCH', `risks/${risk.id}`, { status: 'assessed' })
  const HistoryEntryPage = await get(`risks/${risk.id}/history?limit=1`)
  const control = await one.call(admin, 'createControl', {
    code: 'NET-4',
    title: 'Gateways are patched within a week',
  })
  const { id: controlId } = control.body as { id: string }
  const Control = await send('PATCH', `controls/${controlId}`, {
    implementationStatus: 'in_progress',
    owner,
  })
  const Link = await send('PUT', `risks/${risk.id}/links/control/${controlId}`, { role: 'planned' })
  const RiskBatch = await send('POST', 'risks/batch', { records: [{ title: '' }] })
  const PersonnelBatch = await send('POST', 'personnel/batch', {
    records: [{ fullName: 'Cy Orr', workEmail: 'bo.lind@example.com' }],
  })
  const policy = await send('POST', 'policies', { name: 'Access control policy' })
  const draft = await send('POST', `policies/${policy.id}/versions`, { content: '# Purpose' })
  const template = await get('policy-templates/backup')
  const vendor = await send('POST', 'vendors', { name: 'Example Cloud', category: 'cloud_provider' })
  const found = await send('POST', 'vendors', {
    name: 'Example Cloud Ltd',
    website: 'https://cloud.example/',
    discoveredBy: 'Single sign-on',
  })
  await send('PUT', `risks/${risk.id}/links/vendor/${found.id}`)
  const test = await send('POST', `webhook-endpoints/${endpoint.id}/test`)
  const id = await transaction(one.service.database.tenant, organization.id, (tx) =>
    startJob({ tx, caller: admin, parts: one.service }, exampleJob, {}),
  )
  const ofAdmin = async (name: string, input: object): Promise<unknown> =>
    (await one.call(admin, name, input)).body
  const JobDetail = await until(async () => {
    const job = (await ofAdmin('getJob', { id })) as { state: string }
    return job.state === 'succeeded' && job
  })
  const CustomField = await ofAdmin(
    'createCustomField',
    one.service.operations.find(({ name }) => name === 'createCustomField')!.example!,
  )
  const framework = (await ofAdmin('createFramework', {
    key: 'house-rules',
    edition: '1',
    name: 'House rules',
  })) as { id: string }
  const other = (await ofAdmin('createFramework', {
    key: 'supplier-rules',
    edition: '1',
    name: 'Rules for suppliers',
  })) as { id: string }
  const requirement = (await ofAdmin('createRequirement', {
    frameworkId: framework.id,
    key: 'H.1',
    title: 'Gateways are patched',
  })) as { id: string }
  await ofAdmin('linkRequirement', { id: requirement.id, targetKind: 'control', targetId: controlId })
  const sheets = sheetsOf(one, admin)
  const csv = 'Full name,Work e-mail\nDee Moe,dee.moe@example.com\nCy Orr,no address\n'
  const planned = await sheets.bring('personnel', csv)
  const review = await one.call(admin, 'createEvidence', {
    title: 'Access review',
    text: 'All were reviewed.',
  })
  const { id: evidenceId } = review.body as { id: string }
  const File = await sendFile(one, admin, 'access-review.txt')
  await ofAdmin('addEvidenceFiles', { id: evidenceId, fileIds: [File.id] })
  await send('POST', `evidence/${evidenceId}/submit`, { reviewer: owner })
  const examples = {
    BulkChange: { ...planned, fields: planned.fields.slice(0, 2) },
    BulkChangeRowPage: await ofAdmin('listBulkChangeRows', { id: planned.id }),
    BulkChangeSummary: await ofAdmin('summarizeBulkChange', { id: planned.id }),
    Me: await send('GET', 'me', undefined, lesser.secret),
    Organization: await get('organization'),
    User: await get(`users/${organization.admin.userId}`),
    UserPage: await get('users'),
    Personnel: person,
    PersonnelPage: await get('personnel'),
    PersonnelSummary: await get('personnel/summary?counted=total&counted=status'),
    PersonnelBatch,
    ResponsibilityPage: await get(`personnel/${person.id}/responsibilities`),
    OwnershipPrincipalPage: await get('ownership-principals'),
    Risk: risk,
    RiskPage: await get('risks'),
    RiskSummary: await get('risks/summary?counted=current&counted=due&counted=ownerless&counted=status'),
    RiskBatch,
    Control,
    ControlPage: await get('controls'),
    ControlSummary: await get('controls/summary?counted=implementationStatus'),
    Link,
    VendorMergePlan: await get(`vendors/${vendor.id}/merge?from=${found.id}`),
    LinkedRecordPage: await get(`risks/${risk.id}/links`),
    Dependents: await get(`risks/${risk.id}/dependents`),
    HistoryEntryPage,
    PolicyLogEntryPage: await get(`policies/${policy.id}/log`),
    AttestationsOfPerson: await get(`personnel/${person.id}/attestations`),
    AttestationPage: await get(`policies/${policy.id}/attestations`),
    AnsweredFrameworkList: {
      data: [
        {
          frameworkKey: 'urn:plumbline:framework:iso-27001',
          edition: '2022',
          isActive: true,
          count: 9,
          unlinked: 2,
        },
      ],
    },
    PolicyVersionAudience: await get(`policy-versions/${draft.id}/audience`),
    AudienceNames: await get('audience-names?by=departments'),
    PolicyTemplateText: { ...template, content: template.content.split('\n\n', 2).join('\n\n') },
    PolicyTemplateList: { data: (await get('policy-templates')).data.slice(0, 2) },
    FoundRecords: await get('search?q=gateway'),
    StatementOfApplicability: await get(`frameworks/${framework.id}/statement-of-applicability`),
    StatementApprovalList: await get(`frameworks/${framework.id}/statement-of-applicability/versions`),
    CoverageDayList: await get(`frameworks/${framework.id}/coverage-days`),
    FrameworkComparison: await get(`frameworks/${framework.id}/comparison?withId=${other.id}`),
    FrameworkControlPage: await get(`frameworks/${framework.id}/controls`),
    FrameworkMappingPage: await get('framework-mappings'),
    RequirementCoverage: await get(`requirements/${requirement.id}/coverage`),
    DeadlinePage: await get('deadlines?type=control&type=risk&limit=1'),
    WaitingPage: await get('waiting?limit=1'),
    RecordSignalPage: await get(`risks/${risk.id}/signals?limit=1`),
    WebhookEndpointWithSecret: endpoint,
    WebhookEndpoint: await get(`webhook-endpoints/${endpoint.id}`),
    WebhookEndpointPage: await get('webhook-endpoints'),
    WebhookEndpointHealth: await get(`webhook-endpoints/${endpoint.id}/health`),
    WebhookDeliveryPage: await get('webhook-deliveries?type=risk.created'),
    WebhookDeliveryDetail: test,
    File,
    DownloadLink: {
      ...(await get(`files/${File.id}/content`)),
      url: 'https://plumbline.example.com/download/Zk3v9QmT2bX8sLw0aRj5nYc7uHf1eGd4iKo6pVtA_zM',
    },
    EvidenceFileList: await get(`evidence/${evidenceId}/files`),
    EvidenceRevisionList: await get(`evidence/${evidenceId}/revisions`),
    JobDetail,
    CustomField,
    CustomFieldPage: await get('custom-fields'),
    JobPage: await ofAdmin('listJobs', {}),
    RiskMatrix: await get('risk-matrix'),
    RiskMatrixVersions: await get('risk-matrix/versions'),
    Problem: await send('GET', `risks/${person.id}`),
  }
  await one.call(admin, 'deleteRisk', { id: risk.id })
  const others = await recordOtherKinds(one, address)
  const bodies = await one.administrator.query(
    'select type, body from signals where organization_id = any($1) order by organization_id desc',
    [[organization.id, others.organizationId]],
  )
  return {
    ...examples,
    ...commented,
    ...others.examples,
    ...Object.fromEntries(bodies.rows.map(({ type, body }) => [signalName(type), JSON.parse(body)])),
    WebhookTestSignal: JSON.parse(test.request.body),
  }
}

/** The admin under a name that is the same in every run. */
async function asAda(one: TestService, { id, admin }: TestOrganization): Promise<Caller> {
  await one.administrator.query(`update members set name = 'Ada Byrne' where organization_id = $1`, [id])
  return { ...admin, credential: { ...admin.credential, name: 'Ada Byrne' } }
}

/** Those that are recorded above, with what is special about them. */
const BY_HAND = ['risk', 'control', 'personnel']

/** The same answers of every other kind, in an organization of their own that has all features. */
async function recordOtherKinds(one: TestService, address: string) {
  const features = Object.values(SIGNAL_TYPES).flatMap((type) => ('feature' in type ? [type.feature] : []))
  const organization = await one.organization(Object.fromEntries(features.map((feature) => [feature, true])))
  const admin = await asAda(one, organization)
  const answer = async (name: string, input: object = {}): Promise<Record<string, unknown>> =>
    (await one.call(admin, name, input)).body
  const kinds = everyKind.filter(({ name }) => !BY_HAND.includes(name))
  const signalTypes = kinds.flatMap(({ name, signals }) => signals.map((event) => `${name}.${event}`))
  if (signalTypes.length > 0) await answer('createWebhookEndpoint', { address, signalTypes })
  const examples: Record<string, unknown> = {}
  for (const kind of kinds) {
    const calls = callsOf(kind)
    const create = one.service.operations.find(({ name }) => name === calls.create)
    // What follows from something else is read.
    const pointedAt = create
      ? await makePointedAt(one, admin, create)
      : { id: await makeUnder(one, admin, pathsOf(kind).all) }
    const rename =
      "update members set name = 'Bo Lind' where organization_id = $1 and name like 'Colleague %'"
    await one.administrator.query(rename, [organization.id])
    const made = create
      ? await answer(create.name, { ...sampleOf(create), ...kind.example, ...pointedAt })
      : await answer(calls.get, pointedAt)
    const name = pascal(kind.name)
    examples[name] = made
    examples[`${name}Page`] = await answer(calls.list)
    examples[`${name}Summary`] = await answer(calls.summarize, { counted: ['total'] })
    if (kind.access.create && !isForPersons(kind.access.create))
      examples[`${name}Batch`] = await answer(calls.createBatch, { records: [{}] })
    if (kind.access.update) await answer(calls.update, { id: made.id, [kind.named]: 'Under another name' })
    if (kind.access.delete) await answer(calls.delete, { id: made.id })
  }
  return { organizationId: organization.id, examples }
}

const signalName = (type: string): string =>
  `${type.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())}Signal`

const ADDRESS = 'https://hooks.example.com/plumbline'
const SECRET = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
const MADE_AT = '2026-05-17T10:00:00.000Z'
const CHANGED_AT = '2026-05-17T10:05:00.000Z'
const SENT_AT = '2026-05-17T10:00:01.000Z'
const ROWS = 2

const plusDays = (time: string | number, days: number) =>
  new Date(new Date(time).getTime() + days * 86_400_000).toISOString().slice(0, 10)
/** By when a high finding of today is due by itself. */
const DUE = plusDays(Date.now(), 30)
const DUE_AT = plusDays(MADE_AT, 30)

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /\b([a-z]{2,6})_[0-9a-z]{26}\b/g
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** What samples.ts makes up. */
const SAMPLE = /^sample \d+( x+)?$/
/** A name that was put together of one. */
const SAMPLE_OF = /^sample \d+(?= )/
const SAMPLE_ADDRESS = /^person\d+@example\.com$|^https:\/\/hooks\.example\.com\/\d+$/
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

const FIXED: Readonly<Record<string, unknown>> = {
  secret: `whsec_${SECRET.toString('base64')}`,
  prefix: 'comply_Zk3v9QmT2',
  nextCursor: 'WyItdGltZSJd',
  sentAt: SENT_AT,
  at: SENT_AT,
  durationMs: 84,
  medianMs: 84,
  slowMs: 84,
  // As an operator has it who sets nothing.
  calls: 500,
}

/** The same from every run. */
function settled(examples: Record<string, unknown>, address: string): Record<string, unknown> {
  const ids = new Map<string, string>()
  const idOf = (id: string, prefix: string): string => {
    const known = ids.get(id)
    if (known) return known
    const nth = [...ids.values()].filter((one) => one.startsWith(`${prefix}_`)).length
    const made = `${prefix}_01k9f8qxk2e9mbz6w0h5t4v3r${DIGITS[nth + 10]}`
    ids.set(id, made)
    return made
  }
  const walk = (value: unknown, name: string, isChanged: boolean): unknown => {
    if (value === null) return null
    if (Array.isArray(value)) return value.slice(0, ROWS).map((part) => walk(part, name, isChanged))
    if (typeof value === 'object') return walkObject(value as Record<string, unknown>, isChanged)
    if (name in FIXED) return FIXED[name]
    if (typeof value !== 'string') return value
    if (name === 'body') return JSON.stringify(walk(JSON.parse(value), '', false))
    if (TIME.test(value)) return isChanged && ['updatedAt', 'time'].includes(name) ? CHANGED_AT : MADE_AT
    if (value === DUE) return DUE_AT
    if (UUID.test(value)) return '0f6e2a5c-9d1b-4c38-8a77-3b5d9e1f2a40'
    if (SAMPLE.test(value)) return 'An example'
    if (SAMPLE_OF.test(value)) return value.replace(SAMPLE_OF, 'An example')
    if (SAMPLE_ADDRESS.test(value)) return value.replace(/\d+/, '')
    return value.replaceAll(address, ADDRESS).replace(ID, idOf)
  }
  const walkObject = (given: Record<string, unknown>, outer: boolean): Record<string, unknown> => {
    const value = fromItsDay(given)
    const isChanged =
      outer || Number(value.version) > 1 || /updated$|update$/.test(String(value.type ?? value.action))
    const made = Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, walk(part, name, isChanged)]),
    )
    return made
  }
  const all = walkObject(examples, false)
  const detail = all.WebhookDeliveryDetail as { id: string; request: { body: string; headers: object } }
  const headers = signedHeaders(detail.request.headers, detail.id, detail.request.body)
  return JSON.parse(JSON.stringify(all, (name, part) => (name === 'headers' && part ? headers : part)))
}

/** What says which day it is tells other days from there. */
function fromItsDay(value: Record<string, unknown>): Record<string, unknown> {
  const { today } = value
  if (typeof today !== 'string') return value
  const days = (day: string) => (Date.parse(day) - Date.parse(today)) / 86_400_000
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' && DAY.test(part) ? plusDays(MADE_AT, days(part)) : part,
    ]),
  )
}

/** Headers as they would be of this body, sent at that time with that secret. */
function signedHeaders(headers: object, id: string, body: string): Record<string, string> {
  const timestamp = String(Date.parse(SENT_AT) / 1_000)
  const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    ...headers,
    host: new URL(ADDRESS).host,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'content-length': String(Buffer.byteLength(body)),
  }
}
