import type { Kind } from '../../../model/kind.ts'
import { isIdOf, keyField, withArticle } from '../../../model/roles.ts'
import { unknownName } from '../../input.ts'
import type { AnyOperation } from '../../operation.ts'
import { invalid, Refusal } from '../../refusal.ts'

type Input = Readonly<Record<string, unknown>>

/** What a call of a tool comes down to. */
export interface ResolvedCall {
  readonly operation: AnyOperation
  readonly input: Input
}

/**
 * Which of the operations behind a tool is meant. The id of a record says of what kind it is; where a call is about no
 * record, or the id tells nothing, `type` does. Nothing is judged here but that: whether there is such a record, and
 * whether the caller may know, is the operation's to say.
 *
 * @param operations those of one tool, also those that only a person may call: they refuse by themselves
 * @param kinds of all tools
 * @throws {Refusal} where none is: `not_found` for an id that no record has, `validation_failed` for the rest
 */
export function resolveCall(
  operations: readonly AnyOperation[],
  kinds: readonly Kind[],
  input: Input,
): ResolvedCall {
  const [first] = operations as [AnyOperation]
  if (!first.sharedTool) return { operation: first, input }
  return 'id' in first.input.shape ? byId(operations, kinds, input) : byType(operations, input)
}

function byId(operations: readonly AnyOperation[], kinds: readonly Kind[], input: Input): ResolvedCall {
  const { id } = input
  if (typeof id !== 'string' || id === '')
    throw invalid({ path: 'id', message: `required: give the id of a record, such as ${idsOf(operations)}` })
  // An operation that takes a type itself means something else by it.
  const isTheirs = operations.some((one) => 'type' in one.input.shape)
  const { type, ...rest } = input
  const named = isTheirs || type === undefined || type === null ? null : kindNamed(type, kinds)
  // A key may begin as the id of another kind does.
  const kind = named && keyField(named) && !isIdOf(named, id) ? named : kindOf(id, kinds)
  if (named && kind && named !== kind)
    throw invalid({
      path: 'type',
      message: `${named.name} contradicts the id, which is one of ${withArticle(kind.noun)}: leave it out`,
    })
  const wanted = kind ?? named
  if (!wanted)
    throw new Refusal('not_found', `No record has an id like this one: they begin with ${idsOf(operations)}.`)
  const operation = operations.find(({ sharedTool }) => sharedTool!.kind === wanted)
  if (!operation) {
    // The two ends of a link, the other way round.
    const isTurned = operations.some(({ sharedTool }) => sharedTool!.kind.name === input.targetKind)
    const cure = isTurned
      ? `: give the other one as id, with targetKind ${wanted.name} and this one as targetId`
      : ''
    throw invalid({
      path: 'id',
      message: `is one of ${withArticle(wanted.noun)}, and this takes those of ${nounsOf(operations)}${cure}`,
    })
  }
  return { operation, input: isTheirs ? input : rest }
}

function byType(operations: readonly AnyOperation[], input: Input): ResolvedCall {
  const { type, ...rest } = input
  const kinds = operations.map(({ sharedTool }) => sharedTool!.kind)
  if (type === undefined || type === null)
    throw invalid({ path: 'type', message: `required: give one of ${namesOf(kinds)}` })
  const kind = kindNamed(type, kinds)
  const operation = operations.find(({ sharedTool }) => sharedTool!.kind === kind)!
  return { operation, input: operation.method === 'GET' ? withFilters(rest) : rest }
}

/** A filter may be called like an input of the tool, so they come in an object of their own. */
function withFilters({ filters, ...rest }: Input): Input {
  if (filters === undefined || filters === null) return rest
  if (typeof filters !== 'object' || Array.isArray(filters))
    throw invalid({
      path: 'filters',
      message: 'give an object: the filters that the list takes, by their names',
    })
  const twice = Object.keys(filters).filter((name) => Object.hasOwn(rest, name))
  if (twice.length > 0)
    throw invalid(
      ...twice.slice(0, FILTERS_AT_MOST).map((name) => ({
        path: `filters.${name}`,
        message: `is given beside filters as well: give it once`,
      })),
    )
  return { ...filters, ...rest }
}

const FILTERS_AT_MOST = 20

/** By how it begins; a reference that was taken for an id is refused by its own operation, with the way to the id. */
function kindOf(id: string, kinds: readonly Kind[]): Kind | null {
  const [, prefix] = /^([a-z]+)_/.exec(id) ?? []
  const [, word] = /^\s*([A-Za-z]+)-\d/.exec(id) ?? []
  const reference = word?.toUpperCase()
  return (
    kinds.find(({ idPrefix, referencePrefix }) => idPrefix === prefix || referencePrefix === reference) ??
    null
  )
}

/** @throws {Refusal} `validation_failed` for what is none of them */
function kindNamed(type: unknown, kinds: readonly Kind[]): Kind {
  const kind = kinds.find(({ name }) => name === type)
  if (kind) return kind
  const message =
    typeof type === 'string'
      ? unknownName(
          type,
          kinds.map(({ name }) => name),
          'type',
        )
      : `give one of ${namesOf(kinds)}`
  throw invalid({ path: 'type', message })
}

const namesOf = (kinds: readonly Kind[]): string => kinds.map(({ name }) => name).join(', ')

const nounsOf = (operations: readonly AnyOperation[]): string =>
  operations.map(({ sharedTool }) => sharedTool!.kind.noun.many).join(', ')

const idsOf = (operations: readonly AnyOperation[]): string =>
  operations.map(({ sharedTool }) => `${sharedTool!.kind.idPrefix}_`).join(', ')
