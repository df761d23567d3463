import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/*
 * The pages of the web app are built when they are missing or their sources changed, by the scripts that start
 * the service, in a clone with the same scripts and sources.
 */

const ROOT = join(import.meta.dirname, '..')
const { SOURCES } = createRequire(import.meta.url)('../bin/setup/web.cjs') as { SOURCES: string[] }
const BUILDING = 'plumbline: building the pages of the web app'

test('pages are built once, and again when their sources change; what runs meanwhile keeps its own', async () => {
  const clone = await makeClone()
  // The app itself is built by what runs the tests.
  writeFileSync(
    join(clone, 'web/main.tsx'),
    "import * as words from './copy/sign-in.ts'\nconsole.log(words)\n",
  )
  const first = ensure(clone)
  expect(first.stderr).toContain(BUILDING)
  expect(first.stdout).toBe('')
  const page = readFileSync(join(clone, 'web/dist/index.html'), 'utf8')
  expect(page).toMatch(/src="\/built\/main-[\w-]+\.js"/)
  for (const name of readdirSync(join(clone, 'web/dist/built')).filter((one) => /^main.*\.js$/.test(one)))
    for (const ending of ['br', 'gz'])
      expect(existsSync(join(clone, `web/dist/built/${name}.${ending}`))).toBe(true)

  expect(ensure(clone)).toEqual({ status: 0, stderr: '', stdout: '' })

  const words = join(clone, 'web/copy/sign-in.ts')
  writeFileSync(words, readFileSync(words, 'utf8').replace("title: 'Sign in'", "title: 'Come in'"))
  expect(ensure(clone).stderr).toContain(BUILDING)
  expect(execFileSync('grep', ['-rlE', 'Come in', join(clone, 'web/dist/built')]).length).toBeGreaterThan(0)
  expect(readdirSync(join(clone, 'web')).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
})

test('a build that fails says so, takes nothing away, and stops nothing', async () => {
  const clone = await makeClone()
  const before = 'built from what was there before'
  mkdirSync(join(clone, 'web/dist'))
  writeFileSync(join(clone, 'web/dist/index.html'), before)
  writeFileSync(join(clone, 'web/main.tsx'), 'this is no program (')
  const { stderr, status } = ensure(clone)
  expect(stderr).toContain('plumbline: the pages of the web app could not be built')
  expect(status).toBe(0)
  expect(readFileSync(join(clone, 'web/dist/index.html'), 'utf8')).toBe(before)
})

test('a release is taken as it is: with pages and no Vite, or no sources', async () => {
  const clone = await makeClone({ vite: false })
  mkdirSync(join(clone, 'web/dist'))
  writeFileSync(join(clone, 'web/dist/index.html'), 'prebuilt')
  expect(ensure(clone)).toMatchObject({ stderr: '', status: 0 })
  expect(readFileSync(join(clone, 'web/dist/index.html'), 'utf8')).toBe('prebuilt')

  const other = await makeClone()
  for (const name of readdirSync(join(other, 'web'))) rmSync(join(other, 'web', name), { recursive: true })
  expect(ensure(other)).toMatchObject({ stderr: '', status: 0 })
})

/** Runs the part of bin/setup that sees to the pages. */
function ensure(clone: string): { status: number | null; stdout: string; stderr: string } {
  const script = `require('./bin/setup/web.cjs').ensureWebBuilt({ root: process.cwd(), node: process.execPath })`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: clone,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

async function makeClone({ vite = true } = {}): Promise<string> {
  const clone = await mkdtemp(join(tmpdir(), 'plumbline web '))
  onTestFinished(() => rm(clone, { recursive: true, force: true }))
  for (const name of [...SOURCES, 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(clone, name), {
      recursive: true,
      filter: (source) => !/[/\\]web[/\\]dist/.test(source),
    })
  if (vite) symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  return clone
}
