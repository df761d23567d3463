import type { Fault, LibraryReading } from '../../../server/frameworks/reading/faults.ts'

/** A file with something wrong in it. */
export interface Planted {
  readonly rule: string
  readonly reading: () => LibraryReading
  /** Where it has to be told, and in which words. */
  readonly place: string | RegExp
  readonly message: RegExp
}

/** Why a fault is not told as it has to be; null, where it is. */
export function missed({ rule, reading, place, message }: Planted): string | null {
  const found = reading()
  if (!('faults' in found)) return `${rule}: taken`
  const isIt = (fault: Fault) =>
    (typeof place === 'string' ? fault.place === place : place.test(fault.place)) &&
    message.test(fault.message)
  return found.faults.some(isIt) ? null : `${rule}: ${JSON.stringify(found.faults.slice(0, 3))}`
}
