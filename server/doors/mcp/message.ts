import { refuseUnstorable } from '../../input.ts'
import { Refusal } from '../../refusal.ts'

/** One JSON-RPC message, as far as the door itself looks into it; the rest is the protocol library's. */
export interface Message {
  readonly id: string | number | null
  readonly body: Record<string, unknown>
  /** What a tool is called with, as it came: the library would drop a name such as `__proto__` unsaid. */
  readonly input: unknown
  /** The program that sends it, as it names itself. */
  readonly client: string | null
}

/**
 * @param body what was parsed from the request
 * @throws {Refusal} `malformed_request` for what is not one message, `validation_failed` for what nobody could
 *   walk; the arguments of a call are call()'s to judge
 */
export function readMessage(body: unknown): Message {
  if (Array.isArray(body))
    throw new Refusal('malformed_request', 'JSON-RPC batches are not taken: send one message in a request.')
  if (!isObject(body)) throw new Refusal('malformed_request', 'Send one JSON-RPC 2.0 message: a JSON object.')
  const params = isObject(body.params) ? body.params : {}
  refuseUnstorable({ ...body, params: { ...params, arguments: null } })
  const { id } = body
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    body,
    input: params.arguments ?? {},
    client: clientOf(params),
  }
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/** Told with every request since 2026-07-28, and before that only by `initialize`. */
function clientOf({ _meta, clientInfo }: Record<string, unknown>): string | null {
  const told = (isObject(_meta) ? _meta[CLIENT_INFO] : undefined) ?? clientInfo
  if (!isObject(told) || typeof told.name !== 'string') return null
  return clientName(`${told.name} ${typeof told.version === 'string' ? told.version : ''}`)
}

const LONGEST_NAME = 200

/** On one line, and short: it is shown in the audit log beside our own words. */
export const clientName = (text: string): string | null =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed() || null

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
