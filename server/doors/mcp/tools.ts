import { isDeepStrictEqual } from 'node:util'
import { kindAtPath, pathsOf } from '../../../model/family.ts'
import { type Needs, withoutLimits } from '../../../model/needs.ts'
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

/**
 * What an agent can call: an operation under its own name, or one tool for the operations that are of the same form
 * for every kind (`getRecord`). Each operation that is open to programs is reached by exactly one. A tool holds nothing
 * of its own: rights, input and answer are those of the operation that is meant.
 */
export interface Tool {
  readonly name: string
  /** What it stands for, one of each kind; or one alone. */
  readonly members: readonly Member[]
}

/** An operation behind a tool: what a program is told of it, made once. */
export interface Member {
  readonly operation: AnyOperation
  readonly toolset: string
  /** What is said of it alone. */
  readonly definition: Definition
  /** Its list, which tells of the filters that it takes too. */
  readonly filtersOf: string | null
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
 * The tools, in the order of the list: for every operation that is open to programs at all. For what only a person may
 * do there is none.
 */
export function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  const callable = openToPrograms(operations)
  return [...Map.groupBy(callable, toolNameOf)].map(([name, each]) => ({
    name,
    members: each.map((operation) => memberOf(operation, callable)),
  }))
}

/** The name of the tool that an operation is reached by. */
export const toolNameOf = ({ name, sharedTool }: AnyOperation): string => sharedTool?.name ?? name

function memberOf(operation: AnyOperation, callable: readonly AnyOperation[]): Member {
  const reader = readerOf(operation, callable)
  const answers = answerViewOf(operation)
  const teller = tellerOf(operation, callable)
  const input = inputSchemaOf(operation)
  const left = teller ? leftTo(teller, operation, input) : null
  const further: Record<string, Slim> = {
    ...(answers.input ? { fields: answers.input } : {}),
    ...(reader === toolNameOf(operation) ? TEXT_FROM : {}),
  }
  return {
    operation,
    toolset: toolsetOf(operation),
    reader,
    answers,
    filtersOf: left?.filters ? teller!.name : null,
    gated: gatedInputs(operation),
    definition: described(operation, input, further, left?.words),
  }
}

function described(
  operation: AnyOperation,
  input: ToolSchema,
  further: Record<string, Slim>,
  left: string | undefined,
): Definition {
  const { name, title, description, method, annotations = {} } = operation
  return {
    name,
    title,
    description: [`${title}.`, description, left].filter(Boolean).join(' '),
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
function leftTo(teller: AnyOperation, { method }: AnyOperation, input: ToolSchema) {
  const told = inputSchemaOf(teller)
  if (method === 'GET')
    return leaveFiltersTo(told, input) ? { filters: true, words: `${teller.name} lists those.` } : null
  return leaveWordsTo(told, input)
    ? { filters: false, words: `Words not listed are those of ${teller.name}.` }
    : null
}

/**
 * The tool that lists the words of the same fields: of a change the creation, of a count the list. Only one that is
 * shown wherever this one is.
 */
function tellerOf({ method, path, needs }: AnyOperation, callable: readonly AnyOperation[]) {
  const { all, made } = placesOf(path)
  if (path === all || (method !== 'PATCH' && method !== 'GET')) return undefined
  const [teller, place] = method === 'PATCH' ? ['POST', made] : ['GET', all]
  return callable.find(
    (one) =>
      one.path === place &&
      one.method === teller &&
      isDeepStrictEqual(withoutLimits(one.needs), withoutLimits(needs)),
  )
}

/** Where what a path is about is listed, and where it is made. */
function placesOf(path: string): { all: string; made: string } {
  const kind = kindAtPath(path)
  const all = path.split('/').slice(0, 3).join('/')
  return kind ? pathsOf(kind) : { all, made: all }
}

/** A read of one thing reads on by itself; everything beside and above it leaves that to it. */
function readerOf(operation: AnyOperation, callable: readonly AnyOperation[]): string | null {
  const { method, path } = operation
  const { all, made } = placesOf(path)
  if (method === 'GET' && path.includes('{') && path !== made) return toolNameOf(operation)
  const one = callable.find((each) => each.method === 'GET' && each.path === `${all}/{id}`)
  return one ? toolNameOf(one) : null
}
