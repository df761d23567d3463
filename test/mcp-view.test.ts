import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLE_SCOPES, SCOPES, type Scope } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { TOKENS_AT_MOST, TOOLS_AT_MOST, tokensOf } from '../server/doors/mcp/core.ts'
import { toolsOf } from '../server/doors/mcp/tools.ts'
import { toolListsOf } from '../server/doors/mcp/view.ts'
import { operationsBy } from '../server/operations.ts'
import { connectApp, issueToken } from './support/connected-app.ts'
import type { Door } from './support/door.ts'
import { callTool, rpc, toolNames } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* What is shown of the tools, and that hiding one never makes it unknown. */

const ALL = Object.keys(SCOPES) as Scope[]
const tools = toolsOf(operationsBy('credential'))
const ALL_TOOLS = ['findTools', ...tools.map(({ name }) => name)]

let one: TestService
let door: Door
let acme: TestOrganization
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(ALL)).secret
})
afterAll(() => one.close())

test('a key sees all that it may call, in the order of the list, as long as there is room', async () => {
  const { result } = await rpc(door, key, 'tools/list')
  const names = result.tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(ALL_TOOLS.filter((name) => names.includes(name)))
  expect(names).toEqual(
    expect.arrayContaining(['findTools', 'getMe', 'getRecord', 'listRisks', 'createRisk']),
  )
  expect(names.length).toBeLessThanOrEqual(TOOLS_AT_MOST)
  expect(tokensOf(result.tools)).toBeLessThanOrEqual(TOKENS_AT_MOST)
  const { secret } = await acme.key(['read:personnel'])
  expect(await toolNames(door, secret)).toEqual([
    'findTools',
    'getMe',
    'summarizeRecords',
    'getRecord',
    'getRecordDependents',
    'getRecordHistory',
    'listPersonnel',
    'exportRecords',
    'search',
    'listOwnershipPrincipals',
    'getPersonnelResponsibilities',
    'listCustomFields',
    'getCustomField',
    'listJobs',
    'getJob',
    'getJobResult',
    'cancelJob',
    'resumeJob',
    'startExport',
    'listComments',
    'listCommentVersions',
    'downloadCommentFile',
    'listAudienceNames',
    'listAttestationsOfPerson',
  ])
})

test('a key made by someone who has become a viewer sees what viewers may do', async () => {
  const editor = await acme.person('editor')
  const { secret } = await acme.key(['write:risks', 'read:risks'], editor)
  expect(await toolNames(door, secret)).toContain('createRisk')
  await one.call(acme.admin, 'updateUser', { id: editor.userId, role: 'viewer', confirm: true })
  expect(await toolNames(door, secret)).not.toContain('createRisk')
})

describe('the address narrows', () => {
  test('to toolsets', async () => {
    const names = await toolNames(door, key, { query: '?toolsets=principals,webhooks' })
    expect(names).toEqual(
      tools
        .filter(({ members }) => members.some(({ toolset }) => ['principals', 'webhooks'].includes(toolset)))
        .map(({ name }) => name),
    )
    expect(names).toContain('listWebhookDeliveries')
    expect(await toolNames(door, key, { query: '?toolsets=all' })).toEqual(ALL_TOOLS)
    expect(await toolNames(door, key, { query: '?toolsets=risks&toolsets=principals' })).toContain(
      'getRecord',
    )
  })

  test('to reading, and then nothing is written whatever is called', async () => {
    const query = '?readonly=1'
    const { result } = await rpc(door, key, 'tools/list', {}, { query })
    expect(result.tools.length).toBeGreaterThan(10)
    for (const tool of result.tools) expect(tool.annotations.readOnlyHint).toBe(true)
    const refused = await callTool(door, key, 'createRisk', { title: 'No' }, { query })
    expect([refused.status, refused.result.isError, refused.problem.code]).toEqual([200, true, 'read_only'])
    expect(
      (await callTool(door, key, 'listRisks', { q: 'No' }, { query })).result.structuredContent.data,
    ).toEqual([])
  })

  test('and never widens: what it shows beyond the rights stays shut', async () => {
    const { secret } = await acme.key(['read:risks'])
    expect(await toolNames(door, secret, { query: '?toolsets=all' })).not.toContain('createRisk')
    expect(
      (await callTool(door, secret, 'createRisk', { title: 'No' }, { query: '?toolsets=all' })).status,
    ).toBe(403)
  })

  test('by names it knows', async () => {
    for (const [query, said] of [
      ['?toolsets=risk', 'did you mean risks?'],
      ['?toolsets=', 'name some of'],
      ['?readonly=yes', 'give 1'],
      ['?toolset=risks', 'did you mean toolsets?'],
      ['?toolsets=%ff', 'percent-encoded'],
    ] as const) {
      const reply = await rpc(door, key, 'tools/list', {}, { query })
      expect([query, [400, 422].includes(reply.status)]).toEqual([query, true])
      expect(JSON.stringify(reply.body.error)).toContain(said)
    }
  })
})

test('a tool that is hidden is not unknown: it says what it needs, or is called', async () => {
  const { secret } = await acme.key(['read:risks'])
  const refused = await callTool(door, secret, 'createRisk', { title: 'No' })
  expect([refused.status, refused.problem.code, refused.problem.required, refused.body.id]).toEqual([
    403,
    'insufficient_scope',
    ['write:risks'],
    1,
  ])
  expect(refused.headers['www-authenticate']).toMatch(
    /^Bearer resource_metadata="[^"]+", error="insufficient_scope", scope="write:risks"/,
  )
  const viewer = await acme.key(ALL, await acme.person('viewer'))
  const low = await callTool(door, viewer.secret, 'createRisk', { title: 'No' })
  expect([low.status, low.result.isError, low.problem.code]).toEqual([200, true, 'capability_required'])
  expect(low.headers['www-authenticate']).toBeUndefined()
  const persons = await callTool(door, key, 'createApiKey', {})
  expect([persons.status, persons.problem.code]).toEqual([200, 'session_required'])
  const beside = await callTool(door, key, 'getOrganization', {}, { query: '?toolsets=risks' })
  expect(beside.result.structuredContent).toMatchObject({ id: acme.id })
})

test('getMe tells what is hidden and what would show it', async () => {
  const { secret } = await acme.key(['read:risks'])
  const { tools: told } = (await callTool(door, secret, 'getMe', {}, { query: '?toolsets=me,risks' })).result
    .structuredContent
  expect(told.shown).toBe((await toolNames(door, secret, { query: '?toolsets=me,risks' })).length)
  expect(told.hidden).toContainEqual({ toolset: 'risks', calls: 14, opensWith: 'a key with write:risks' })
  const open = (await callTool(door, key, 'getMe', {}, { query: '?toolsets=all' })).result.structuredContent
  expect(open.tools).toEqual({ shown: ALL_TOOLS.length, hidden: [] })
})

describe('a token', () => {
  const token = (role: Caller['role'], granted: Scope[]): Caller => ({
    ...acme.admin,
    role,
    granted: new Set(granted),
    credential: { type: 'oauth_token', id: 'app_1', name: 'An app', clientId: 'c', expiresAt: null },
  })
  const toolList = toolListsOf(tools)
  const names = (caller: Caller, toolsets: ReadonlySet<string> | 'all' | null, readonly = false) =>
    toolList(caller, { toolsets, readonly }).definitions.map(({ name }) => name)

  test('sees what the role permits, whatever its scopes: the app can ask for more', () => {
    const permitted = tools.filter(({ members }) =>
      members.some(
        ({ operation: { needs } }) =>
          needs.anyOf.length === 0 || needs.anyOf.some((scope) => ROLE_SCOPES.editor.has(scope)),
      ),
    )
    const all = ['findTools', ...permitted.map(({ name }) => name)]
    expect(names(token('editor', ['read:risks']), 'all')).toEqual(all)
    expect(names(token('editor', []), null)).toContain('createRisk')
    expect(names(token('viewer', ALL), null)).not.toContain('createRisk')
    expect(names(token('editor', ALL), null)).not.toContain('listWebhookEndpoints')
  })

  test('sees no other toolsets than the address names, and no more than the role', () => {
    expect(names(token('viewer', []), new Set(['personnel']))).toContain('listPersonnel')
    expect(names(token('viewer', []), 'all')).not.toContain('createPersonnel')
    expect(names(token('admin', []), 'all')).toEqual(ALL_TOOLS)
    expect(names(token('admin', []), 'all', true)).not.toContain('createPersonnel')
  })

  test('learns which toolsets would show more', () => {
    const { told } = toolList(token('viewer', []), { toolsets: new Set(['risks']), readonly: false })
    expect(told.hidden.map(({ toolset }) => toolset)).toContain('personnel')
    expect(told.hidden.find(({ toolset }) => toolset === 'risks')?.opensWith).toMatch(
      /^a role that allows write:risks/,
    )
    expect(told.hidden.find(({ opensWith }) => opensWith.includes('toolsets=personnel'))).toBeDefined()
  })
})

describe('a token, at the door', () => {
  async function tokenOf(person: Caller, scopes: Scope[]) {
    const app = await connectApp(one.administrator, person, scopes)
    const audience = `${one.service.config.publicUrl}/v1/mcp`
    return { app, token: await issueToken(one.administrator, app, { scopes, audience }) }
  }

  test('is shown what its person may do, and is asked for the scope that it lacks', async () => {
    const { token } = await tokenOf(await acme.person('editor'), ['read:risks'])
    const names = await toolNames(door, token)
    expect(names).toContain('createRisk')
    expect(names).not.toContain('createWebhookEndpoint')
    expect(names.length).toBeLessThanOrEqual(60)
    const refused = await callTool(door, token, 'createRisk', { title: 'No' })
    expect([refused.status, refused.problem.code]).toEqual([403, 'insufficient_scope'])
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", scope="write:risks"')
    const principals = await callTool(door, token, 'listOwnershipPrincipals')
    expect(principals.headers['www-authenticate']).toMatch(/scope="[a-z:]+"/)
    expect((await callTool(door, token, 'listRisks', { limit: 1 })).status).toBe(200)
  })

  test('is never asked for a scope that the role forbids, and shrinks with the role', async () => {
    const person = await acme.person('editor')
    const { token } = await tokenOf(person, ['read:risks', 'write:risks'])
    expect((await callTool(door, token, 'createRisk', { title: 'As an editor' })).result.isError).toBeFalsy()
    await one.call(acme.admin, 'updateUser', { id: person.userId, role: 'viewer', confirm: true })
    expect(await toolNames(door, token)).not.toContain('createRisk')
    const low = await callTool(door, token, 'createRisk', { title: 'As a viewer' })
    expect([low.status, low.result.isError, low.problem.code]).toEqual([200, true, 'capability_required'])
    expect(low.headers['www-authenticate']).toBeUndefined()
  })

  test('is in the audit log as the app, with its program and tool', async () => {
    const { app, token } = await tokenOf(acme.admin, ['write:risks'])
    const client = { name: 'an assistant', version: '3' }
    const made = await callTool(door, token, 'createRisk', { title: 'By an app' }, { client })
    const { id } = made.result.structuredContent
    const { body } = await one.call(acme.admin, 'listAuditLog', { subjectId: [id] })
    expect((body as { data: object[] }).data).toMatchObject([
      {
        channel: 'mcp',
        client: 'an assistant 3',
        tool: 'createRisk',
        actor: { type: 'oauth_client', id: app, actingUserId: acme.admin.userId },
      },
    ])
  })
})

test('lists may be kept, by this client alone', async () => {
  const { result } = await rpc(door, key, 'tools/list')
  expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
})
