import { Resolver } from 'node:dns/promises'
import { NotFetched, type Outbound } from './outbound.ts'

/** What a name server says of a name that is not there, or has no such record. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Looks up TXT records, off the thread pool and without a cache: whoever has just written one asks at once.
 * @param nameServers `address:port` each; without any, those of the machine
 */
export function openTextRecords(nameServers: readonly string[] = []): Outbound['textsOf'] {
  return async (name) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (nameServers.length > 0) resolver.setServers(nameServers)
    try {
      // The dot makes the name whole: no search suffix of this machine is tried.
      const records = await resolver.resolveTxt(`${name}.`)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      if (NOTHING.has(code)) return []
      throw new NotFetched('unreachable', `${code}: ${message}`)
    }
  }
}
