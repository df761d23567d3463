import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { closest } from 'fastest-levenshtein'
import { call } from '../../call.ts'
import { refusalOf } from '../../database/errors.ts'
import type { AnyOperation, Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { problemOf } from '../problem.ts'
import type { Exchange } from './exchange.ts'
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
    if (!operation) throw unknownTool(name, [...toolOf.keys()])
    exchange.named(operation.name, name)
    const reader = toolOf.get(name)?.reader ?? null
    try {
      if (exchange.view.readonly && operation.method !== 'GET') throw readOnly()
      const { from, rest } = reader === name ? takeTextFrom(input) : { from: 0, rest: input }
      refuseCutTexts(rest)
      const { body } = await call(parts, { ...exchange.caller, tool: name }, operation, rest)
      const told = name === 'getMe' ? { tools: toldOf(tools, exchange.caller, exchange.view) } : {}
      return resultOf(cutTexts({ ...(body as object | null), ...told }, from, reader) as Input)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || refusal.status >= 500 || refusal.code === 'insufficient_scope') {
        exchange.end(error)
        return errorOf(['The call was refused.'])
      }
      exchange.refused(refusal)
      const { requestId } = exchange.caller
      const problem = problemOf(refusal, requestId, parts.config.publicUrl)
      return errorOf([wordsOf(refusal, operation, operations), JSON.stringify(problem)])
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

function unknownTool(name: string, known: readonly string[]): ProtocolError {
  const said = JSON.stringify(name.slice(0, 100))
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${said}; the nearest is ${closest(name.slice(0, 100), known)}. tools/list has what there is.`,
  )
}

const readOnly = () =>
  new Refusal('read_only', 'The address of this connection has readonly=1: take it away to write.')

/** For the model: the field, what is wrong, what is allowed, and what to do next. */
function wordsOf(refusal: Refusal, operation: AnyOperation, operations: readonly AnyOperation[]): string {
  const { errors, allowed } = refusal.members as {
    errors?: { path: string; message: string }[]
    allowed?: string[]
  }
  const lines = errors?.map(({ path, message }) => `${path}: ${message}`) ?? [refusal.message]
  if (allowed) lines.push(allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'Nothing else is allowed.')
  if (errors) lines.push(`Nothing was changed: mend this and call ${operation.name} again.`)
  if (refusal.code === 'not_found') {
    const [collection] = operation.path.split('/{')
    const list = operations.find(({ method, path }) => method === 'GET' && path === collection)
    if (list) lines.push(`${list.name} finds ids.`)
  }
  return lines.join('\n')
}
