import { isDeepStrictEqual } from 'node:util'
import type { Needs } from '../../caller/needs.ts'
import type { AnyOperation } from '../../operation.ts'
import { openToPrograms } from '../../operations.ts'
import { type AnswerView, answerViewOf } from './answers.ts'
import {
  inputSchemaOf,
  leaveFiltersTo,
  leaveWordsTo,
  outputSchemaOf,
  type Slim,
  type ToolSchema,
} from './schemas.ts'
import { TEXT_FROM } from './texts.ts'
import { toolsetOf } from './toolsets.ts'

/** An operation as a tool of the same name: what a program is told of it, made once. */
export interface Tool {
  readonly operation: AnyOperation
  readonly toolset: string
  readonly definition: Definition
  /** The tool that reads one of what this one answers, where texts are too long to be shown whole. */
  readonly reader: string | null
  readonly answers: AnswerView
  /** Inputs that take a further right, with what they take. */
  readonly gated: Readonly<Record<string, readonly Needs[]>>
}

export interface Definition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly outputSchema: ToolSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/**
 * The tools, in the order of the list: every operation that is open to programs at all. What only a person may do
 * is no tool.
 */
export function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  const callable = openToPrograms(operations)
  return callable.map((operation) => {
    const reader = readerOf(operation, callable)
    const answers = answerViewOf(operation)
    return {
      operation,
      toolset: toolsetOf(operation),
      reader,
      answers,
      gated: gatedInputs(operation),
      definition: definitionOf(
        operation,
        {
          ...(answers.input ? { fields: answers.input } : {}),
          ...(reader === operation.name ? TEXT_FROM : {}),
        },
        tellerOf(operation, callable),
      ),
    }
  })
}

function definitionOf(
  operation: AnyOperation,
  further: Record<string, Slim>,
  teller: AnyOperation | undefined,
): Definition {
  const { name, title, description, method, annotations = {} } = operation
  const input = inputSchemaOf(operation)
  const said = [`${title}.`, description, teller && leftTo(teller, operation, input)]
  return {
    name,
    title,
    description: said.filter(Boolean).join(' '),
    inputSchema:
      Object.keys(further).length > 0 ? { ...input, properties: { ...input.properties, ...further } } : input,
    outputSchema: outputSchemaOf(operation),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || annotations.destructive === true,
      idempotentHint: method === 'GET' || method === 'DELETE' || annotations.idempotent === true,
      openWorldHint: annotations.openWorld === true,
    },
  }
}

/** Found by asking with each alone: what an input takes is the operation's to say. */
function gatedInputs({ input, needsFor }: AnyOperation): Record<string, readonly Needs[]> {
  if (!needsFor) return {}
  const needs = Object.keys(input.shape).map((name) => [name, needsFor({ [name]: ['x'] })] as const)
  return Object.fromEntries(needs.filter(([, needed]) => needed.length > 0))
}

/** Takes away what the teller tells already, and says where: of a count the filters of its list, of a change words. */
function leftTo(teller: AnyOperation, { method }: AnyOperation, input: ToolSchema): string | null {
  const told = inputSchemaOf(teller)
  if (method === 'GET') return leaveFiltersTo(told, input) ? `${teller.name} lists those.` : null
  return leaveWordsTo(told, input) ? `Words not listed are those of ${teller.name}.` : null
}

/**
 * The tool that lists the words of the same fields: of a change the creation, of a count the list. Only one that is
 * shown wherever this one is.
 */
function tellerOf({ method, path, needs }: AnyOperation, callable: readonly AnyOperation[]) {
  const collection = path.split('/').slice(0, 3).join('/')
  if (path === collection || (method !== 'PATCH' && method !== 'GET')) return undefined
  return callable.find(
    (one) =>
      one.path === collection &&
      one.method === (method === 'PATCH' ? 'POST' : 'GET') &&
      isDeepStrictEqual(one.needs, needs),
  )
}

/** A read of one thing reads on by itself; everything beside and above it leaves that to it. */
function readerOf({ name, method, path }: AnyOperation, callable: readonly AnyOperation[]): string | null {
  if (method === 'GET' && path.includes('{')) return name
  const collection = path.split('/').slice(0, 3).join('/')
  return callable.find((one) => one.method === 'GET' && one.path === `${collection}/{id}`)?.name ?? null
}
