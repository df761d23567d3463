import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import type { CatalogRequirement } from '../server/frameworks/catalog.ts'
import { Findings, type Reading, reading } from '../server/frameworks/reading/faults.ts'
import { readGiven, readOscal } from '../server/frameworks/reading/oscal.ts'
import { modelOf, type OscalModel, parseDocument } from '../server/frameworks/reading/oscal-document.ts'

/*
 * Promise: whatever OSCAL authors publish is imported with equal counts, order, keys and texts, or refused with a reason.
 *
 * OSCAL_FILES is a folder with one folder for each author. Every catalog is compared with a reading of its JSON that shares
 * no code with the product, every YAML and XML file with its JSON twin, and every profile with its published resolution.
 */

const ROOT = process.env.OSCAL_FILES ?? ''
const isThere = ROOT !== '' && existsSync(ROOT)
if (!isThere) console.log('OSCAL files are not compared: set OSCAL_FILES to a folder of them.')

// biome-ignore lint/suspicious/noExplicitAny: whatever the files have
type Any = any

interface Given {
  readonly name: string
  readonly path: string
  readonly model: OscalModel
  readonly value: Any
  readonly placeOf: (path: readonly (string | number)[]) => string
}

const files = isThere
  ? readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(json|ya?ml|xml)$/.test(name))
      .map((name) => join(ROOT, name))
      .sort()
  : []

/** Documents of OSCAL; other files of the same endings are none of them. */
function load(path: string): Given | null {
  const bytes = readFileSync(path)
  const head = bytes.subarray(0, 4_000).toString('utf8')
  if (!/oscal|"(catalog|profile)"|^(catalog|profile):/im.test(head)) return null
  const findings = new Findings()
  try {
    const parsed = parseDocument(bytes, findings)
    const model = parsed && modelOf(parsed.value)
    if (!parsed || !model || !(parsed.value as Any)[model]?.metadata) return null
    return { name: relative(ROOT, path), path, model, value: parsed.value, placeOf: parsed.placeOf }
  } catch {
    return null
  }
}

const letters = (text: string | undefined) => (text ?? '').replaceAll(/\s+/g, '')
const labelOf = ({ props = [] }: Any): string | undefined => {
  const labels = props.filter((one: Any) => one.name === 'label')
  return (labels.find((one: Any) => one.class === undefined) ?? labels[0])?.value.trim()
}
const sortIdOf = ({ props = [] }: Any) => props.find((one: Any) => one.name === 'sort-id')?.value

/** The groups and controls of a catalog in the plainest way: by themselves, in order. */
function plain(catalog: Any): { one: Any; isGroup: boolean }[] {
  const found: { one: Any; isGroup: boolean }[] = []
  const visit = (holder: Any) => {
    const controls = [...(holder.controls ?? [])]
    if (controls.every((one: Any) => sortIdOf(one) !== undefined))
      controls.sort((a: Any, b: Any) => (sortIdOf(a) < sortIdOf(b) ? -1 : sortIdOf(a) > sortIdOf(b) ? 1 : 0))
    for (const one of controls) {
      found.push({ one, isGroup: false })
      visit(one)
    }
    for (const one of holder.groups ?? []) {
      found.push({ one, isGroup: true })
      visit(one)
    }
  }
  visit(catalog)
  return found
}

const prosesOf = (parts: Any[] = []): string[] =>
  parts.flatMap((part) => [...(part.prose ? [part.prose] : []), ...prosesOf(part.parts)])

/** What differs between a catalog as it was read and as its JSON says. */
function differences(requirements: readonly CatalogRequirement[], catalog: Any): string[] {
  const all = plain(catalog)
  if (all.length !== requirements.length) return [`${requirements.length} instead of ${all.length}`]
  const labels = all.flatMap(({ one, isGroup }) => (isGroup ? [] : [labelOf(one) ?? one.id]))
  const areUnique = new Set(labels).size === labels.length
  return all.flatMap(({ one, isGroup }, index) => {
    const read = requirements[index]!
    const said = letters([read.text, read.guidance, read.typicalEvidence, read.annotation].join(''))
    const wanted = prosesOf(one.parts).flatMap((prose) =>
      prose
        .replaceAll(/\[([^\][]+)\]\([^()\s]+\)/g, '$1')
        .split(/\{\{.*?\}\}/)
        .map(letters),
    )
    const constraints = (one.params ?? []).flatMap((param: Any) =>
      (param.constraints ?? []).map((constraint: Any) => letters(constraint.description)),
    )
    // What assessors examine is set with semicolons, and long texts of groups are shortened with a note.
    const lost = [...wanted, ...constraints].filter(
      (text) => !said.replaceAll(';', '').includes(text.replaceAll(';', '')) && !said.includes('…'),
    )
    return [
      ...(read.sourceId === one.id ? [] : [`${one.id}: id ${read.sourceId}`]),
      ...(letters(read.title) === letters(one.title?.replaceAll(/\[([^\][]+)\]\([^()\s]+\)/g, '$1')) ||
      one.title?.includes('{{')
        ? []
        : [`${one.id}: title ${read.title}`]),
      ...(isGroup || read.key === ((areUnique ? labelOf(one) : undefined) ?? one.id)
        ? []
        : [`${one.id}: key ${read.key}`]),
      ...lost.map((text) => `${one.id}: without “${text.slice(0, 80)}”`),
    ]
  })
}

const texts = (requirements: readonly CatalogRequirement[]) =>
  requirements.map(({ place: _, levels: __, ...rest }) =>
    Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, typeof value === 'string' ? letters(value) : value]),
    ),
  )

const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
const reasonOf = (read: Reading) =>
  'faults' in read ? `${read.faults[0]!.place} ${read.faults[0]!.message}`.trim() : ''

test.skipIf(!isThere)(
  'what is published is imported as it is, or refused with a reason',
  { timeout: 3_600_000 },
  () => {
    const wrong: string[] = []
    const catalogs = new Map<string, Given>()
    for (const path of files) {
      const found = load(path)
      if (!found) continue
      const form = path.slice(path.lastIndexOf('.') + 1)
      if (form === 'json') catalogs.set(path, found)
      if (found.model !== 'catalog') continue
      const start = performance.now()
      const read = readOscal(readFileSync(path))
      const took = performance.now() - start
      if (took > 20_000) wrong.push(`${found.name}: took ${Math.round(took)} ms`)
      count(`${form} catalogs ${'faults' in read ? 'refused' : 'accepted'}`)
      if ('faults' in read) {
        console.log(`refused: ${found.name}: ${reasonOf(read)}`)
        continue
      }
      const twin = path.replaceAll(`${sep}${form}${sep}`, `${sep}json${sep}`).replace(/\.\w+$/, '.json')
      if (form === 'json')
        wrong.push(
          ...differences(read.catalog.requirements, found.value.catalog).map(
            (one) => `${found.name}: ${one}`,
          ),
        )
      else if (existsSync(twin)) {
        const other = readOscal(readFileSync(twin))
        const isSame =
          'catalog' in other &&
          JSON.stringify(texts(read.catalog.requirements)) ===
            JSON.stringify(texts(other.catalog.requirements))
        count(`${form} catalogs ${isSame ? 'equal to' : 'different from'} their JSON`)
        if (!isSame) console.log(`different from its JSON: ${found.name}`)
      }
    }
    const given = [...catalogs.values()]
    for (const profile of given.filter(({ model }) => model === 'profile')) {
      const [author] = profile.name.split(sep)
      // Of two copies of a document the one without white space is left out.
      const near = given.filter(
        ({ name }) =>
          name.split(sep)[0] === author &&
          !(name.endsWith('-min.json') && catalogs.has(join(ROOT, name.replace('-min.json', '.json')))),
      )
      const read = reading((findings) =>
        readGiven(profile, near.includes(profile) ? near : [...near, profile], profile.placeOf, findings),
      )
      count(`profiles ${'faults' in read ? 'refused' : 'resolved'}`)
      if ('faults' in read) {
        console.log(`refused: ${profile.name}: ${reasonOf(read)}`)
        continue
      }
      const published = profile.path.replace(/_profile(-min)?\.json$/, '-resolved-profile_catalog$1.json')
      if (published === profile.path || !existsSync(published)) continue
      const other = readOscal(readFileSync(published))
      if ('faults' in other) continue
      const [mine, theirs] = [read.catalog.requirements, other.catalog.requirements]
      const isSame = JSON.stringify(texts(mine)) === JSON.stringify(texts(theirs))
      count(`profiles ${isSame ? 'equal to' : 'different from'} their published resolution`)
      if (!isSame)
        console.log(
          `different from its published resolution: ${profile.name}: ${mine.length} and ${theirs.length} requirements`,
        )
    }
    console.log(
      [...counts]
        .map(([what, many]) => `${what}: ${many}`)
        .sort()
        .join('\n'),
    )
    expect(wrong.slice(0, 20)).toEqual([])
  },
)
