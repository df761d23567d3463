import { randomUUID } from 'node:crypto'
import { callsOf } from '../../model/calls.ts'
import { kindOfPrefix, pathsOf } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { newId } from '../../server/database/ids.ts'
import { beginSession, readSession } from '../../server/identity/sessions.ts'
import { startedBy } from '../../server/jobs/acting.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { operations } from '../../server/operations.ts'
import { connectApp } from './connected-app.ts'
import { sendFile } from './files.ts'
import { letIn } from './guest.ts'
import { bareOf, type Form, formOf, sampleOf } from './samples.ts'
import { addMember, type TestService } from './service.ts'

/** What stands under these paths is made by something else than a POST to them. */
const INDIRECTLY: Record<string, (one: TestService, caller: Caller) => Promise<string>> = {
  // Programs see what evidence has, and no more.
  '/v1/files': async (one, caller) => {
    const { id } = await sendFile(one, caller)
    const evidence = await makeUnder(one, caller, '/v1/evidence')
    await one.call(caller, 'addEvidenceFiles', { id: evidence, fileIds: [id] })
    return id
  },
  '/v1/policy-templates': async (one, caller) => {
    const { body } = await one.call(caller, 'listPolicyTemplates', {})
    return (body as { data: { key: string }[] }).data[0]!.key
  },
  '/v1/webhook-deliveries': async (one, caller) => {
    await makeUnder(one, caller, '/v1/webhook-endpoints')
    await makeUnder(one, caller, '/v1/risks')
    const { body } = await one.call(caller, 'listWebhookDeliveries', { limit: 1 })
    return (body as { data: { id: string }[] }).data[0]!.id
  },
  '/v1/account/sessions': async ({ service }, { accountId, organizationId }) => {
    const requestContext = { channel: 'ui', requestId: randomUUID() } as const
    const secret = await beginSession(service, requestContext, {
      accountId,
      organizationId,
      method: 'password',
    })
    return (await readSession(service, secret))!.id
  },
  // By hand: a provider is asked for its configuration when it is added.
  '/v1/sign-in-providers': async ({ administrator }, { organizationId }) => {
    const id = newId('sip')
    await administrator.query(
      `insert into sign_in_providers (organization_id, id, name, issuer, client_id, client_secret_cipher,
         created_at, updated_at)
       values ($1, $2, 'Provider', 'https://provider.invalid', 'client', '', clock_now(), clock_now())`,
      [organizationId, id],
    )
    return id
  },
  '/v1/account/identities': async (one, caller) => {
    const id = newId('idn')
    const provider = await makeUnder(one, caller, '/v1/sign-in-providers')
    await one.administrator.query(
      `insert into sign_in_identities (organization_id, id, provider_id, subject, user_id, created_at)
       values ($1, $2, $3, $2, $4, clock_now())`,
      [caller.organizationId, id, provider, caller.userId],
    )
    return id
  },
  '/v1/account/sign-in-methods/passkeys': async ({ administrator }, { accountId }) => {
    const id = newId('psk')
    await administrator.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, backed_up, created_at)
       values ($1, $2, $1, '', 0, '{}', 'A key', false, clock_now())`,
      [id, accountId],
    )
    return id
  },
  // By hand: of a kind that nothing works.
  '/v1/jobs': async ({ administrator }, caller) => {
    const id = newId('job')
    await administrator.query(
      `insert into jobs (organization_id, id, kind, input, started_by, due_at, created_at, kept_days)
       values ($1, $2, 'example', '{}', $3, clock_now(), clock_now(), 1)`,
      [caller.organizationId, id, JSON.stringify(startedBy(caller))],
    )
    return id
  },
  '/v1/records': (one, caller) => makeUnder(one, caller, '/v1/risks'),
  '/v1/comments': async (one, caller) => {
    const recordId = await makeUnder(one, caller, '/v1/risks')
    const { body } = await one.call(caller, 'createComment', { recordId, text: 'A comment' })
    return (body as { id: string }).id
  },
  '/v1/guest-passes': async (one, caller) => {
    const recordId = await makeUnder(one, caller, '/v1/risks')
    return (await letIn(one, caller, { recordId }, { address: 'guest@example.com' }, 'guest@example.com')).id
  },
  '/v1/attestations': makeAttestation,
  '/v1/my-attestations': makeAttestation,
  '/v1/comment-files': async (one, caller) => {
    const recordId = await makeUnder(one, caller, '/v1/risks')
    const { id } = await sendFile(one, caller)
    await one.call(caller, 'createComment', { recordId, text: 'A comment', fileIds: [id] })
    return id
  },
  '/v1/notices': async (one, caller) => {
    const id = newId('ntc')
    await one.administrator.query(
      `insert into notices (organization_id, id, user_id, kind, facts, count, gathered_by, created_at)
       values ($1, $2, $3, 'assigned', '{}', 1, $2, clock_now())`,
      [caller.organizationId, id, caller.userId],
    )
    return id
  },
  // Without its file: one is sent as bytes.
  '/v1/bulk-changes': async (one, caller) => {
    const { body } = await one.call(caller, 'startImport', { type: 'risk', name: 'risks.csv' })
    return (body as { id: string }).id
  },
  '/v1/framework-migrations': async (one, caller) => {
    const [fromId, toId] = [
      await makeUnder(one, caller, '/v1/frameworks'),
      await makeUnder(one, caller, '/v1/frameworks'),
    ]
    for (const frameworkId of [fromId, toId])
      await one.call(caller, 'createRequirement', {
        frameworkId,
        key: 'A.1',
        title: 'Asks',
        ...(frameworkId === fromId && { note: 'Answered' }),
      })
    const { body } = await one.call(caller, 'planFrameworkMigration', { id: fromId, toId })
    const { planned } = body as { planned: string }
    const started = await one.call(caller, 'startFrameworkMigration', { fromId, toId, planned })
    return (started.body as { id: string }).id
  },
  '/v1/framework-imports': async (one, caller) => {
    const { body } = await one.call(caller, 'startFrameworkImport', { fileName: 'catalog.json' })
    return (body as { id: string }).id
  },
  // One that can be submitted.
  '/v1/policy-versions': async (one, caller) => {
    const approver = await makeColleague(one, caller)
    const policyId = await makeUnder(one, caller, '/v1/policies', { approver })
    const { body } = await one.call(caller, 'createPolicyVersion', { policyId, content: 'A text' })
    return (body as { id: string }).id
  },
  // Asked for when it is.
  '/v1/policy-decisions': async (one, caller) => {
    const versionId = await makeUnder(one, caller, '/v1/policy-versions')
    await one.call(caller, 'submitPolicyVersion', { id: versionId })
    const { body } = await one.call(caller, 'listPolicyDecisions', { versionId: [versionId] })
    return (body as { data: { id: string }[] }).data[0]!.id
  },
  '/v1/connected-apps': ({ administrator }, caller) => connectApp(administrator, caller),
  '/v1/account/connected-apps': ({ administrator }, caller) => connectApp(administrator, caller),
}

/** By hand: nobody is asked before a version is published, which takes two people. */
async function makeAttestation(one: TestService, caller: Caller): Promise<string> {
  const { organizationId } = caller
  const id = newId('pat')
  const policyId = await makeUnder(one, caller, '/v1/policies')
  const { body } = await one.call(caller, 'createPolicyVersion', { policyId, content: 'A text' })
  const personnelId = await makeUnder(one, caller, '/v1/personnel')
  await one.administrator.query(
    `insert into attestations (organization_id, id, policy_id, version_id, round, personnel_id, status, requested_at,
       due_date, updated_at)
     values ($1, $2, $3, $4, 1, $5, 'requested', clock_now(), current_date, clock_now())`,
    [organizationId, id, policyId, (body as { id: string }).id, personnelId],
  )
  return id
}

/**
 * Makes what the paths below `path` are about, so that walks of the list have something to ask for.
 * @returns its id
 */
export async function makeUnder(
  one: TestService,
  caller: Caller,
  path: string,
  given: Record<string, unknown> = {},
): Promise<string> {
  // By an id that is the caller's own, what is not there yet is made.
  if (path.endsWith('/by-external-id')) return randomUUID()
  const indirectly = INDIRECTLY[path]
  if (indirectly) return indirectly(one, caller)
  const kind = everyKind.find((each) => pathsOf(each).all === path)
  const create = kind
    ? operations.find(({ name }) => name === callsOf(kind).create)
    : operations.find((each) => each.method === 'POST' && each.path === path)
  if (!create) throw new Error(`nothing makes what is under ${path}: say in makers.ts how it comes about`)
  const { body } = await one.call(caller, create.name, await sampleFor(one, caller, create, given))
  return (body as { id: string }).id
}

/** A valid input: what must point at another record points at one that there is. */
export const sampleFor = async (
  one: TestService,
  caller: Caller,
  operation: AnyOperation,
  given: Record<string, unknown> = {},
): Promise<Record<string, unknown>> =>
  sampleOf(operation, { ...(await makePointedAt(one, caller, operation)), ...given })

/** What records under one of a kind ask of that. */
const AS_PARENT: Record<string, Record<string, unknown>> = {
  risk: { status: 'assessed', likelihood: 'possible', impact: 'major' },
}

/** Makes the records and people that an input has to point at. @returns what points at them, by its names */
export async function makePointedAt(
  one: TestService,
  caller: Caller,
  operation: AnyOperation,
): Promise<Record<string, unknown>> {
  const { properties = {}, required = [] } = formOf(operation)
  const made: Record<string, unknown> = {}
  for (const name of required) {
    const kind = kindAt(properties[name]!)
    if (kind) made[name] = await makeOfKind(one, caller, kind)
    if (isPrincipal(properties[name]!)) made[name] = await makeColleague(one, caller)
  }
  const { bodyIs, sharedTool } = operation
  if (!bodyIs || !sharedTool) return made
  const create = operations.find(({ name }) => name === callsOf(sharedTool.kind).create)!
  const within = await makePointedAt(one, caller, create)
  // Where it points at nothing, it is made anew each time: it may have what no two can have.
  return Object.keys(within).length > 0 ? { ...made, [bodyIs]: sampleOf(create, within) } : made
}

const isPrincipal = (form: Form): boolean => Array.isArray(bareOf(form).properties?.refId?.refersTo)

export async function makeColleague({ administrator }: TestService, { organizationId }: Caller) {
  const accountId = newId('acc')
  await administrator.query('insert into users (id, email, created_at) values ($1, $2, clock_now())', [
    accountId,
    `${accountId}@example.com`,
  ])
  const colleague = { organizationId, accountId, name: `Colleague ${accountId.slice(-6)}`, role: 'editor' }
  return { type: 'user', refId: await addMember(administrator, colleague) }
}

const kindAt = (form: Form) => kindOfPrefix(bareOf(form).refersTo)

/** Makes a record that others can be under, and point at. @returns its id */
export const makeOfKind = (one: TestService, caller: Caller, kind: Kind): Promise<string> =>
  makeUnder(one, caller, pathsOf(kind).all, AS_PARENT[kind.name])
