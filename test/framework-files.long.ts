import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Imports all libraries of CISO Assistant in a folder, and compares what is stored with a plain reading of the YAML:
 * counts, order, keys and texts. The files are not part of the project. Set FRAMEWORK_FILES to a folder of them, such as
 * backend/library/libraries of intuitem/ciso-assistant-community.
 */

const FOLDER = process.env.FRAMEWORK_FILES
const run = test.skipIf(!FOLDER)
if (!FOLDER) console.info('FRAMEWORK_FILES names no folder: no library is imported.')

let one: TestService
let acme: TestOrganization
let imports: ReturnType<typeof frameworkImportsOf>
beforeAll(async () => {
  if (!FOLDER) return
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
  imports = frameworkImportsOf(one, acme.admin)
}, 60_000)
afterAll(() => one?.close())

interface Node {
  readonly urn: string
  readonly parent_urn?: string
  readonly ref_id?: string
  readonly name?: string
  readonly description?: string
}

interface Library {
  readonly objects: {
    readonly framework?: { readonly urn: string; readonly requirement_nodes: readonly Node[] }
    readonly [name: string]: unknown
  }
}

interface Row {
  readonly key: string
  readonly title: string
  readonly text: string | null
  readonly parent: string | null
}

const trimmed = (text: unknown): string => (text === undefined || text === null ? '' : String(text).trim())

/** The keys of nodes, by their URNs, as the documentation says them. */
function keysOf(nodes: readonly Node[]): ReadonlyMap<string, string> {
  const refs = Map.groupBy(nodes, ({ ref_id }) => trimmed(ref_id).normalize('NFC'))
  const segments = nodes.map(({ urn }) => urn.split(':'))
  let shared = 0
  while (segments.every((one) => one.length > shared + 1 && one[shared] === segments[0]![shared])) shared += 1
  return new Map(
    nodes.map(({ urn, ref_id }, at) => {
      const ref = trimmed(ref_id).normalize('NFC')
      const isUnique = ref !== '' && refs.get(ref)!.length === 1
      return [urn, isUnique ? ref : segments[at]!.slice(shared).join(':').normalize('NFC').trim()]
    }),
  )
}

/** A parent before its children, each in the order of the file. */
function inOrder(nodes: readonly Node[]): Node[] {
  const children = Map.groupBy(nodes, ({ parent_urn }) => parent_urn ?? null)
  const walk = (parent: string | null): Node[] =>
    (children.get(parent) ?? []).flatMap((node) => [node, ...walk(node.urn)])
  return walk(null)
}

function expectedOf({ requirement_nodes: nodes }: NonNullable<Library['objects']['framework']>): Row[] {
  const keys = keysOf(nodes)
  return inOrder(nodes).map(({ urn, parent_urn, name, description }) => ({
    key: keys.get(urn)!,
    title: trimmed(name) || trimmed(description).split('\n')[0]!.slice(0, 500) || keys.get(urn)!,
    text: trimmed(description) || null,
    parent: parent_urn === undefined ? null : keys.get(parent_urn)!,
  }))
}

const storedOf = async (id: string | null): Promise<Row[]> =>
  (
    await one.administrator.query(
      `select r.key, r.title, r.text, p.key as parent
         from requirements r
         left join requirements p on p.organization_id = r.organization_id and p.id = r.parent_id
        where r.organization_id = $1 and r.framework_id = $2 order by r.sort_order`,
      [acme.id, id],
    )
  ).rows as Row[]

/** Where what is stored differs from the file; a text that was shortened, which the plan says, begins alike. */
function differenceOf(expected: readonly Row[], stored: readonly Row[], isShortened: boolean): string[] {
  if (expected.length !== stored.length) return [`${expected.length} in the file, ${stored.length} stored`]
  const plain = (text: string | null) => (text ?? '').replaceAll(/\s+$/gm, '').normalize('NFC')
  return expected.flatMap((one, at) => {
    const other = stored[at]!
    if (one.key !== other.key) return [`${at + 1}: key ${one.key}, stored ${other.key}`]
    if (one.parent !== other.parent) return [`${one.key}: below ${one.parent}, stored below ${other.parent}`]
    if (plain(one.title).trim() !== plain(other.title).trim()) return [`${one.key}: another title`]
    const [text, kept] = [plain(one.text), plain(other.text)]
    return text === kept || (isShortened && text.startsWith(kept)) ? [] : [`${one.key}: another text`]
  })
}

run(
  'libraries are imported as their files have them',
  async () => {
    const files = readdirSync(FOLDER!)
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => {
        const bytes = readFileSync(join(FOLDER!, name))
        return { name, bytes, library: parse(bytes.toString(), { logLevel: 'error' }) as Library }
      })
    const has = (library: Library, name: string) => library.objects[name] !== undefined
    const frameworks = files.filter(({ library }) => has(library, 'framework'))
    const others = files.filter(({ library }) => !has(library, 'framework'))
    const table: string[] = []
    const count = {
      frameworks: 0,
      equal: 0,
      requirements: 0,
      mappingFiles: 0,
      mappings: 0,
      missing: 0,
      matrices: 0,
    }
    for (const { name, bytes, library } of frameworks) {
      const sent = await imports.send(name, bytes)
      const { outcome, faults, notes } = sent.plan!
      if (outcome !== 'new') {
        table.push(`${name}: ${outcome}: ${faults[0]?.message}`)
        continue
      }
      const { frameworkId, job } = await imports.apply(sent)
      const stored = await storedOf(frameworkId)
      const isShortened = (notes as string[]).some((note) => note.includes('is shortened'))
      const difference = differenceOf(expectedOf(library.objects.framework!), stored, isShortened)
      count.frameworks += 1
      count.requirements += stored.length
      if (difference.length === 0) count.equal += 1
      else table.push(`${name}: ${job?.failure ?? difference.slice(0, 3).join('; ')}`)
    }
    for (const { name, bytes, library } of others) {
      const sent = await imports.send(name, bytes)
      const { outcome, faults, mappings } = sent.plan!
      const isMapping = has(library, 'requirement_mapping_sets') || has(library, 'requirement_mapping_set')
      if (outcome === 'refused') table.push(`${name}: refused: ${faults[0]?.message}`)
      else if (isMapping) {
        count.mappingFiles += 1
        for (const { added, missing } of mappings as { added: number; missing: number }[]) {
          count.mappings += added
          count.missing += missing
        }
      } else if (has(library, 'risk_matrix')) count.matrices += 1
    }
    console.info(table.join('\n'))
    console.info(
      `${frameworks.length} libraries with a framework: ${count.frameworks} imported, ${count.equal} equal to their files, ${count.requirements} requirements`,
    )
    console.info(
      `${others.length} without: ${count.mappingFiles} with mappings (${count.mappings} to be added, ${count.missing} left out), ${count.matrices} risk matrices`,
    )
    expect(count.equal).toBeGreaterThanOrEqual(frameworks.length * 0.98)
  },
  3_600_000,
)
