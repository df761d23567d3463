import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { call } from '../../call.ts'
import type { Caller } from '../../caller/caller.ts'
import { refusalOf } from '../../database/errors.ts'
import type { AnyOperation, Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { problemOf } from '../problem.ts'
import type { Exchange } from './exchange.ts'
import { FIND_TOOLS, toolFinderOf } from './find-tools.ts'
import { withJsonTextsParsed } from './json-texts.ts'
import { suggestedTool, wordsOf } from './refusal-words.ts'
import { type ResolvedCall, resolveCall } from './resolve-call.ts'
import { fitted, fittedRefusal, ROWS, rowsWithRoom } from './room.ts'
import { type Json, jsonOf } from './schemas.ts'
import { cutTexts, refuseCutTexts, takeTextFrom } from './texts.ts'
import { type Tool, toolNameOf } from './tools.ts'
import type { View } from './toolsets.ts'
import type { ToolList } from './view.ts'

type Input = Record<string, unknown>

/** What tools take themselves, before it is known which operation is meant. */
const OF_TOOLS: Json = {
  properties: {
    filters: { type: 'object' },
    fields: { type: 'array', items: { type: 'string' } },
    textFrom: { type: 'integer' },
  },
}

const parsedCall = ({ operation, input }: ResolvedCall): ResolvedCall => ({
  operation,
  input: withJsonTextsParsed(jsonOf(operation.input, 'input'), input) as Input,
})

export type ToolCaller = (exchange: Exchange, name: string) => Promise<CallToolResult>

/**
 * Calls a tool: the operation that is meant by it, with the same input, and the same answer. A tool that the list did
 * not show is called all the same: what may be called is judged in call() and nowhere else.
 *
 * A refusal is an outcome that a model can read and mend. Two kinds are not: where another scope would help, the
 * program must see a 403 to ask its person for it, and a fault of ours must look like one. Those end the exchange.
 */
export function toolCallerOf(
  parts: Parts,
  operations: readonly AnyOperation[],
  tools: readonly Tool[],
  toolList: (caller: Caller, view: View) => ToolList,
): ToolCaller {
  const byTool = Map.groupBy(operations, toolNameOf)
  const kinds = [...new Set(operations.flatMap(({ sharedTool }) => sharedTool?.kind ?? []))]
  const memberOf = new Map(
    tools.flatMap(({ members }) => members.map((one) => [one.operation, one] as const)),
  )
  const findTools = toolFinderOf(tools)

  async function answer(
    exchange: Exchange,
    name: string,
    { operation, input }: ResolvedCall,
  ): Promise<CallToolResult> {
    if (exchange.view.readonly && operation.method !== 'GET') throw readOnly()
    const { answers, reader = null } = memberOf.get(operation) ?? {}
    const chosen = answers?.take(input) ?? { fields: null, rest: input }
    const { from, rest } = reader === name ? takeTextFrom(chosen.rest) : { from: 0, rest: chosen.rest }
    refuseCutTexts(rest)
    const read = async (limit?: number): Promise<Input> => {
      const asked = limit === undefined ? rest : { ...rest, limit }
      const { body } = await call(parts, { ...exchange.caller, tool: name }, operation, asked)
      return answers?.show((body ?? {}) as Input, chosen.fields) ?? {}
    }
    if ('limit' in operation.input.shape) return resultOf(await pageWithRoom(read, rest.limit, from, reader))
    const told = name === 'getMe' ? { tools: toolList(exchange.caller, exchange.view).told } : {}
    return resultOf(fitted({ ...(await read()), ...told }, from, reader, answers?.isBatch))
  }

  return async (exchange, name) => {
    const input = exchange.input as Input
    const members = byTool.get(name)
    if (!members && name !== FIND_TOOLS.definition.name) throw unknownTool(name, operations)
    exchange.named(null, name)
    let resolved: ResolvedCall | undefined
    try {
      if (!members) return resultOf(fitted(findTools(exchange.caller, exchange.view, input), 0, null))
      resolved = parsedCall(resolveCall(members, kinds, withJsonTextsParsed(OF_TOOLS, input) as Input))
      exchange.named(resolved.operation.name, name)
      return await answer(exchange, name, resolved)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || refusal.status >= 500 || refusal.code === 'insufficient_scope') {
        exchange.end(error)
        return errorOf(['The call was refused.'])
      }
      exchange.refused(refusal)
      const { requestId } = exchange.caller
      const problem = problemOf(refusal, requestId, parts.config.publicUrl)
      return errorOf(fittedRefusal(wordsOf(refusal, name, resolved?.operation, input, operations), problem))
    }
  }
}

const resultOf = (answer: Input): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
})

const errorOf = (texts: readonly string[]): CallToolResult => ({
  isError: true,
  content: texts.map((text) => ({ type: 'text', text })),
})

function unknownTool(name: string, operations: readonly AnyOperation[]): ProtocolError {
  const asked = name.slice(0, 100)
  const meant = suggestedTool(asked, operations)
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${JSON.stringify(asked)}${meant ? `; ${meant}` : '.'} findTools with words finds what there is.`,
  )
}

const readOnly = () =>
  new Refusal('read_only', 'The address of this connection has readonly=1: take it away to write.')

/** A page that is too long is read again with fewer rows: only so does its cursor lead to the next one. */
async function pageWithRoom(
  read: (limit: number) => Promise<Input>,
  limit: unknown,
  from: number,
  reader: string | null,
): Promise<Input> {
  let page = await read((limit ?? ROWS) as number)
  const asked = (page.data as unknown[]).length
  for (let rows = rowsWithRoom(cutTexts(page, from, reader) as Input); rows !== null; ) {
    page = await read(rows)
    rows = rowsWithRoom(cutTexts(page, from, reader) as Input)
  }
  const shown = (page.data as unknown[]).length
  if (shown === asked) return fitted(page, from, reader)
  const note = `${shown} of ${asked} rows: there is no room for more. nextCursor as cursor reads on, and fewer fields make shorter rows.`
  return fitted({ ...page, note }, from, reader)
}
