import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../server/doors/web-app.ts'

/*
 * Promise: what a guest opens is a document of its own, small from the link to the text, with all that it draws and
 * nothing of the app.
 */

interface Entry {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const manifest: Record<string, Entry> = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))

const OPENED = ['guest.html', 'pages/guest/opened-pass.tsx']
/** Of headers a request costs about so much, as browsers count it. */
const HEADERS = 300

test('from the link to the text, a guest is sent at most 135 KB of code and styles', () => {
  const parts = loadedBy(OPENED, ({ imports = [] }) => imports)
  const files = [...parts].flatMap((part) => [manifest[part]!.file, ...(manifest[part]!.css ?? [])])
  const sent = [...new Set(files)].map((file) => readFileSync(join(DIST, `${file}.br`)).length + HEADERS)
  expect(sent.length).toBeGreaterThan(10)
  const total = sent.reduce((sum, size) => sum + size, 0)
  expect(total).toBeLessThanOrEqual(135 * 1024)
  expect(total).toBeGreaterThan(90 * 1024) // else something was not counted
})

test('whatever a guest comes to load, none of it is the app, its router or its kinds', () => {
  const parts = loadedBy(OPENED, ({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
  expect([...parts]).not.toContain('index.html')
  expect([...parts].filter((part) => /router|inner|work|kinds|frame/.test(part))).toEqual([])
  const text = [...parts].map((part) => readFileSync(join(DIST, manifest[part]!.file), 'utf8')).join('')
  expect(text).not.toContain('referencePrefix')
  expect([
    ...loadedBy(['index.html'], ({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]),
  ]).not.toContain('guest.html')
})

const WEB = join(import.meta.dirname, '../web')
const STYLES = join(import.meta.dirname, '../node_modules/@mantine/core/styles')

test('each component that a guest’s pages draw brings its styles, in the order of the app', () => {
  const styled = (name: string) => existsSync(join(STYLES, `${name}.layer.css`))
  const drawn = [...sourcesOf(join(WEB, 'guest.tsx'))]
    .flatMap((source) => componentsIn(source))
    .filter(styled)
  expect(drawn.length).toBeGreaterThan(8)
  const [ofGuests, ofApp] = ['guest-styles.css', 'styles.css'].map(
    (name) => readFileSync(join(WEB, name), 'utf8').match(/^@import .*$/gm)!,
  )
  const named = ofGuests!.join()
  expect([...new Set(drawn)].filter((name) => !named.includes(`/${name}.layer.css`))).toEqual([])
  expect(ofApp!.filter((one) => ofGuests!.includes(one))).toEqual(ofGuests)
})

function loadedBy(names: string[], next: (entry: Entry) => string[]): Set<string> {
  const known = new Set(names)
  for (const name of known) for (const one of next(manifest[name]!)) known.add(one)
  return known
}

/** All that a source imports of the app's own, at once or later. */
function sourcesOf(first: string): Set<string> {
  const known = new Set([first])
  for (const source of known)
    for (const [, path] of readFileSync(source, 'utf8').matchAll(/(?:from|import\(?) ?'(\.[^']+\.tsx?)'/g))
      known.add(join(dirname(source), path!))
  return known
}

const componentsIn = (source: string): string[] =>
  [...readFileSync(source, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(
    ([, names]) => names!.split(',').map((name) => name.replace('type ', '').trim()),
  )
