import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, type Callback, listenForCallback } from './support/agent.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { newSomebody, PASSWORD, type Somebody } from './support/factors.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { loopbackSettings } from './support/webhooks.ts'

/*
 * An agent gets in as its person would let it: by the protocol's own client, in both eras of the protocol, and
 * through the pages of the web app in a real browser.
 */

let site: Site
let documents: Receiver
let callback: Callback
let settings: Awaited<ReturnType<typeof loopbackSettings>>

beforeAll(async () => {
  settings = await loopbackSettings()
  callback = await listenForCallback()
  documents = await startReceiver({ behaviour: async () => ({ status: 200, ...documentOf() }) })
  site = await startSite(settings.settings)
})
afterAll(async () => {
  await site?.close()
  await documents.close()
  callback.close()
  settings.remove()
})

const documentUrl = () => `${documents.url.replace(/\/$/, '')}/agent.json`
const documentOf = () => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    client_id: documentUrl(),
    client_name: 'Document agent',
    redirect_uris: [callback.url],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }),
})

const ERAS = [
  ['2025-11-25', 'registers itself', 'Agent', {}, () => undefined],
  [
    '2026-07-28',
    'has a document',
    'Document agent',
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    documentUrl,
  ],
] as const

const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })

describe.each(ERAS)('in %s, an agent that %s', (_era, _how, name, options, document) => {
  let somebody: Somebody
  let agent: Agent
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL(`${site.url}/v1/mcp`), { authProvider: agent })
  const open = async () => {
    const client = new Client({ name: 'an agent', version: '1' }, options)
    await client.connect(transportOf())
    return client
  }
  /** The agent opens the browser, the person decides there, and the agent goes on with the answer. */
  const letIn = async (page: TestPage, decide: () => Promise<void>) => {
    await page.goto(agent.sentTo!.href)
    await decide()
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Back at the agent' }).waitFor()
    expect(callback.answered()?.get('state')).toBe('a-state')
    await transportOf().finishAuth(callback.answered()!)
  }
  const tool = async (client: Client, tool: string, input: object = {}) =>
    (await client.callTool({ name: tool, arguments: { ...input } })) as CallToolResult

  beforeAll(async () => {
    somebody = await newSomebody(site, site.door)
    agent = new Agent(document(), callback.url)
  })

  test('is let in by a person who signs in on the way, and calls a tool', async () => {
    await expect(open()).rejects.toThrow(/unauthorized/i)
    const page = await site.open('/sign-in', { expected: [/asked http:\/\/127\.0\.0\.1/] })
    await letIn(page, async () => {
      await page.getByLabel('E-mail').fill(somebody.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(page, 'Sign in').click()
      await heading(page, `Authorize ${name}?`).waitFor()
      await page.getByText('127.0.0.1', { exact: false }).first().waitFor()
      await page.getByText('It runs on this computer').waitFor()
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(8)
    })
    const client = await open()
    const me = (await tool(client, 'getMe')).structuredContent as { type: string; scopes: string[] }
    expect(me).toMatchObject({ type: 'oauth_token', name, role: 'admin' })
    expect(me.scopes).toContain('read:risks')
    expect(me.scopes).not.toContain('write:risks')
    await client.close()
  })

  test('asks for more when a call needs it, and stays in its organization', async () => {
    const client = await open()
    await expect(tool(client, 'createRisk', { title: 'By an agent' })).rejects.toThrow()
    const page = await site.open('/sign-in', {
      as: { accountId: somebody.accountId, organizationId: somebody.organizationId } as never,
      expected: [/asked http:\/\/127\.0\.0\.1/],
    })
    await letIn(page, async () => {
      await heading(page, `Authorize ${name}?`).waitFor()
      await page.getByText('It has access to this organization already and asks for more.').waitFor()
      expect(await page.getByRole('checkbox', { name: /Create, update, link risks/ }).isChecked()).toBe(true)
    })
    const again = await open()
    const made = await tool(again, 'createRisk', { title: 'By an agent' })
    expect(made.structuredContent).toMatchObject({
      source: 'mcp',
      createdBy: { type: 'oauth_client', displayName: name },
    })
    expect((await tool(again, 'listRisks')).structuredContent).toMatchObject({
      data: [{ title: 'By an agent' }],
    })
    await Promise.all([client.close(), again.close()])
  })

  test('goes on with its refresh token when the access token is too old', async () => {
    const { access_token, refresh_token } = agent.held!
    await site.moveClock(61 * 60_000)
    const client = await open()
    expect((await tool(client, 'listRisks')).isError).toBeFalsy()
    expect(agent.held!.access_token).not.toBe(access_token)
    expect(agent.held!.refresh_token).not.toBe(refresh_token)
    await client.close()
  })

  test('loses what the person loses, with the very next call', async () => {
    const client = await open()
    await site.administrator.query("update members set role = 'viewer' where user_id = $1", [somebody.userId])
    const refused = await tool(client, 'createRisk', { title: 'Too late' })
    expect([refused.isError, (refused.content[0] as { text: string }).text]).toEqual([
      true,
      expect.stringContaining('viewer'),
    ])
    expect((await tool(client, 'listRisks')).isError).toBeFalsy()
    await site.administrator.query("update members set role = 'admin' where user_id = $1", [somebody.userId])
    await client.close()
  })

  test('is out at once when the person revokes it on their page', async () => {
    const client = await open()
    const { access_token } = agent.held!
    const page = await site.open('/account/connected-apps', {
      as: { accountId: somebody.accountId, organizationId: somebody.organizationId } as never,
    })
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('button', { name: /Revoke/ })
      .click()
    await button(page, 'Revoke app').click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await expect(tool(client, 'listRisks')).rejects.toThrow()
    const { status, body } = await site.door.send(access_token, 'GET', '/v1/me')
    expect([status, body.code]).toEqual([401, 'credential_invalid'])
    await client.close()
  })
})
