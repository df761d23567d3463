import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { changedNames } from './test/support/changed-names.ts'
import { ClosingLine } from './test/support/closing-line.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { temporaryFolder } from './test/support/temporary-folder.ts'

const memory = temporaryFolder()
if (memory) process.env.TMPDIR = memory

/** What a run walks of all that could be: another part each day (test/support/walk.ts). */
const seed = Number(process.env.WALK_SEED ?? Math.floor(Date.now() / 86_400_000))
const changed = changedNames(import.meta.dirname)
const walks = globSync('test/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /\/walk\.ts'|\beveryPage\b/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
)

/** What holds for every kind, whatever it is called and made of. */
const WALKS_OF_KINDS = [
  'bad-input',
  'field-limits',
  'mcp-walk',
  'sheets',
  'transitions',
  'two-organizations',
  'watched-fields',
].map((name) => `test/${name}.test.ts`)

/** Stands for the list of kinds: with the tests' own, none of whose names is another's. */
const undertakings: Plugin = {
  name: 'undertakings',
  enforce: 'pre',
  resolveId: async function (source, importer, options) {
    if (!source.endsWith('kinds/index.ts')) return null
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    return resolved?.id === join(import.meta.dirname, 'model/kinds/index.ts')
      ? join(import.meta.dirname, 'test/support/kinds-and-undertaking.ts')
      : resolved
  },
}

// Three projects: what `npm test` runs; what takes longer than a person waits (soaks, thousands of kills, and walks of
// everything); and the walks of every kind for kinds of the tests' own.
export default defineConfig({
  test: {
    // A worker reads the service and the libraries once, not again for each file: half of its processor time.
    isolate: false,
    // Services come and go in it, and what they leave is collected in few turns.
    execArgv: ['--max-semi-space-size=64'],
    // What is waited for comes late on a busy machine, and is no fault then. Only what never comes pays for these.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // Files wait for PostgreSQL, processes and browsers as much as they compute: four at a time on two cores.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/postgres.ts'],
          provide: { walk: { seed, changed, isWhole: false } },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.ts', ...walks],
          globalSetup: ['test/support/postgres.ts'],
          provide: { walk: { seed, changed, isWhole: true } },
          testTimeout: 1_800_000,
        },
      },
      {
        extends: true,
        plugins: [undertakings],
        test: {
          name: 'undertakings',
          include: WALKS_OF_KINDS,
          globalSetup: ['test/support/postgres.ts', 'test/support/undertaking-tables.ts'],
          provide: { walk: { seed, changed, isWhole: true, only: ['undertaking', 'errand', 'keepsake'] } },
        },
      },
    ],
  },
})
