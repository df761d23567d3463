import yauzl from 'yauzl'
import { Findings, quoted, type Reading, reading, Unreadable } from './faults.ts'
import { readGiven } from './oscal.ts'
import { modelOf, type Parsed, parseDocument } from './oscal-document.ts'
import { findDocument } from './oscal-hrefs.ts'
import type { GivenDocument } from './oscal-profile.ts'
import { type Fields, listOf } from './oscal-select.ts'
import { isObject } from './shape.ts'

/*
 * Reads a ZIP archive of OSCAL documents, such as a profile with its catalogs. The document that no other one imports is
 * read; where there are several of these, the import says which one.
 */

const FILES_AT_MOST = 500
const INFLATED_AT_MOST = 100 * 1024 * 1024
const DOCUMENT = /\.(json|ya?ml|xml)$/i

/** @param wanted the name of the document to be read, where the import says one */
export async function readOscalArchive(bytes: Buffer, wanted?: string): Promise<Reading> {
  let files: ArchivedFile[] = []
  try {
    files = await filesIn(bytes)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return reading(() => {
      throw error
    })
  }
  return reading((findings) => {
    const { documents, left } = documentsIn(files, findings)
    const root = rootOf(documents, wanted)
    if (left > 0) findings.note(`${left} files of the archive are no OSCAL: they are left out.`)
    const others = documents.filter(
      (one) => one !== root && one.model !== 'catalog' && one.model !== 'profile',
    )
    if (others.length > 0)
      findings.note(`${others.length} documents of the archive are no catalog and no profile.`)
    const placeOf = (path: readonly (string | number)[]) => `${root.name}, ${root.placeOf(path)}`
    return readGiven(root, documents, documents.length > 1 ? placeOf : root.placeOf, findings)
  })
}

interface ArchivedFile {
  readonly name: string
  readonly bytes: Buffer
}

async function filesIn(bytes: Buffer): Promise<ArchivedFile[]> {
  const damaged = () =>
    new Unreadable('', 'The archive is damaged: make it again, as ZIP without a password.')
  const archive = await yauzl.fromBufferPromise(bytes).catch(() => {
    throw damaged()
  })
  const files: ArchivedFile[] = []
  let inflated = 0
  try {
    for await (const entry of archive.eachEntry()) {
      if (!DOCUMENT.test(entry.fileName) || /(^|\/)(__MACOSX|\.)/.test(entry.fileName)) continue
      if (files.length === FILES_AT_MOST)
        throw new Unreadable(
          '',
          `The archive has more than ${FILES_AT_MOST} documents: leave out those that are not imported.`,
        )
      if (entry.isEncrypted()) throw damaged()
      const chunks: Buffer[] = []
      for await (const chunk of (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        inflated += chunk.length
        if (inflated > INFLATED_AT_MOST)
          throw new Unreadable(
            '',
            'The archive has more than 100 MB when it is unpacked: leave out what is not imported.',
          )
        chunks.push(chunk)
      }
      files.push({ name: entry.fileName, bytes: Buffer.concat(chunks) })
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : damaged()
  }
  return files
}

type ArchivedDocument = GivenDocument & Pick<Parsed, 'placeOf'>

/** All documents of OSCAL among the files; one that cannot be read is a fault. */
function documentsIn(
  files: readonly ArchivedFile[],
  findings: Findings,
): { documents: ArchivedDocument[]; left: number } {
  const documents: ArchivedDocument[] = []
  let left = 0
  for (const { name, bytes } of files) {
    const own = new Findings()
    let parsed: Parsed | null = null
    try {
      parsed = bytes.length === 0 ? null : parseDocument(bytes, own)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      own.fault(error.place, error.message)
    }
    for (const { place, message } of own.faults)
      findings.fault(place === '' ? name : `${name}, ${place}`, message)
    const model = modelOf(parsed?.value)
    if (parsed && model)
      documents.push({ name, model, value: parsed.value as Fields, placeOf: parsed.placeOf })
    else if (own.isGood) left += 1
  }
  return { documents, left }
}

function rootOf(documents: readonly ArchivedDocument[], wanted: string | undefined): ArchivedDocument {
  if (wanted !== undefined) {
    const named = documents.find(({ name }) => name === wanted)
    if (named) return named
    throw new Unreadable('', `The archive has no OSCAL document ${quoted(wanted)}${namesOf(documents)}.`)
  }
  const profiles = documents.filter(({ model }) => model === 'profile')
  const imported = new Set(profiles.flatMap((profile) => importsOf(profile, documents)))
  const tops = profiles.filter((one) => !imported.has(one))
  const candidates = profiles.length > 0 ? tops : documents.filter(({ model }) => model === 'catalog')
  if (candidates.length === 1) return candidates[0]!
  throw new Unreadable(
    '',
    documents.length === 0
      ? 'The archive has no OSCAL document: give a catalog, or a profile with its catalogs, as JSON, YAML or XML.'
      : candidates.length === 0
        ? `No profile or catalog of the archive is one that no other imports${namesOf(documents)}: say which one is imported (document).`
        : `The archive has ${candidates.length} documents that no other imports${namesOf(candidates)}: say which one is imported (document), or leave out the others.`,
  )
}

const namesOf = (documents: readonly ArchivedDocument[]): string =>
  documents.length === 0
    ? ''
    : ` (${documents
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ')}${documents.length > 5 ? ', …' : ''})`

function importsOf(profile: ArchivedDocument, documents: readonly ArchivedDocument[]): ArchivedDocument[] {
  const fields = profile.value.profile
  if (!isObject(fields)) return []
  const matter = fields['back-matter']
  const resources = isObject(matter) ? listOf(matter, 'resources') : []
  return listOf(fields, 'imports').flatMap(({ href }) => {
    if (typeof href !== 'string') return []
    const resource = href.startsWith('#') ? resources.find(({ uuid }) => uuid === href.slice(1)) : undefined
    const hrefs = resource
      ? listOf(resource, 'rlinks').flatMap((link) => (typeof link.href === 'string' ? [link.href] : []))
      : [href]
    return findDocument(hrefs, profile, documents)
  })
}
