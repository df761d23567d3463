import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/*
 * The layout that CONTRIBUTING.md tells of, asserted of every import, of a type as of a value: its table has a row for
 * each room, the rooms in one order, and what each may import. The table is read here, so it cannot say anything else.
 */

interface Room {
  readonly name: string
  /** Files and folders from the root, folders with a slash at the end. */
  readonly paths: readonly string[]
  readonly imports: readonly string[]
  /** Whether every room above may import it. */
  readonly isForAll: boolean
}

const rooms = roomsIn(readFileSync('CONTRIBUTING.md', 'utf8'))
const sources = ['model', 'server', 'client', 'web'].flatMap(sourcesIn)
const edges = [...sources.flatMap(importsOf), ...partsAsked()]

describe.each(rooms)('$name', (room) => {
  const place = rooms.indexOf(room)
  const from = edges.filter(({ file }) => roomOf(file) === room)

  test('may import rooms below it, and no other', () => {
    const below = rooms.slice(place + 1).flatMap(({ paths }) => paths)
    expect(below).toEqual(expect.arrayContaining([...room.imports]))
  })

  test('imports what the table says', () => {
    const mayImport = (target: string) => {
      const other = roomOf(target)
      if (other === room || other.paths.some((path) => room.imports.includes(path))) return true
      return other.isForAll && rooms.indexOf(other) > place
    }
    expect(from.filter(({ target }) => !mayImport(target)).map(told)).toEqual([])
  })

  test('needs all that the table lets it import', () => {
    const needed = new Set(from.flatMap(({ target }) => roomOf(target).paths))
    expect(room.imports.filter((path) => !needed.has(path))).toEqual([])
  })
})

test("what stands in a folder of a room is the room's own: others import what stands at its top", () => {
  const topOf = (file: string) =>
    roomOf(file).paths.find((path) => path.endsWith('/') && file.startsWith(path))
  const isInside = (file: string) => file.slice(topOf(file)?.length ?? 0).includes('/')
  const ofServer = edges.filter(({ target }) => target.startsWith('server/') && topOf(target))
  expect(ofServer.filter(({ target }) => isInside(target)).length).toBeGreaterThan(200)
  const reaching = ofServer.filter(({ file, target }) => isInside(target) && roomOf(file) !== roomOf(target))
  expect(reaching.map(told)).toEqual([])
})

test('no files import each other in a ring', () => {
  expect(edges.length).toBeGreaterThan(3000)
  expect(ringsOf([...edges, { file: 'model/kind.ts', target: 'model/kinds/risk.ts' }])).not.toEqual([])
  expect(ringsOf(edges)).toEqual([])
})

test('a part that a room declares is asked for by rooms above', () => {
  const asked = partsAsked().map(({ target }) => roomOf(target).name)
  expect(new Set(asked)).toEqual(
    new Set([
      'server/deadlines/',
      'server/files/',
      'server/identity/',
      'server/jobs/',
      'server/journal/',
      'server/records/',
      'server/webhooks/',
    ]),
  )
})

test('the web app takes nothing of the server but types', () => {
  const taken = edges.filter(({ file, target }) => file.startsWith('web/') && target.startsWith('server/'))
  expect(taken.length).toBeGreaterThan(0)
  expect(taken.filter(({ isType }) => !isType).map(told)).toEqual([])
})

test('the web app takes of the kinds what the build makes of them, and no schema', () => {
  const isBuilt = (file: string) => file.startsWith('web/kinds/')
  const isRules = (file: string) => /^model\/kinds\/.*-rules\.ts$/.test(file)
  const loaded = new Set(
    sources.filter((file) => (file.startsWith('web/') && !isBuilt(file)) || isRules(file)),
  )
  for (const file of loaded)
    for (const edge of edges)
      if (edge.file === file && !edge.isType && !isBuilt(edge.target) && sources.includes(edge.target))
        loaded.add(edge.target)
  expect(loaded).toContain('model/kind-rules.ts')
  const zod = /^import (?!type)[^;'"]*?from 'zod'/m
  expect([...loaded].filter((file) => zod.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('the model knows no library but zod', () => {
  for (const file of sourcesIn('model')) {
    const libraries = [...readFileSync(file, 'utf8').matchAll(/from '([^.'][^']*)'/g)].map(
      (found) => found[1],
    )
    expect(
      [...new Set(libraries)].filter((name) => name !== 'zod'),
      file,
    ).toEqual([])
  }
})

test('a start loads nothing that is large and that most processes never need', () => {
  const loaded = new Set(['server/main.ts'])
  for (const file of loaded)
    for (const edge of edges)
      if (edge.file === file && edge.target.startsWith('server/') && !edge.isType && !edge.isLazy)
        loaded.add(edge.target)
  expect(loaded.size).toBeGreaterThan(200)
  expect([...loaded]).not.toContain('server/oauth/library.ts')
  const direct = /^import (?!type)[^;'"]*?from '(undici|oidc-provider|nodemailer|@simplewebauthn\/server)'/m
  expect([...loaded].filter((file) => direct.test(readFileSync(file, 'utf8')))).toEqual([])
})

function roomsIn(text: string): Room[] {
  const rows = text.split('\n').filter((line) => /^\| `/.test(line))
  return rows.map((row) => {
    const [names, , imports] = row.split('|').slice(1)
    const paths = codeIn(names!).map(pathOf)
    const isForAll = names!.includes('*')
    return { name: paths[0]!, paths, imports: codeIn(imports!).map(pathOf), isForAll }
  })
}

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1]!)
}

function pathOf(name: string): string {
  return /^(model|client|web)\//.test(name) ? name : `server/${name}`
}

function roomOf(file: string): Room {
  const found = rooms.find(({ paths }) =>
    paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
  )
  if (!found) throw new Error(`${file} stands in no room of the table in CONTRIBUTING.md`)
  return found
}

interface Import {
  readonly file: string
  readonly target: string
  readonly isType: boolean
  /** Loaded when it is first needed. */
  readonly isLazy: boolean
}

const told = ({ file, target }: Import) => `${file} → ${target}`

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('dist'))
    .map((file) => `${folder}/${file}`)
}

/** Every import of a relative path in a file, as paths from the root. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const fromHere = (path: string) => normalize(join(dirname(file), path))
  const written = /^(?:import|export)( type)? [^;'"]*?from '(\.[^']+)'/gms
  const lazy = /(typeof )?\bimport\('(\.[^']+)'\)/g
  return [written, lazy].flatMap((form) =>
    [...text.matchAll(form)].map((found) => ({
      file,
      target: fromHere(found[2]!),
      isType: found[1] !== undefined,
      isLazy: form === lazy,
    })),
  )
}

/** Who asks for a part that a room declares (`Parts` in operation.ts) depends on that room, and has no import. */
function partsAsked(): Import[] {
  const texts = sources.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  return texts.flatMap(({ file: target, text }) => {
    const declared =
      /^declare module '.*operation\.ts' \{\n {2}interface Parts \{([^}]*)\}/m.exec(text)?.[1] ?? ''
    const names = [...declared.matchAll(/readonly (\w+):/g)].map((found) => found[1])
    return texts
      .filter((one) => one.file !== target && names.some((name) => one.text.includes(`parts.${name}`)))
      .map(({ file }) => ({ file, target, isType: true, isLazy: true }))
  })
}

/** Files that import each other in a ring, each ring once (Tarjan). */
function ringsOf(all: readonly { file: string; target: string }[]): string[][] {
  const targets = Map.groupBy(all, ({ file }) => file)
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
