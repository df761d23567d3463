import { toolNameOf } from '../../server/doors/mcp/tools.ts'
import type { AnyOperation } from '../../server/operation.ts'
import type { Door, Reply } from './door.ts'

/** How a request is made by hand; what a client of the protocol's makers does is tried in mcp.test.ts. */
export interface Asked {
  /** What stands behind the path. */
  query?: string
  headers?: Record<string, string>
  era?: 'modern' | 'legacy'
  client?: { name: string; version: string }
}

export interface ToolReply extends Reply {
  /** The result of the JSON-RPC answer, if it is one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly result: any
  /** The problem of a refusal, whether the tool told it or the door. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly problem: any
}

const VERSION = '2026-07-28'

/** One message of a method, as a program of the present era sends it, or of the one before. */
export function messageOf(method: string, params: object, { era = 'modern', client }: Asked = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(client ? { 'io.modelcontextprotocol/clientInfo': client } : {}),
  }
  return { jsonrpc: '2.0', id: 1, method, params: era === 'modern' ? { ...params, _meta } : params }
}

export function headersOf(method: string, name?: string, { era = 'modern', headers = {} }: Asked = {}) {
  const accept = 'application/json, text/event-stream'
  if (era === 'legacy') return { accept, 'mcp-protocol-version': '2025-11-25', ...headers }
  return {
    accept,
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
    ...headers,
  }
}

/** Sends one message and reads the answer, in whichever form it comes. */
export async function rpc(
  door: Door,
  secret: string | null,
  method: string,
  params: object = {},
  asked: Asked = {},
): Promise<ToolReply> {
  const { name } = params as { name?: string }
  const reply = await door.send(secret, 'POST', `/v1/mcp${asked.query ?? ''}`, {
    body: messageOf(method, params, asked),
    headers: headersOf(method, name, asked),
  })
  const body = reply.body ?? eventIn(reply.text)
  const told = body?.result?.isError ? body.result.content[1]?.text : undefined
  return { ...reply, body, result: body?.result, problem: told ? JSON.parse(told) : body?.error?.data }
}

export const callTool = (
  door: Door,
  secret: string | null,
  name: string,
  input: object = {},
  asked: Asked = {},
): Promise<ToolReply> => rpc(door, secret, 'tools/call', { name, arguments: input }, asked)

/** Calls the tool that stands for an operation, with what tells it from the others behind that. */
export function callOperation(
  door: Door,
  secret: string | null,
  operation: AnyOperation,
  input: Record<string, unknown> = {},
): Promise<ToolReply> {
  const { sharedTool, method } = operation
  const isTold = !sharedTool || 'id' in operation.input.shape
  const { fields, ...filters } = input
  const told = method === 'GET' ? { filters, ...(fields ? { fields } : {}) } : input
  return callTool(
    door,
    secret,
    toolNameOf(operation),
    isTold ? input : { ...told, type: sharedTool.kind.name },
  )
}

export async function toolNames(door: Door, secret: string, asked: Asked = {}): Promise<string[]> {
  const { result } = await rpc(door, secret, 'tools/list', {}, asked)
  return result.tools.map(({ name }: { name: string }) => name)
}

/** The message of an answer that came as an event. */
function eventIn(text: string): unknown {
  const [, data] = /^data: (.*)$/m.exec(text) ?? []
  return data ? JSON.parse(data) : null
}

/** A record as tools answer it: what is null or an empty list is not there. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).filter(
    ([, part]) => part !== null && !(Array.isArray(part) && part.length === 0),
  )
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutEmpty(part)]))
}
