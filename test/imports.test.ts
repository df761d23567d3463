import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** The rooms in the order of the corridor: a file may import from its own room and from those behind it. */
const CORRIDOR = [
  'doors',
  'operations',
  'compliance',
  'workflows',
  'webhooks',
  'oauth',
  'organization',
  'identity',
  'records',
  'journal',
  'caller',
  'keyring',
  'database',
  'config',
  'mail',
  'outbound',
]

/** These rooms stand side by side; they do not call each other. The table is the wire. */
const SIDE_BY_SIDE = ['compliance', 'workflows', 'webhooks', 'organization']

const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

function importsOf(file: string): { target: string; typeOnly: boolean }[] {
  const text = readFileSync(join('server', file), 'utf8')
  return [...text.matchAll(/^(import|export)( type)? [^;'"]*?from '(\.[^']+)'/gms)].map((found) => ({
    target: normalize(join(dirname(file), found[3]!)),
    typeOnly: found[2] !== undefined,
  }))
}

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : null)

test.each(files)('%s imports only down the corridor', (file) => {
  const room = roomOf(file)
  for (const { target, typeOnly } of importsOf(file)) {
    const other = roomOf(target)
    if (target.startsWith('..') || other === null || other === room || typeOnly) continue
    if (room === null) continue
    const [from, to] = [CORRIDOR.indexOf(room), CORRIDOR.indexOf(other)]
    if (room === 'clock') continue
    expect.soft(to, `${file} → ${target}`).toBeGreaterThan(from)
    const sideways = SIDE_BY_SIDE.includes(room) && SIDE_BY_SIDE.includes(other)
    expect.soft(sideways, `${file} → ${target} goes sideways`).toBe(false)
  }
})

/** Every import of a relative path in a folder, as paths from the root. */
function importsWithin(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('dist'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [...text.matchAll(/^(import|export)( type)? [^;'"]*?from '(\.[^']+)'/gms)].map((found) => ({
        file: `${folder}/${file}`,
        target: normalize(join(folder, dirname(file), found[3]!)),
        typeOnly: found[2] !== undefined,
      }))
    })
}

/** Files that import each other in a ring, each ring once (Tarjan). */
function ringsOf(edges: readonly { file: string; target: string }[]): string[][] {
  const targets = Map.groupBy(edges, ({ file }) => file)
  const seen = new Map<string, number>()
  const stack: string[] = []
  const rings: string[][] = []
  const visit = (file: string): number => {
    const index = seen.size
    seen.set(file, index)
    stack.push(file)
    let lowest = index
    for (const { target } of targets.get(file) ?? [])
      if (!seen.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, seen.get(target)!)
    if (lowest === index) {
      const ring = stack.splice(stack.indexOf(file))
      if (ring.length > 1) rings.push(ring)
    }
    return lowest
  }
  for (const file of targets.keys()) if (!seen.has(file)) visit(file)
  return rings
}

test('no files import each other in a ring, whether values or types', () => {
  const edges = ['model', 'server', 'client', 'web'].flatMap(importsWithin)
  expect(edges.length).toBeGreaterThan(3000)
  expect(ringsOf([...edges, { file: 'model/kind.ts', target: 'model/kinds/risk.ts' }])).not.toEqual([])
  expect(ringsOf(edges)).toEqual([])
})

test('the web app shares the model with the server, and takes nothing else from there but types', () => {
  const all = importsWithin('web')
  expect(all.filter(({ target }) => target.startsWith('model/')).length).toBeGreaterThan(50)
  const taken = all.filter(({ target, typeOnly }) => !typeOnly && /^(server|client)\//.test(target))
  expect(taken.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('the server and its programs take nothing from the web app', () => {
  const taken = ['server', 'client'].flatMap(importsWithin).filter(({ target }) => target.startsWith('web/'))
  expect(taken.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('the way out knows nothing of who goes it', () => {
  const taken = importsWithin('server/outbound').filter(
    ({ target }) => !target.startsWith('server/outbound/'),
  )
  expect(taken.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('the model knows nothing but itself and zod', () => {
  for (const file of readdirSync('model', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(join('model', file), 'utf8')
    const targets = [...text.matchAll(/from '([^']+)'/g)].map((found) => found[1]!)
    expect(
      targets.filter(
        (target) =>
          target !== 'zod' &&
          (!target.startsWith('.') || normalize(join(dirname(file), target)).startsWith('..')),
      ),
      file,
    ).toEqual([])
  }
})

test('a start loads nothing that is large and that most processes never need', () => {
  const loaded = new Set(['main.ts'])
  for (const file of loaded)
    for (const { target, typeOnly } of importsOf(file))
      if (!typeOnly && !target.startsWith('..')) loaded.add(target)
  expect(loaded.size).toBeGreaterThan(200)
  expect([...loaded]).not.toContain('oauth/library.ts')
  const direct = /^import (?!type)[^;'"]*?from '(undici|oidc-provider|nodemailer|@simplewebauthn\/server)'/m
  expect([...loaded].filter((file) => direct.test(readFileSync(join('server', file), 'utf8')))).toEqual([])
})
