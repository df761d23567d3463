import { accessOperations } from './access/operations.ts'
import type { AnyOperation } from './operation.ts'
import { recordOperations } from './records/operations.ts'

/** The one list of everything the service can do. */
export const operations: readonly AnyOperation[] = [...accessOperations, ...recordOperations]
