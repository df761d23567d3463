import { isDeepStrictEqual } from 'node:util'
import type { AnyOperation } from '../../server/operation.ts'
import { operations } from '../../server/operations.ts'

/*
 * The service does not parse its own answers (output.ts says why), so the tests do: each answer that any test
 * gets is held against the schema of its operation, and must have nothing beside it.
 */

const patterns = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length)

/** The operation that a request is taken by, or undefined. */
export const operationAt = (method: string, path: string): AnyOperation | undefined =>
  patterns.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(path.split('?', 1)[0]!),
  )?.operation

/** @throws where an answer is not what its operation promises */
export function holdPromise(operation: AnyOperation, status: number, body: unknown): void {
  if (status >= 300) return
  const parsed = operation.output.safeParse(body)
  if (!parsed.success)
    throw new Error(`${operation.name} answered what its schema does not allow: ${parsed.error.message}`)
  if (!isDeepStrictEqual(plain(parsed.data), plain(body)))
    throw new Error(`${operation.name} answered more than its schema names`)
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
