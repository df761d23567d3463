import { isDeepStrictEqual } from 'node:util'
import { availableSignalTypes, SIGNAL_TYPES } from '../../../model/signal-types.ts'
import type { Caller } from '../../caller/caller.ts'
import type { OwnContext } from '../../operation.ts'
import { beginningOf, invalid, Refusal } from '../../refusal.ts'
import type { EndpointRecord } from '../endpoint-record.ts'

export const SET_BY_SERVICE = [
  'disabledReason',
  'disabledAt',
  'consecutiveFailures',
  'version',
  'createdAt',
  'updatedAt',
] as const

/** @throws {Refusal} `address_not_public`; a name that does not resolve just now passes */
export async function refuseUnlessPublic({ parts }: OwnContext, address: string): Promise<void> {
  const verdict = await parts.webhooks.vet(address)
  if (!verdict.ok) throw new Refusal('address_not_public', `The address ${verdict.problem}.`)
}

/**
 * The types, each once.
 * @param kept types that stand already: they stay, even where the organization has lost the feature
 * @throws {Refusal} `validation_failed` for what is not known or not available
 */
export function judgeSignalTypes(
  caller: Caller,
  given: readonly string[],
  kept: readonly string[] = [],
): string[] {
  const types = [...new Set(given)]
  const available = new Set<string>([...availableSignalTypes(caller.features), ...kept])
  const errors = types
    .filter((type) => !available.has(type))
    .map((type) => ({
      path: `signalTypes.${given.indexOf(type)}`,
      message:
        type in SIGNAL_TYPES
          ? `${type} is not available to this organization: leave it out`
          : `no such signal type: ${beginningOf(type)}`,
    }))
  if (errors.length > 0) throw invalid(...errors)
  return types
}

export type ServiceFields = { [Field in (typeof SET_BY_SERVICE)[number]]?: unknown }

/** What the service sets may be sent back, but not changed. */
export function refuseServiceFields(record: EndpointRecord, input: ServiceFields): void {
  const errors = SET_BY_SERVICE.filter(
    (field) => input[field] !== undefined && !isDeepStrictEqual(input[field], record[field]),
  ).map((path) => ({ path, message: 'set by the service: leave it out, or send what stands' }))
  if (errors.length > 0) throw invalid(...errors)
}
