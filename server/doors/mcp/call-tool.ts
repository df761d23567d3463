import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { call } from '../../call.ts'
import { refusalOf } from '../../database/errors.ts'
import type { AnyOperation, Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { problemOf } from '../problem.ts'
import { takeFields } from './answers.ts'
import type { Exchange } from './exchange.ts'
import { nearestTool, wordsOf } from './refusal-words.ts'
import { fitted, ROWS, rowsWithRoom } from './room.ts'
import { cutTexts, refuseCutTexts, takeTextFrom } from './texts.ts'
import type { Tool } from './tools.ts'
import { toldOf } from './view.ts'

type Input = Record<string, unknown>

export type ToolCaller = (exchange: Exchange, name: string) => Promise<CallToolResult>

/**
 * Calls a tool: the operation of the same name, with the same input, and the same answer. A tool that the list did
 * not show is called all the same: what may be called is judged in call() and nowhere else.
 *
 * A refusal is an outcome that a model can read and mend. Two kinds are not: where another scope would help, the
 * program must see a 403 to ask its person for it, and a fault of ours must look like one. Those end the exchange.
 */
export function toolCallerOf(
  parts: Parts,
  operations: readonly AnyOperation[],
  tools: readonly Tool[],
): ToolCaller {
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  const toolOf = new Map(tools.map((tool) => [tool.operation.name, tool]))
  return async (exchange, name) => {
    const input = exchange.input as Input
    const operation = byName.get(name)
    if (!operation)
      throw unknownTool(
        name,
        tools.map((one) => one.operation),
      )
    exchange.named(operation.name, name)
    const tool = toolOf.get(name)
    const reader = tool?.reader ?? null
    try {
      if (exchange.view.readonly && operation.method !== 'GET') throw readOnly()
      const chosen = tool?.answers.input ? takeFields(input) : { fields: null, rest: input }
      const { from, rest } = reader === name ? takeTextFrom(chosen.rest) : { from: 0, rest: chosen.rest }
      refuseCutTexts(rest)
      const answer = async (limit?: number): Promise<Input> => {
        const asked = limit === undefined ? rest : { ...rest, limit }
        const { body } = await call(parts, { ...exchange.caller, tool: name }, operation, asked)
        return tool?.answers.show((body ?? {}) as Input, chosen.fields) ?? {}
      }
      if ('limit' in operation.input.shape)
        return resultOf(await pageWithRoom(answer, rest.limit, from, reader))
      const told = name === 'getMe' ? { tools: toldOf(tools, exchange.caller, exchange.view) } : {}
      return resultOf(fitted({ ...(await answer()), ...told }, from, reader))
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || refusal.status >= 500 || refusal.code === 'insufficient_scope') {
        exchange.end(error)
        return errorOf(['The call was refused.'])
      }
      exchange.refused(refusal)
      const { requestId } = exchange.caller
      const problem = problemOf(refusal, requestId, parts.config.publicUrl)
      return errorOf([wordsOf(refusal, operation, input, operations), JSON.stringify(problem)])
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

function unknownTool(name: string, known: readonly AnyOperation[]): ProtocolError {
  const nearest = nearestTool(name.slice(0, 100), known)
  const said = nearest ? `; did you mean ${nearest}?` : '.'
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${JSON.stringify(name.slice(0, 100))}${said} tools/list has what there is.`,
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
