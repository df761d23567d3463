import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { asAdministrator, TEMPLATE, withDatabase } from './postgres.ts'

export interface FreshDatabase {
  /** The service's login on it. */
  readonly url: string
  /** The superuser on it: for looking past every rule, never for the service. */
  readonly administratorUrl: string
  drop(): Promise<void>
}

/** A migrated database for one test file, owned by the service's login. Nobody else knows its name. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = inject('administratorUrl')
  const name = `plumbline_test_${randomBytes(6).toString('hex')}`
  await asAdministrator(server, (client) =>
    // The files as they lie, past the log: nobody recovers this one, and it takes half of the time.
    client.query(`create database ${name} template ${TEMPLATE} strategy file_copy owner plumbline`),
  )
  return {
    url: withDatabase(inject('url'), name),
    administratorUrl: withDatabase(server, name),
    drop: async () => {
      await asAdministrator(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}
