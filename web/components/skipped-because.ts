import { isProblem, Problem } from '../client/problem.ts'
import { records } from '../copy/records.ts'

/** Why one of many was left as it is. */
export function skippedBecause(error: unknown): string {
  if (isProblem(error, 'version_mismatch')) return records.bulk.meanwhile
  return error instanceof Problem ? error.message : String(error)
}
