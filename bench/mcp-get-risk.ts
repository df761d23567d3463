import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import type { Service } from '../server/service.ts'
import { compare, interleave } from './figures.ts'
import { load, requestBytes } from './http.ts'
import { processorTimeOf } from './processor-time.ts'
import { below, type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeOrganization, type Organization, sampleRisk } from './seed.ts'
import type { RunningService, Stand } from './stand.ts'

const CONNECTIONS = 16
const MILLISECONDS = 3_000

export const mcpGetRisk: Row = {
  name: 'mcp-get-risk',
  title: 'tools/call getRecord against GET /v1/risks/{id}, 16 connections; processor time of tools/list',
  notes: [
    'The same record, key and service; the tool is called as a program of the 2026-07-28 revision calls it. What',
    'tools/list costs is the processor time of the whole process for each request, admission and HTTP included,',
    'for a key that is shown every tool; beside it what GET /v1/me costs in the same way.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const parts = stand.parts(database)
  const id = await makeRisk(parts, organization)
  const service = await stand.service(database, { ROLE: 'api' })
  const { secret } = organization
  const getRisk = requestBytes('GET', `/v1/risks/${id}`, secret)
  const callGetRecord = messageBytes(secret, 'tools/call', { name: 'getRecord', arguments: { id } })
  const rate = (request: Buffer) => () =>
    load(service.port, Array(CONNECTIONS).fill(request), { milliseconds: MILLISECONDS, status: 200 })
  const cost = (request: Buffer) => () => processorTimeOfEach(service, request)
  const list = messageBytes(secret, 'tools/list', {})
  const me = requestBytes('GET', '/v1/me', secret)

  stand.say('mcp-get-risk: warming up')
  await rate(callGetRecord)()
  await rate(getRisk)()
  await rate(list)()
  stand.say('mcp-get-risk: the tool against REST')
  const rates = await interleave(stand.rounds, rate(callGetRecord), rate(getRisk))
  stand.say('mcp-get-risk: what tools/list costs')
  const costs = await interleave(stand.rounds, cost(list), cost(me))
  await parts.close()
  await service.stop()
  return [
    {
      measure: 'risks read by the tool',
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs: 'GET /v1/risks/{id}',
      target: ratioAtLeast(0.5),
    },
    {
      measure: 'processor time of tools/list',
      unit: 'ms',
      ...compare(costs.products, costs.yardsticks),
      yardstickIs: 'GET /v1/me',
      target: below(2),
    },
  ]
}

async function makeRisk(parts: Service, organization: Organization): Promise<string> {
  const requestContext = { channel: 'rest', requestId: newId('req') } as const
  const { caller } = await admitKey(parts, organization.secret, requestContext)
  const operation = operations.find(({ name }) => name === 'createRisk')!
  const { body } = await call(parts, caller, operation, sampleRisk(organization))
  return (body as { id: string }).id
}

/** A message as a program of the protocol's present revision sends it. */
function messageBytes(secret: string, method: string, params: { name?: string; arguments?: object }): Buffer {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  }
  return requestBytes(
    'POST',
    '/v1/mcp',
    secret,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(params.name ? { 'mcp-name': params.name } : {}),
    },
  )
}

/** Of one request among many on one connection; ms. */
async function processorTimeOfEach(service: RunningService, request: Buffer): Promise<number> {
  const before = processorTimeOf(service.pid)
  const rate = await load(service.port, [request], { milliseconds: MILLISECONDS, status: 200 })
  return (processorTimeOf(service.pid) - before) / ((rate * MILLISECONDS) / 1_000)
}
