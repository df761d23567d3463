import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE, withDatabase } from './postgres.ts'

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
  // The files as they lie, past the log: nobody recovers this one, and it takes half of the time.
  await ask(server, `create database ${name} template ${TEMPLATE} strategy file_copy owner plumbline`)
  return {
    url: withDatabase(inject('url'), name),
    administratorUrl: withDatabase(server, name),
    drop: async () => {
      await ask(server, `drop database if exists ${name} with (force)`)
    },
  }
}

let asking: pg.Pool | undefined

/** By one connection of this worker, for all its files; it keeps no worker from its end. */
async function ask(connectionString: string, statement: string): Promise<void> {
  asking ??= open(connectionString)
  await asking.query(statement)
}

function open(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // Its server may end before it does.
  pool.on('error', () => {})
  return pool
}
