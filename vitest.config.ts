import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { temporaryFolder } from './test/support/temporary-folder.ts'

const memory = temporaryFolder()
if (memory) process.env.TMPDIR = memory

/** The tests over all kinds, operations or pages: `npm test` covers a fixed part of them (test/support/coverage.ts). */
const coveringTests = globSync('test/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /\/coverage\.ts'|\beveryPage\b/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
)

/** The tests of the rules that all kinds share. */
const TESTS_OF_KINDS = [
  'bad-input',
  'field-limits',
  'mcp-walk',
  'sheets',
  'transitions',
  'two-organizations',
  'watched-fields',
].map((name) => `test/${name}.test.ts`)

/** Replaces the list of kinds by one that also has the kinds of the tests. */
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

// Three projects: `npm test`; the long tests (soaks, thousands of kills, and the tests over all kinds, operations and
// pages, exhaustively); and the tests of the rules that all kinds share, for kinds that only the tests have.
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
    setupFiles: ['test/support/fixed-seed.ts'],
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/postgres.ts'],
          provide: { coverage: { isExhaustive: false } },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.ts', ...coveringTests],
          globalSetup: ['test/support/postgres.ts'],
          provide: { coverage: { isExhaustive: true } },
          testTimeout: 1_800_000,
        },
      },
      {
        extends: true,
        plugins: [undertakings],
        test: {
          name: 'undertakings',
          include: TESTS_OF_KINDS,
          globalSetup: ['test/support/postgres.ts', 'test/support/undertaking-tables.ts'],
          provide: { coverage: { isExhaustive: true, only: ['undertaking', 'errand', 'keepsake'] } },
        },
      },
    ],
  },
})
