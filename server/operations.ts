import type { AnyOperation } from './operation.ts'
import { recordOperations } from './records/operations.ts'
import { deliveryOperations } from './webhooks/deliveries.ts'
import { endpointOperations } from './webhooks/endpoints.ts'

/** The one list of everything the service can do. */
export const operations: readonly AnyOperation[] = [
  ...recordOperations,
  ...endpointOperations,
  ...deliveryOperations,
]
