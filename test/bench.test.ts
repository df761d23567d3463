import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Only what it says of itself: what it measures depends on the machine, and no test may. */
function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/main.ts', ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('--help names every row and what it measures', () => {
  const { status, stdout } = bench('--help')
  expect(status).toBe(0)
  expect(stdout).toContain('npm run bench --')
  expect(stdout).toMatch(/^ {2}create-risk +POST \/v1\/risks/m)
})

test('a row that there is not gets the list of those there are', () => {
  const { status, stdout, stderr } = bench('deliverys')
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/no row deliverys/)
  expect(stderr).toContain('create-risk')
})

test('an option that makes no sense is refused before anything starts', () => {
  expect(bench('--rounds', 'none').status).toBe(2)
  expect(bench('--fast').status).toBe(2)
})
