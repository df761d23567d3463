import { hash } from 'node:crypto'
import type { AnyOperation } from './operation.ts'
import { Refusal } from './refusal.ts'

/*
 * A cursor is a place in one list: in another order, behind another filter or beneath another record it would skip
 * rows and say nothing. So call() puts before each cursor that leaves a digest of the operation and of all that was
 * asked with it, and takes it off again where the same is asked. It keeps callers from a mistake and no secret: what
 * stands behind the digest is read as something that anybody may have made.
 */
type List = Pick<AnyOperation, 'name' | 'input'>
type Input = Readonly<Record<string, unknown>>

const DIGEST_LENGTH = 11
/** How large a page is changes nothing of what is behind a place. */
const FREE = new Set(['cursor', 'limit'])

/** A cursor as callers get it. */
export const bindCursor = (list: List, input: Input, cursor: string): string => digestOf(list, input) + cursor

/**
 * What was asked, with the cursor as the list itself wrote it.
 * @param input of any operation, parsed
 * @throws {Refusal} `malformed_request` for a cursor of another list, filter or order
 */
export function withOwnCursor<Asked extends Input>(list: List, input: Asked): Asked {
  const { cursor } = input
  if (!('cursor' in list.input.shape) || typeof cursor !== 'string') return input
  if (!cursor.startsWith(digestOf(list, input)))
    throw new Refusal(
      'malformed_request',
      'The cursor is not one of this list: send it with the filters and the sort of the page before, or start again without it.',
    )
  return { ...input, cursor: cursor.slice(DIGEST_LENGTH) }
}

/** The answer of any operation, with a cursor that is bound to what was asked. */
export function withBoundCursor<Answer>(list: List, input: Input, answer: Answer): Answer {
  const { nextCursor } = (answer ?? {}) as { nextCursor?: unknown }
  if (!('cursor' in list.input.shape) || typeof nextCursor !== 'string') return answer
  return { ...answer, nextCursor: bindCursor(list, input, nextCursor) }
}

function digestOf({ name }: List, input: Input): string {
  const asked = Object.entries(input)
    .filter(([field, value]) => !FREE.has(field) && value !== undefined)
    .map(([field, value]) => [field, inOrder(value)] as const)
    .toSorted(byName)
  return hash('sha256', JSON.stringify([name, asked]), 'base64url').slice(0, DIGEST_LENGTH)
}

/** The same, however the values of a filter and the names in it were put one after another. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted()
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([name, inner]) => [name, inOrder(inner)] as const)
    .toSorted(byName)
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1
