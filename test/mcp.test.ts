import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* A program of the protocol's own makers calls the tools, in both eras of the protocol. */

let one: TestService
let door: Door
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
})
afterAll(() => one.close())

const ERAS = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
] as const

async function connect(secret: string, options: object, query = '') {
  const client = new Client({ name: 'a test', version: '7' }, options)
  const transport = new StreamableHTTPClientTransport(new URL(`${door.base}/v1/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
  })
  await client.connect(transport)
  return client
}

describe.each(ERAS)('%s', (_era, options) => {
  test('a client lists, calls and reads errors', async () => {
    const { secret } = await acme.key(['read:risks', 'write:risks'])
    const client = await connect(secret, options)
    expect(client.getServerVersion()).toMatchObject({ name: 'plumbline' })
    expect(client.getInstructions()).toContain('getMe')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'getMe',
      'listRisks',
      'summarizeRisks',
      'createRisk',
      'createRiskBatch',
      'getRisk',
      'getRiskHistory',
      'listRiskSignals',
      'updateRisk',
      'listOwnershipPrincipals',
    ])
    const made = (await client.callTool({
      name: 'createRisk',
      arguments: { title: 'By a tool' },
    })) as CallToolResult
    expect(made.isError).toBeFalsy()
    const risk = made.structuredContent as { id: string }
    expect(JSON.parse((made.content[0] as { text: string }).text)).toEqual(risk)
    const read = await door.send(secret, 'GET', `/v1/risks/${risk.id}`)
    expect(read.body).toEqual(risk)
    await client.close()
  })
})
