import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { entryName, isOfSystem } from './entry-name.ts'
import { type Found, LIMITS, Unreadable } from './found.ts'

/*
 * Reads an archive of anybody's: a program of its own, which has little memory, no rights and nothing to lose. It tells
 * what is in it, or gives the bytes of some of its files, one behind the other. What an archive says of itself is
 * believed in nothing: names are cleaned, bytes are counted as they come out, and no two files may lie in the same place,
 * by which a small archive holds as much as one likes.
 *
 * usage: program.ts list ARCHIVE | program.ts take ARCHIVE [the places of files, as JSON]
 */

/** So many bytes of the beginning tell what a file is. */
const HEAD_BYTES = 4_100
const STORED = 0
const DEFLATED = 8
/** Systems that tell of a file what kind of file it is: Unix, and macOS. */
const TELLING = [3, 19]
const [LINK, OF_TYPE] = [0o120_000, 0o170_000]

async function open(path: string): Promise<ZipFile> {
  return yauzl.openPromise(path, { decodeStrings: false, autoClose: false }).catch(() => {
    throw new Unreadable(DAMAGED)
  })
}

/** All that stands in it, in its order. */
async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  if (archive.entryCount > LIMITS.entries) throw new Unreadable(TOO_MANY)
  for await (const entry of archive.eachEntry()) {
    entries.push(entry)
    if (entries.length > LIMITS.entries) throw new Unreadable(TOO_MANY)
  }
  return entries
}

async function refuseOverlap(archive: ZipFile, entries: readonly Entry[]): Promise<void> {
  const places: [from: number, to: number][] = []
  for (const entry of entries) {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true })
    places.push([entry.relativeOffsetOfLocalHeader, fileDataStart + entry.compressedSize])
  }
  places.sort(([one], [other]) => one - other)
  if (places.some(([from], index) => index > 0 && from < places[index - 1]![1])) throw new Unreadable(DAMAGED)
}

async function list(from: string): Promise<void> {
  const archive = await open(from)
  const entries = await entriesOf(archive)
  await refuseOverlap(archive, entries)
  let inflated = 0
  const hidden = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const named = entryName(entry, entry.fileNameRaw)
    if (named.isFolder || isOfSystem(named)) continue
    // Of a hidden folder, such as .git, once.
    if (named.hidden && hidden.has(named.hidden.path)) continue
    if (named.hidden) hidden.add(named.hidden.path)
    const why = named.hidden ? HIDDEN : named.name === '' ? NAMELESS : leftOut(entry)
    if (why) {
      await tell({ left: { name: named.hidden?.name ?? (named.name || UNNAMED), why } })
      continue
    }
    const { name, path } = named
    const hash = createHash('sha256')
    const head: Buffer[] = []
    let [bytes, headBytes, sum] = [0, 0, 0]
    for await (const chunk of await bytesOf(archive, entry)) {
      bytes += chunk.length
      inflated += chunk.length
      sum = crc32(chunk, sum)
      if (inflated > LIMITS.inflated) throw new Unreadable(TOO_LARGE)
      hash.update(chunk)
      if (headBytes < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - headBytes))
      headBytes += head.at(-1)!.length
    }
    const told = { sha256: hash.digest('hex'), head: Buffer.concat(head).subarray(0, HEAD_BYTES) }
    if (bytes === 0) await tell({ left: { name, why: 'It is empty.' } })
    else if (sum !== entry.crc32) await tell({ left: { name, why: CHANGED } })
    else await tell({ entry: { index, name, path, bytes, ...told, head: told.head.toString('base64') } })
  }
}

/** Why a file is not taken; none where it is. */
function leftOut(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'It is protected by a password.'
  const mode = entry.externalFileAttributes >>> 16
  if (TELLING.includes(entry.versionMadeBy >>> 8) && (mode & OF_TYPE) === LINK)
    return 'It is a link to another file.'
  return [STORED, DEFLATED].includes(entry.compressionMethod)
    ? null
    : 'It is packed in a way that is not read here.'
}

const bytesOf = async (archive: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> =>
  (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>

async function take(path: string, indices: readonly number[]): Promise<void> {
  const archive = await open(path)
  const entries = await entriesOf(archive)
  for (const index of indices)
    for await (const chunk of await bytesOf(archive, entries[index]!)) await write(chunk)
}

const tell = (found: Found) => write(`${JSON.stringify(found)}\n`)

async function write(chunk: Buffer | string): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

const HIDDEN = 'It is hidden, as its name begins with a dot: pack it under another name.'
const UNNAMED = 'A file without a name'
const NAMELESS = 'What it is called only leads to a folder: pack it under a name.'
const CHANGED = 'It is damaged: what comes out is not what was packed.'
const DAMAGED = 'It is damaged, or no ZIP archive: pack it anew.'
const TOO_MANY = `It has more than ${LIMITS.entries} files and folders: pack fewer into one archive.`
const TOO_LARGE = `Taken apart it has more than ${LIMITS.inflated / 1024 / 1024} MB: pack fewer files into one archive.`

// Behind what it needs: the constants above are there once they were reached.
const [act, path, wanted] = process.argv.slice(2) as [string, string, string]
try {
  await (act === 'list' ? list(path) : take(path, JSON.parse(wanted) as number[]))
} catch (error) {
  // Half of its bytes may be out: whoever takes them counts them.
  if (act === 'take') process.exitCode = 1
  else await tell({ fault: error instanceof Unreadable ? error.message : DAMAGED })
}
