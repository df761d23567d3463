import { defineConfig } from 'vitest/config'

// Two projects: what `npm test` runs, and what takes longer than a person waits (soaks, thousands of kills).
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
