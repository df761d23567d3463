import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

// The last line of a run and its exit code say the same, whatever went wrong.

test.concurrent.each([
  ['all passed', `test('a', () => {}); test('b', () => {})`, '2 passed, 0 failed', 0],
  ['one failed', `test('a', () => {}); test('b', () => { throw 1 })`, '1 passed, 1 failed', 1],
  ['some skipped', `test('a', () => {}); test.skip('b', () => {})`, '1 passed, 0 failed, 1 skipped', 0],
  ['a file that cannot be loaded', `import './nowhere.ts'`, '0 passed, 1 failed', 1],
  [
    'an error outside of a test',
    `test('a', async () => { setTimeout(() => { throw new Error('late') }); await new Promise((go) => setTimeout(go, 50)) })`,
    '1 passed, 1 failed',
    1,
  ],
  ['no test at all', '', '0 passed, 1 failed', 1],
])('%s', async (_, content, line, code) => {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-closing-line-'))
  const reporter = join(import.meta.dirname, 'support/closing-line.ts')
  writeFileSync(join(root, 'the.test.ts'), content)
  writeFileSync(
    join(root, 'vitest.config.ts'),
    `import { ClosingLine } from ${JSON.stringify(reporter)}
     export default { test: { globals: true, reporters: ['default', new ClosingLine()] } }`,
  )
  try {
    const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
    const run = spawn(process.execPath, [vitest, 'run'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    const [said, [status]] = await Promise.all([text(run.stdout), once(run, 'close')])
    expect(said.trimEnd().split('\n').at(-1)).toBe(line)
    expect(status).toBe(code)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
