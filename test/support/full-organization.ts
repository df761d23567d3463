import { everyKind } from '../../model/kinds/index.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { newId } from '../../server/database/ids.ts'
import { connectApp } from './connected-app.ts'
import { makeUnder } from './makers.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import type { TestOrganization, TestService } from './service.ts'
import { until } from './until.ts'
import type { TestDelivery, TestEndpoint } from './webhooks.ts'

/** An organization in which every page has something to show, of each state that it shows differently. */
export interface FullOrganization {
  readonly admin: Caller
  readonly risk: string
  readonly control: string
  readonly person: string
  /** One of each kind, by the name of the kind. */
  readonly records: Readonly<Record<string, string>>
  /** It takes what it gets, went off after ten failures, and waits for a retry. */
  readonly endpoints: Readonly<Record<'well' | 'off' | 'failing', TestEndpoint>>
  /** Delivered at last, and still to be tried again. */
  readonly deliveries: Readonly<Record<'delivered' | 'waiting', string>>
  close(): Promise<void>
}

/** @param one a service that delivers to loopback */
export async function fillOrganization(one: TestService): Promise<FullOrganization> {
  const organization = await one.organization()
  const { admin } = organization
  const ask = async <Body>(name: string, input: object = {}): Promise<Body> =>
    (await one.call(admin, name, input)).body as Body
  const colleague = await organization.person('editor')
  await defineCustomFields(ask)
  const person = await addPeople(ask)
  const control = await addControls(ask, person)
  await addKeys(one, organization)
  await addPeopleWhoSignIn(one, organization)
  await addWhatSignsIn(one, admin)
  const receiver = await startReceiver({ behaviour: ({ path }) => ANSWERS[path] ?? { status: 200 } })
  const webhooks = await sendDeliveries(one, admin, receiver)
  const risk = await addRisks(ask, { type: 'user', refId: colleague.userId })
  const records: Record<string, string> = { risk, control, personnel: person }
  for (const { name, path } of everyKind) records[name] ??= await makeUnder(one, admin, `/v1/${path}`)
  return { admin, risk, control, person, records, ...webhooks, close: () => receiver.close() }
}

/** One that is chosen from, one that is typed, and one that nobody is asked for any more. */
async function defineCustomFields(ask: Ask): Promise<void> {
  const choices = [
    { key: 'emea', label: 'Europe, Middle East and Africa' },
    { key: 'americas', label: 'Americas', retired: true },
  ]
  const kinds = ['risk', 'control']
  const description = 'Where it would hurt most'
  await ask('createCustomField', {
    name: 'region',
    label: 'Region',
    type: 'choice',
    choices,
    kinds,
    description,
  })
  await ask('createCustomField', {
    name: 'signedOn',
    label: 'Contract signed',
    type: 'date',
    kinds: ['risk'],
  })
  await ask('createCustomField', { name: 'old', label: 'Old number', type: 'number', kinds, retired: true })
}

type Ask = <Body>(name: string, input?: object) => Promise<Body>
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const LIKELIHOODS = ['rare', 'unlikely', 'possible', 'likely', 'almost_certain']
const IMPACTS = ['insignificant', 'minor', 'moderate', 'major', 'severe']

/** @returns one that has everything */
async function addRisks(ask: Ask, owner: object): Promise<string> {
  const TITLES = [
    'Backups are not restored in a test',
    'Former employees keep access to the source code',
    'The payroll provider has no second person',
    'Personal data is kept longer than it may be',
    'A laptop is lost with its disk unencrypted',
    `A title without a space in it: ${'unbreakable'.repeat(14)}`,
  ]
  for (const [at, title] of TITLES.entries())
    await ask('createRisk', {
      title,
      likelihood: LIKELIHOODS[at % 5],
      impact: IMPACTS[(at * 2) % 5],
      category: ['technical', 'people', 'third_party', 'privacy'][at % 4],
      ...(at % 2 ? { owner, dueDate: inDays(at * 4 - 9) } : {}),
    })
  const { id } = await ask<{ id: string }>('createRisk', {
    title: 'The gateway is not patched',
    description: 'Version 4 gets no more fixes.\n\nThe vendor asks for a move to version 6 by spring.',
    category: 'technical',
    owner,
    dueDate: inDays(3),
    reviewDate: inDays(60).slice(0, 10),
    likelihood: 'likely',
    impact: 'severe',
    inherentLikelihood: 'almost_certain',
    inherentImpact: 'severe',
    residualLikelihood: 'unlikely',
    residualImpact: 'moderate',
    impactAreas: ['integrity', 'legal'],
    labels: ['edge', '2026'],
    quantification: { currency: 'EUR', lossMin: 10_000, lossMax: 250_000 },
  })
  await ask('updateRisk', { id, status: 'assessed' })
  await ask('updateRisk', { id, status: 'in_treatment', treatmentStrategy: 'mitigate' })
  await ask('createRisk', { title: 'Nobody has rated this yet' })
  return id
}

async function addControls(ask: Ask, owner: string): Promise<string> {
  const STATUSES = ['not_started', 'in_progress', 'partially_implemented', 'implemented']
  const made: string[] = []
  for (const [at, implementationStatus] of STATUSES.entries()) {
    const { id } = await ask<{ id: string }>('createControl', {
      code: `A.5.${at + 1}`,
      title: ['Policies for information security', 'Access rights', 'Backup', 'Logging'][at],
      implementationStatus,
      riskLevel: ['low', 'medium', 'high', 'critical'][at],
      owner: { type: 'personnel', refId: owner },
    })
    made.push(id)
  }
  return made[1]!
}

async function addPeople(ask: Ask): Promise<string> {
  const { id } = await ask<{ id: string }>('createPersonnel', {
    fullName: 'Grace Hopper',
    workEmail: 'grace@example.com',
    jobTitle: 'Head of security',
    department: 'Technology',
    startDate: '2024-03-01',
  })
  await ask('createPersonnel', {
    fullName: 'Bo Lind',
    workEmail: 'bo@example.com',
    managerId: id,
    status: 'on_leave',
  })
  return id
}

async function addKeys(one: TestService, { admin, person, key }: TestOrganization): Promise<void> {
  const make = async (name: string, scopes: Parameters<typeof key>[0], creator = admin) => {
    const { id } = await key(scopes, creator)
    await one.administrator.query('update api_keys set name = $2 where id = $1', [id, name])
    return id
  }
  await make('Backup job', ['read:risks', 'read:controls'])
  await one.call(admin, 'revokeApiKey', { id: await make('The old importer', ['write:risks']) })
  const expired = await make('A trial', ['read:risks'])
  const gone = await person('admin')
  await make('Of somebody who left', ['read:risks'], gone)
  await one.administrator.query("update members set status = 'disabled' where user_id = $1", [gone.userId])
  await one.administrator.query(
    "update api_keys set expires_at = clock_now() - interval '1 day' where id = $1",
    [expired],
  )
}

async function addPeopleWhoSignIn(one: TestService, { admin, person }: TestOrganization): Promise<void> {
  await person('viewer')
  const invited = { email: `invited-${admin.userId}@example.com`, name: 'Ada Lovelace', role: 'editor' }
  await one.call(admin, 'createUser', invited)
}

/** A provider with two domains, identities, passkeys, sessions, an app of the admin's and one that is over. */
async function addWhatSignsIn(one: TestService, admin: Caller): Promise<void> {
  await makeUnder(one, admin, '/v1/account/identities')
  await one.administrator.query(
    `insert into sign_in_domains (organization_id, provider_id, domain, token, verified_at, created_at)
     select organization_id, id, domain, 'a-token', verified_at, clock_now()
       from sign_in_providers,
            (values ($2, clock_now()), ('example.org', null)) as domains (domain, verified_at)
      where organization_id = $1`,
    [admin.organizationId, `${newId('org').slice(4).replaceAll('_', '-')}.example`],
  )
  await makeUnder(one, admin, '/v1/account/sign-in-methods/passkeys')
  await makeUnder(one, admin, '/v1/account/sessions')
  await connectApp(one.administrator, admin, ['read:risks', 'write:webhooks'])
  const over = await connectApp(one.administrator, admin)
  await one.call(admin, 'revokeConnectedApp', { id: over })
}

const ANSWERS: Record<string, { status: number; body?: string; headers?: Record<string, string> }> = {
  '/off': { status: 401, body: 'bad signature' },
  '/failing': {
    status: 503,
    headers: { 'content-type': 'application/json' },
    body: `{"error": "${'down for maintenance '.repeat(20)}"}`,
  },
}

async function sendDeliveries(one: TestService, admin: Caller, receiver: Receiver) {
  const ask = async <Body>(name: string, input: object = {}): Promise<Body> =>
    (await one.call(admin, name, input)).body as Body
  const add = (path: string, signalTypes: string[]) =>
    ask<TestEndpoint>('createWebhookEndpoint', {
      address: `${receiver.url}/${path}`,
      description: `For what is ${path}`,
      signalTypes,
    })
  const endpoints = {
    well: await add('well', ['risk.created', 'risk.updated']),
    off: await add('off', ['risk.created']),
    failing: await add('failing', ['control.updated']),
  }
  for (let nth = 0; nth < 10; nth++) await ask('createRisk', { title: `Found in audit ${nth + 1}` })
  const made = await ask<{ id: string }>('createControl', { code: 'A.8.8', title: 'Patching' })
  await ask('updateControl', { id: made.id, priority: 'high' })
  const deliveries = async (status: string, endpoint: TestEndpoint) =>
    (
      await ask<{ data: TestDelivery[] }>('listWebhookDeliveries', {
        status: [status],
        endpointId: [endpoint.id],
      })
    ).data
  const first = async (status: string, endpoint: TestEndpoint) =>
    (await until(async () => (await deliveries(status, endpoint))[0], `a delivery that is ${status}`)).id
  await until(async () => {
    const { data } = await ask<{ data: TestEndpoint[] }>('listWebhookEndpoints')
    return data.some(({ id, enabled }) => id === endpoints.off.id && !enabled)
  }, 'the end of the failing endpoint')
  return {
    endpoints,
    deliveries: {
      delivered: await first('delivered', endpoints.well),
      waiting: await first('waiting_for_retry', endpoints.failing),
    },
  }
}
