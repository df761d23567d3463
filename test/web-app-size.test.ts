import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { capital } from '../model/capital.ts'
import { dataOf, entryOf } from '../model/describe-kind.ts'
import type { KindEntry } from '../model/described-kind.ts'
import type { Kind } from '../model/kind.ts'
import { everyKind, kinds } from '../model/kinds/index.ts'
import { DIST } from '../server/doors/web-app.ts'
import { indexOf } from '../web/kinds/plugin.ts'

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

test.each(OPEN_PAGES)('%s loads no kinds, and no script of another page', (page) => {
  const names = [...scriptsOf('index.html'), ...scriptsOf(`pages/${page}.tsx`)]
  expect(textOf(names)).not.toContain('referencePrefix')
  expect(names.filter((name) => /kinds|simplewebauthn|uqr|frame\.tsx|account|settings/.test(name))).toEqual(
    [],
  )
})

test('no script of the app has zod in it', () => {
  const scripts = readdirSync(join(DIST, 'built')).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(40)
  const hasZod = (name: string) =>
    /ZodError|ZodObject|invalid_union|globalRegistry/.test(readFileSync(join(DIST, 'built', name), 'utf8'))
  expect(scripts.filter(hasZod)).toEqual([])
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

const FIRST_LOADS = [
  ['overview', 200_000],
  ['register', 279_000],
  ['record', 286_000],
] as const

test.each(FIRST_LOADS)('the first load of %s is at most %i bytes of script, gzipped', (page, most) => {
  const names = new Set(behindSignIn(page).flatMap((part) => [...scriptsOf(part)]))
  const total = [...names].reduce((sum, name) => sum + compressed(manifest[name]!.file), 0)
  expect(total).toBeLessThanOrEqual(most)
  expect(total).toBeGreaterThan(150_000) // else something was not counted
})

test.each(FIRST_LOADS)('%s loads an index of the kinds first, and of none the fields', (page) => {
  const text = textOf(new Set(behindSignIn(page).flatMap((part) => [...scriptsOf(part)])))
  for (const kind of everyKind) {
    expect(text).toContain(kind.referencePrefix)
    const { fields, states } = dataOf(kind)
    const said = Object.values(fields).flatMap(({ description = '' }) => description)
    const asked = states.flatMap(({ asks = {} }) =>
      Object.values(asks)
        .flat()
        .map(({ message }) => message),
    )
    const long = [...said, ...asked].filter(({ length }) => length > 25)
    expect(long.length).toBeGreaterThan(0)
    expect(long.filter((one) => text.includes(one))).toEqual([])
    const file = manifest[`../virtual:kind/${kind.name}`]!.file
    expect(long.filter((one) => !readFileSync(join(DIST, file), 'utf8').includes(one))).toEqual([])
    expect(compressed(file)).toBeLessThan(4_000)
  }
})

const FURTHER =
  'asset vendor evidence policy policy_version framework requirement risk_treatment security_finding ai_system internal_audit audit_finding compliance_plan suggested_task dataset data_system processing_activity vendor_contact vendor_contract vendor_assessment ict_service register_run acceptance attestation tested_control questionnaire certification exception'.split(
    ' ',
  )

test('the index is under 4 KB at thirty-one kinds, and each is less than 80 bytes of it', () => {
  const own = Object.fromEntries(everyKind.map((kind) => [kind.name, entryOf(kind)]))
  const further = FURTHER.map((name) => [name, furtherEntry(name)])
  const sizes = [own, { ...own, ...Object.fromEntries(further) }].map(
    (index) => gzipSync(indexOf(index, fileOf), { level: 9 }).length,
  ) as [number, number]
  expect(sizes[1]).toBeLessThan(4_096)
  expect((sizes[1] - sizes[0]) / FURTHER.length).toBeLessThan(80)
})

function furtherEntry(name: string): KindEntry {
  const [plural, words] = [`${name}s`, name.replaceAll('_', ' ')]
  const path = plural.replaceAll('_', '-')
  const prefix = createHash('sha256').update(name).digest('hex').slice(0, 3)
  return {
    ...entryOf(kinds.risk as unknown as Kind),
    ...{ name, plural, path, scope: path, noun: { one: words, many: `${words}s` }, title: capital(words) },
    ...{ idPrefix: prefix, referencePrefix: prefix.toUpperCase(), relations: [] },
  }
}

/** As the build calls it. */
const fileOf = (name: string): string =>
  `./${name}-${createHash('sha256').update(name).digest('base64url').slice(0, 8)}.js`

const textOf = (names: Iterable<string>): string =>
  [...names].map((name) => readFileSync(join(DIST, manifest[name]!.file), 'utf8')).join('')

const compressed = (file: string): number => {
  const gz = statSync(join(DIST, `${file}.gz`), { throwIfNoEntry: false })
  return (gz ?? statSync(join(DIST, file))).size
}
