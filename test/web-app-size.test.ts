import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../server/doors/web-app.ts'

/* What a browser loads for a first page, counted in the files that the build lists. */

interface Entry {
  file: string
  imports?: string[]
  css?: string[]
}

const manifest: Record<string, Entry> = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))

/** The scripts of an entry and all that it imports at once. */
function scriptsOf(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known
  known.add(name)
  for (const one of manifest[name]?.imports ?? []) scriptsOf(one, known)
  return known
}

const OPEN_PAGES = ['sign-in', 'set-up', 'invitation', 'reset', 'consent']

test.each(OPEN_PAGES)('the first load of %s is at most 150 KB of script, gzipped', (page) => {
  const names = new Set([...scriptsOf('index.html'), ...scriptsOf(`pages/${page}.tsx`)])
  const sizes = [...names].map((name) => compressed(manifest[name]!.file))
  expect(sizes.length).toBeGreaterThan(3)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeLessThanOrEqual(150 * 1024)
  expect(total).toBeGreaterThan(60 * 1024) // React alone is more: else something was not counted
})

test.each(OPEN_PAGES)('%s loads no kinds, no zod, and no script of another page', (page) => {
  const names = [...scriptsOf('index.html'), ...scriptsOf(`pages/${page}.tsx`)]
  const text = names.map((name) => readFileSync(join(DIST, manifest[name]!.file), 'utf8')).join('')
  expect(text).not.toMatch(/ZodError|ZodObject|invalid_union/)
  expect(
    names.filter((name) => /kinds|zod|simplewebauthn|uqr|frame\.tsx|account|settings/.test(name)),
  ).toEqual([])
})

const behindSignIn = (page: string) => [
  'index.html',
  'inner-pages.ts',
  'components/frame.tsx',
  `pages/${page}.tsx`,
]

test.each([
  ['sign-in', ['index.html', 'pages/sign-in.tsx'], 14],
  ['overview', behindSignIn('overview'), 18],
  ['register', behindSignIn('register'), 26],
  ['record', behindSignIn('record'), 26],
  ['settings/members', behindSignIn('settings/members'), 26],
])('the first load of %s is a few files, each of which costs a request', (_page, parts, most) => {
  const files = parts.flatMap((part) => [...scriptsOf(part)].map((name) => manifest[name]!.file))
  expect(new Set(files).size).toBeLessThanOrEqual(most)
  expect(files).toContain(manifest[parts.at(-1)!]!.file)
})

test('no script waits for one that waits for it', () => {
  const over = new Set<string>()
  const visit = (name: string, above: string[]) => {
    expect(above).not.toContain(name)
    if (over.has(name)) return
    for (const one of manifest[name]?.imports ?? []) visit(one, [...above, name])
    over.add(name)
  }
  for (const name of Object.keys(manifest)) visit(name, [])
  expect(over.size).toBeGreaterThan(40)
})

test('the first load of the overview is at most 240 KB of script, gzipped', () => {
  const names = new Set(behindSignIn('overview').flatMap((part) => [...scriptsOf(part)]))
  const total = [...names].reduce((sum, name) => sum + compressed(manifest[name]!.file), 0)
  expect(total).toBeLessThanOrEqual(240_000)
  expect(total).toBeGreaterThan(150_000) // else something was not counted
})

const compressed = (file: string): number => {
  const gz = statSync(join(DIST, `${file}.gz`), { throwIfNoEntry: false })
  return (gz ?? statSync(join(DIST, file))).size
}
