import { inject } from 'vitest'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { operationsByHand } from '../../server/operations.ts'

/*
 * Which kinds and operations the tests over all of them cover in `npm test`: a fixed set, so the same commit gives the
 * same result on any day. It has a kind for each trait that several kinds share, and an operation for each combination
 * of method, credential, body and answer. `npm run test:long` covers everything.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    coverage: Coverage
  }
}

export interface Coverage {
  /** Whether every case of every kind and operation is covered. */
  readonly isExhaustive: boolean
  /** Cover every case of these kinds, and nothing else. */
  readonly only?: readonly string[]
}

const { isExhaustive, only } = inject('coverage')

/** The members of a kind that only name or describe it. */
const DESCRIPTIVE: readonly (keyof Kind)[] = ['about', 'example', 'title', 'begunInPerson']

/** What a kind has beyond its name and fields, such as states, deadlines or a parent. */
function traitsOf(kind: Kind): string[] {
  const members = Object.entries(kind).filter(
    ([name, value]) =>
      !DESCRIPTIVE.includes(name as keyof Kind) &&
      value != null &&
      (typeof value !== 'object' || Object.keys(value).length > 0),
  )
  return [
    ...members.map(([name]) => name),
    kind.under ? 'a parent' : 'no parent',
    kind.states.length > 1 ? 'several state machines' : 'at most one state machine',
  ]
}

/**
 * Kinds that together have every trait that at least two kinds share, found greedily in the order of the list. A trait
 * of a single kind has a test of its own.
 */
function coveringKinds(): readonly Kind[] {
  const kindsByTrait = new Map<string, Kind[]>()
  for (const kind of everyKind)
    for (const trait of traitsOf(kind)) kindsByTrait.set(trait, [...(kindsByTrait.get(trait) ?? []), kind])
  const missing = new Set([...kindsByTrait].filter(([, kinds]) => kinds.length > 1).map(([trait]) => trait))
  const chosen: Kind[] = []
  const gainOf = (kind: Kind) => traitsOf(kind).filter((trait) => missing.has(trait)).length
  while (missing.size > 0) {
    const next = everyKind.reduce((best, kind) => (gainOf(kind) > gainOf(best) ? kind : best))
    for (const trait of traitsOf(next)) missing.delete(trait)
    chosen.push(next)
  }
  return everyKind.filter((kind) => chosen.includes(kind))
}

/** The kinds for which this run tests the rules that all kinds share. */
export const coveredKinds: readonly Kind[] = only
  ? everyKind.filter(({ name }) => only.includes(name))
  : isExhaustive
    ? everyKind
    : coveringKinds()

export const isCovered = (kind: Kind): boolean => coveredKinds.includes(kind)

/** Operations of one class go through the same code of REST, MCP and `call()`. */
const classOf = ({ method, by, path, input, writes, takes, answers, on, sharedTool, bodyIs }: AnyOperation) =>
  [
    method,
    by,
    path?.includes('{') ? 'one record' : 'no record',
    Object.keys(input.shape).length === 0 ? 'no input' : bodyIs ? 'whole body' : 'input',
    String(writes),
    takes.types ? 'bytes' : 'JSON',
    answers,
    on ? 'action' : '',
    sharedTool ? 'shared tool' : '',
  ].join(' ')

/**
 * @param operations those that a test could cover
 * @returns those that it does cover: the verbs of the covered kinds, and the first handwritten one of each class
 */
export function coveredOperations(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  const classes = new Set<string>()
  return operations.filter((operation) => {
    if (operation.name in operationsByHand) {
      if (only) return false
      if (isExhaustive) return true
      const isFirst = !classes.has(classOf(operation))
      classes.add(classOf(operation))
      return isFirst
    }
    const kind = everyKind.find(({ path }) => `${operation.path}/`.startsWith(`/v1/${path}/`))
    return kind ? isCovered(kind) : !only
  })
}

/** The first case of each shape; all cases, where everything is covered. */
export function oneOfEach<Case>(cases: readonly Case[], shapeOf: (item: Case) => string): readonly Case[] {
  if (isExhaustive) return cases
  return [...Map.groupBy(cases, shapeOf).values()].map(([first]) => first!)
}

/**
 * Some of the cases, where each would cost too much: different ones for different names, always the same for a name.
 *
 * @param name where they are used, such as the name of an operation
 */
export function sample<Case>(cases: readonly Case[], count: number, name: string): readonly Case[] {
  if (isExhaustive || cases.length <= count) return cases
  const first = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % cases.length, 0)
  return Array.from({ length: count }, (_, at) => cases[(first + at) % cases.length]!)
}
