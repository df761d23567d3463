import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* What the lockfile brings onto a machine: from the registry alone, to the byte, under licences that we looked at. */

interface Entry {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly name?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
}

const { packages, lockfileVersion } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>
  lockfileVersion: number
}
/** Packages that say nothing of it in their own description, and carry the text of their licence. */
const TOLD_BY_FILE: Record<string, string> = { 'png-js': 'MIT' }

const entries = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, entry]): [string, Entry] => [path, withLicence(path, entry)])
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

function withLicence(path: string, entry: Entry): Entry {
  const license = entry.license ?? TOLD_BY_FILE[path.slice('node_modules/'.length)]
  return license ? { ...entry, license } : entry
}

/**
 * Without a hash to hold them against, because the registry that the lockfile was made with does not carry them:
 * programs of the linter for platforms that nobody here uses. npm installs none of them here, and production has no
 * development packages.
 */
const WITHOUT_INTEGRITY = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
]

/** Permissive: nothing is asked of who uses or passes on the service but to keep the notices. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

/** By name, for development: nothing of them is part of the service or of the pages that are built. */
const EXCEPTIONS: Record<string, { license: string; because: string }> = {
  '@modelcontextprotocol/inspector': {
    license: 'SEE LICENSE IN LICENSE',
    because: 'its file says Apache-2.0, and MIT for what was written before',
  },
  'axe-core': { license: 'MPL-2.0', because: 'runs in tests; used as it is' },
  lightningcss: { license: 'MPL-2.0', because: 'builds the style sheets; used as it is' },
}
const PLATFORM_OF: readonly [RegExp, string][] = [[/^lightningcss-/, 'lightningcss']]

/** `MIT OR Apache-2.0` gives the choice; with `AND`, each would have to be one of ours. */
const isPermissive = (license = '') =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => PERMISSIVE.includes(one)))

test('every entry comes from the registry, under its own name and at one version', () => {
  expect(lockfileVersion).toBe(3)
  // npm leaves out where an entry came from where that is the registry (.npmrc), and says it of all else.
  const elsewhere = entries.filter(([, { resolved, link, name }]) => resolved || link || name)
  expect(elsewhere.map(([path]) => path)).toEqual([])
  const unpinned = entries.filter(
    ([, { version }]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version),
  )
  expect(unpinned.map(([path]) => path)).toEqual([])
})

test('what we ask for by name is asked for at one version', () => {
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  const asked = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies }
  expect(
    Object.entries(asked).filter(([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(range))),
  ).toEqual([])
})

test('every entry has a hash of its bytes, but for those named with the reason', () => {
  const without = entries.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  expect(without.map(([path]) => nameOf(path)).toSorted()).toEqual(WITHOUT_INTEGRITY)
  for (const [path, { dev, optional, os }] of without)
    expect({ path, dev, optional, os }).toMatchObject({ dev: true, optional: true, os: [expect.any(String)] })
})

test('every licence is one that was looked at', () => {
  const others = entries.filter(([, { license }]) => !isPermissive(license))
  const excepted = (name: string) => PLATFORM_OF.find(([form]) => form.test(name))?.[1] ?? name
  for (const [path, { license, dev }] of others)
    expect({ path, license, dev }).toEqual({
      path,
      license: EXCEPTIONS[excepted(nameOf(path))]?.license,
      dev: true,
    })
  const used = new Set(others.map(([path]) => excepted(nameOf(path))))
  expect([...used].toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted())
})

test('licences.txt lists them all', async () => {
  const ofService = entries.filter(([, { dev }]) => !dev)
  const lists = [
    ['With the service', ofService],
    ['For development, and in the built pages', entries.filter(([, { dev }]) => dev)],
  ] as const
  const text = lists.map(([title, some]) => `${title}\n\n${byLicence(some)}`).join('\n')
  await expect(text).toMatchFileSnapshot('../licences.txt')
})

function byLicence(some: readonly (readonly [string, Entry])[]): string {
  const lines = Map.groupBy(some, ([, { license }]) => license ?? '(none)')
  return [...lines]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, list]) => {
      const names = new Set(list.map(([path, { version }]) => `  ${nameOf(path)} ${version}\n`))
      return `${license}\n${[...names].toSorted().join('')}`
    })
    .join('\n')
}
