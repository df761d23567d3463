import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { callTool, rpc, withoutEmpty } from './support/mcp.ts'
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

describe.each(ERAS)('%s', (era, options) => {
  test('a client lists, calls and reads errors', async () => {
    const { secret } = await acme.key(['read:risks', 'write:risks'])
    const client = await connect(secret, options)
    expect(client.getServerVersion()).toMatchObject({ name: 'plumbline' })
    expect(client.getInstructions()).toContain('findTools')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'findTools',
      'getMe',
      'getRiskMatrix',
      'listRiskMatrixVersions',
      'listRisks',
      'summarizeRecords',
      'createRisk',
      'createRecordBatch',
      'upsertRecord',
      'getRecord',
      'getRecordDependents',
      'getRecordHistory',
      'listRecordSignals',
      'updateRisk',
      'listRecordLinks',
      'linkRecords',
      'unlinkRecords',
      'listRiskTreatments',
      'listRecordsUnder',
      'createRiskTreatment',
      'updateRiskTreatment',
      'listRiskAcceptances',
      'createRiskAcceptance',
      'listSecurityFindings',
      'createSecurityFinding',
      'updateSecurityFinding',
      'exportRecords',
      'search',
      'listOwnershipPrincipals',
      'listCustomFields',
      'getCustomField',
      'listDeadlines',
      'listWaiting',
      'listJobs',
      'getJob',
      'getJobResult',
      'cancelJob',
      'resumeJob',
      'startExport',
      'listComments',
      'createComment',
      'updateComment',
      'listCommentVersions',
      'downloadCommentFile',
    ])
    const made = (await client.callTool({
      name: 'createRisk',
      arguments: { title: 'By a tool' },
    })) as CallToolResult
    expect(made.isError).toBeFalsy()
    const risk = made.structuredContent as { id: string }
    expect(JSON.parse((made.content[0] as { text: string }).text)).toEqual(risk)
    const read = await door.send(secret, 'GET', `/v1/risks/${risk.id}`)
    expect(withoutEmpty(read.body)).toEqual(risk)
    const wrong = (await client.callTool({
      name: 'createRisk',
      arguments: { titel: 'A typo', status: 'open' },
    })) as CallToolResult
    expect(wrong.isError).toBe(true)
    const [words, problem] = wrong.content.map((each) => (each as { text: string }).text)
    expect(words).toMatch(/^title: required: give text$/m)
    expect(words).toMatch(/^status: there is no .* here: .*give one of identified, /m)
    expect(words).toMatch(/^titel: no such field; did you mean title\?$/m)
    expect(words).toContain('call createRisk again')
    expect(JSON.parse(problem!)).toMatchObject({ status: 422, code: 'validation_failed' })
    const nowhere = (await client.callTool({
      name: 'getRecord',
      arguments: { id: 'risk_x' },
    })) as CallToolResult
    expect((nowhere.content[0] as { text: string }).text).toContain('listRisks finds ids')
    await client.close()
  })

  test('a client finds what it was not shown, and works with records of two kinds through one tool', async () => {
    const { secret } = await acme.key(['read:risks', 'write:risks', 'read:controls'])
    const client = await connect(secret, options, '?toolsets=me')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['findTools', 'getMe'])
    const answered = async (name: string, input: Record<string, unknown>) => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: input })
      expect(isError, JSON.stringify(content)).toBeFalsy()
      return structuredContent as Record<string, unknown>
    }
    const [add] = (await answered('findTools', { words: 'add a risk' })).tools as [
      { name: string; inputSchema: { required: string[] } },
    ]
    expect([add.name, add.inputSchema.required]).toEqual(['createRisk', ['title']])
    const { id } = await answered(add.name, { title: 'Found and added' })
    const { body } = await one.call(acme.admin, 'createControl', {
      code: `A-${era}`,
      title: 'Found and linked',
    })
    const control = (body as { id: string }).id
    const found = (await answered('findTools', { words: 'link a risk with a control' })).tools as {
      name: string
    }[]
    expect(found.slice(0, 3).map(({ name }) => name)).toContain('linkRecords')
    await answered('linkRecords', { id, targetKind: 'control', targetId: control })
    for (const [from, to] of [
      [id, control],
      [control, id],
    ]) {
      expect(await answered('getRecord', { id: from })).toMatchObject({ id: from })
      expect((await answered('listRecordLinks', { id: from })).data).toMatchObject([{ id: to }])
      expect((await answered('getRecordHistory', { id: from, limit: 1 })).data).toHaveLength(1)
    }
    const filters = { controlId: [control] }
    expect(await answered('summarizeRecords', { type: 'risk', filters })).toMatchObject({ total: 1 })
    const batch = await answered('createRecordBatch', { type: 'risk', records: [{ title: 'One of many' }] })
    expect(batch.data).toMatchObject([{ record: { version: 1 } }])
    await answered('unlinkRecords', { id, targetKind: 'control', targetId: control })
    expect(await answered('listRecordLinks', { id })).not.toHaveProperty('data.0')
    await client.close()
  })

  test('what the key may not do ends in a 403 that says what is missing', async () => {
    const { secret } = await acme.key(['read:risks'])
    const client = await connect(secret, options)
    const refused = await client
      .callTool({ name: 'createRisk', arguments: { title: 'No' } })
      .catch((error) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(JSON.stringify([refused.message, refused])).toContain('write:risks')
    await client.close()
  })

  test('an unknown key ends in a 401', async () => {
    const refused = await connect(`comply_${'x'.repeat(32)}`, options).catch((error) => error)
    expect(JSON.stringify([refused.message, refused])).toMatch(/401|credential_invalid|Unauthorized/)
  })
})

test('answers that are made at the same time are never crossed', async () => {
  const other = await one.organization()
  const callers = await Promise.all(
    [acme, other].map(async (organization) => ({
      organization,
      ...(await organization.key(['read:organization'])),
    })),
  )
  const calls = Array.from(
    { length: 60 },
    (_, n) => ({ ...callers[n % 2]!, era: n % 3 ? 'modern' : 'legacy' }) as const,
  )
  const told = await Promise.all(
    calls.map(({ secret, era }) => callTool(door, secret, 'getOrganization', {}, { era })),
  )
  told.forEach(({ result }, n) => {
    expect(result.structuredContent.id).toBe(calls[n]!.organization.id)
  })
})

test('there are no sessions: none is given, and one that is named means nothing', async () => {
  const { secret } = await acme.key([])
  for (const era of ['modern', 'legacy'] as const) {
    const reply = await rpc(
      door,
      secret,
      'tools/list',
      {},
      { era, headers: { 'mcp-session-id': 'of-another' } },
    )
    expect([reply.status, reply.headers['mcp-session-id']]).toEqual([200, undefined])
    // What finds tools, what tells of the credential, and the jobs that it started.
    expect(reply.result.tools).toHaveLength(7)
  }
})
