import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { asAdministrator, TEMPLATE, withDatabase } from './postgres.ts'
import { UNDERTAKING_SERVICE } from './undertakings.ts'

/** The tables of the tests' own kinds, in the database that every test file copies: behind postgres.ts. */
export async function setup(project: TestProject): Promise<void> {
  const { administratorUrl, url } = project.getProvidedContext()
  const allow = (is: boolean) =>
    asAdministrator(administratorUrl, (client) =>
      client.query(`alter database ${TEMPLATE} with allow_connections ${is}`),
    )
  const migration = execFileSync(process.execPath, [UNDERTAKING_SERVICE, 'migration'], { encoding: 'utf8' })
  await allow(true)
  await asAdministrator(withDatabase(url, TEMPLATE), (client) => client.query(migration))
  await allow(false)
}
