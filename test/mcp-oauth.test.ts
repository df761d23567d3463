import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { ConsentRequest } from '../server/oauth/consent.ts'
import { Agent } from './support/agent.ts'
import { ask, callbackOf, type OauthTest, refresh, startOauthTest, uidOf } from './support/oauth.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import type { TestOrganization } from './support/service.ts'
import { loopbackSettings } from './support/webhooks.ts'

/*
 * The whole way of an agent with the client of the protocol's makers, in both eras: refused, it finds who to ask,
 * makes itself known, sends its person to agree, and calls; and what happens to that when things change.
 */

let one: OauthTest
let acme: TestOrganization
let host: Receiver
let settings: Awaited<ReturnType<typeof loopbackSettings>>

beforeAll(async () => {
  settings = await loopbackSettings()
  one = await startOauthTest(settings.settings)
  acme = await one.organization()
  host = await startReceiver({
    behaviour: ({ path }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...new Agent().clientMetadata, client_id: `${host.url}${path}` }),
    }),
  })
})
afterAll(async () => {
  await host.close()
  await one.close()
  settings.remove()
})

const ERAS = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['whichever', { versionNegotiation: { mode: 'auto' } }],
] as const
const KINDS = [
  ['registers itself', () => new Agent()],
  ['has a document', () => new Agent(`${host.url}/agent.json`)],
] as const

/** A person with an agent that is connected; it asks for more where it is told that it may. */
async function connected(person: Caller, agent: Agent, options: object) {
  const jar = await one.browser(person)
  const open = () => new StreamableHTTPClientTransport(new URL(one.resource), { authProvider: agent })
  /** Sends the person to agree, and comes back with what the browser brings. */
  const agree = async (transport: StreamableHTTPClientTransport) => {
    const uid = uidOf(await jar.fetch(agent.sentTo!.href))
    const { body } = (await ask(one, jar, uid, 'request')) as { body: ConsentRequest }
    const scopes = body.scopes.filter((each) => each.requested).map((each) => each.scope)
    const organizationId = body.organizationId ?? person.organizationId
    const { body: approved } = await ask(one, jar, uid, 'approve', { organizationId, scopes })
    await transport.finishAuth((await callbackOf(jar, approved.returnTo)).searchParams)
    return scopes
  }
  const first = open()
  await expect(new Client({ name: 'agent', version: '1' }, options).connect(first)).rejects.toThrow(
    UnauthorizedError,
  )
  await agree(first)
  const transport = open()
  const client = new Client({ name: 'agent', version: '1' }, options)
  await client.connect(transport)
  return { client, agree: () => agree(transport) }
}

const call = async (client: Client, name: string, input: object = {}) =>
  (await client.callTool({ name, arguments: { ...input } })) as CallToolResult

describe.each(ERAS)('%s', (_era, options) => {
  test.each(KINDS)('an agent that %s', async (_kind, newAgent) => {
    const person = await acme.person('editor')
    const agent = newAgent()
    const { client, agree } = await connected(person, agent, options)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['getMe', 'listRisks', 'createRisk']),
    )
    const me = (await call(client, 'getMe')).structuredContent
    expect(me).toMatchObject({ type: 'oauth_token', role: 'editor', organization: { id: acme.id } })

    await expect(call(client, 'createRisk', { title: 'By an agent' })).rejects.toThrow(UnauthorizedError)
    expect(await agree()).toEqual(expect.arrayContaining(['read:risks', 'write:risks']))
    const made = await call(client, 'createRisk', { title: 'By an agent' })
    expect([made.isError ?? false, made.structuredContent]).toEqual([
      false,
      expect.objectContaining({
        createdBy: { type: 'oauth_client', id: (me as { id: string }).id, displayName: 'Agent' },
      }),
    ])

    const held = agent.held!
    await one.moveClock(3_601_000)
    expect((await call(client, 'listRisks')).isError ?? false).toBe(false)
    expect(agent.held!.access_token).not.toBe(held.access_token)

    await one.call(acme.admin, 'updateUser', { id: person.userId, role: 'viewer', confirm: true })
    const capped = await call(client, 'createRisk', { title: 'No more' })
    expect([capped.isError, JSON.stringify(capped.content)]).toEqual([true, expect.stringContaining('role')])

    await one.moveClock(31_000)
    const known = agent.information as { client_id: string }
    const replayed = await refresh(one, { id: known.client_id, redirect: '' }, held.refresh_token!)
    expect(replayed.body.error).toBe('invalid_grant')
    await expect(call(client, 'listRisks')).rejects.toThrow(UnauthorizedError)
  })
})

test('an agent whose person is gone, or who took it back, has to begin again', async () => {
  for (const end of ['removeUser', 'revokeMyConnectedApp']) {
    const person = await acme.person('viewer')
    const { client } = await connected(person, new Agent(), {})
    const { id } = (await call(client, 'getMe')).structuredContent as { id: string }
    if (end === 'removeUser') await one.call(acme.admin, end, { id: person.userId, confirm: true })
    else await one.call(person, end, { id })
    await expect(call(client, 'getMe')).rejects.toThrow(UnauthorizedError)
  }
})
