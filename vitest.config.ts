import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

// Node keeps what it made of a file for the next process that reads it: the run's own, and the hundreds that tests
// start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/plumbline')

// Two projects: what `npm test` runs, and what takes longer than a person waits (soaks, thousands of kills).
export default defineConfig({
  test: {
    // A worker reads the service and the libraries once, not again for each file: half of its processor time.
    isolate: false,
    // What is waited for comes late on a busy machine, and is no fault then. Only what never comes pays for these.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // Files wait for PostgreSQL, processes and browsers more than they compute: two at a time also on two cores.
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        extends: true,
        test: { name: 'server', include: ['test/**/*.test.ts'], globalSetup: ['test/support/postgres.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.ts'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 1_800_000,
        },
      },
    ],
  },
})
