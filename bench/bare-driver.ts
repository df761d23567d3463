import type { Query } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import type { Service } from '../server/service.ts'

/*
 * The yardstick of a call: its gate statement, then its one transaction, sent by the bare driver. The same
 * prepared statements over the same pools and pipelining as the service's, in as few round trips as they
 * need when nothing has to be thought in between.
 */

/** Counts and looks up one key. */
export const gate = ({ database, keyring }: Service, admit: Query, secret: string) =>
  database.gate.query({ ...admit, values: [keyring.hashes(secret), ...admit.values.slice(1)] })

/** Begin, settings, the statements and commit, in one burst. */
export async function inOneBurst(
  { database }: Service,
  enter: Query,
  organizationId: string,
  ...queries: Query[]
) {
  const client = await database.tenant.connect()
  try {
    await Promise.all([
      client.query('begin'),
      client.query({ ...enter, values: [organizationId] }),
      ...queries.map((query) => client.query(query)),
      client.query('commit'),
    ])
  } finally {
    client.release()
  }
}

/**
 * The values of another row of the same form: ids drawn anew, the organization's and the user's put in place.
 * @param swapped from a value overheard to the one to write
 */
export function otherRow(values: readonly unknown[], swapped: ReadonlyMap<unknown, unknown>): unknown[] {
  return values.map((value) => {
    if (swapped.has(value)) return swapped.get(value)
    if (Array.isArray(value)) return value.map(redrawn)
    return redrawn(value)
  })
}

function redrawn(value: unknown): unknown {
  const found = typeof value === 'string' ? /^(aud|sig|dlv)_[0-9a-z]{26}$/.exec(value) : null
  return found ? newId(found[1] as 'aud') : value
}
