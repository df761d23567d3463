/*
 * What is in a ZIP archive, and so in a Word document: read in the browser of whoever chose it, from the list at its end.
 * What the list says of sizes is not believed: bytes are counted as they come out, and links and what is encrypted are
 * left out.
 */

export interface ArchiveEntry {
  /** Without the folders that it lies in. */
  readonly name: string
  readonly path: string
  /** @throws {Error} where it is broken, or has more bytes than that */
  readonly read: (bytesAtMost: number) => Promise<Uint8Array<ArrayBuffer>>
}

const END_BYTES = 22
const COMMENT_AT_MOST = 65_535
const LIST_AT_MOST = 16 * 1024 * 1024
const STORED = 0
const DEFLATED = 8
const LINK = 0o120000

/** @throws {Error} for what is no archive */
export async function readArchive(file: Blob): Promise<ArchiveEntry[]> {
  const tail = await viewOf(file, Math.max(0, file.size - END_BYTES - COMMENT_AT_MOST), file.size)
  let end = tail.byteLength - END_BYTES
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < 0) throw new Error('is no ZIP archive')
  const [bytes, from] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  if (bytes > LIST_AT_MOST || from + bytes > file.size) throw new Error('is a ZIP archive that lies')
  return entriesIn(file, await viewOf(file, from, from + bytes))
}

function entriesIn(file: Blob, list: DataView): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  for (let at = 0; at + 46 <= list.byteLength && list.getUint32(at, true) === 0x02014b50; ) {
    const u16 = (offset: number) => list.getUint16(at + offset, true)
    const u32 = (offset: number) => list.getUint32(at + offset, true)
    const [flags, method, packed, local] = [u16(8), u16(10), u32(20), u32(42)]
    const next = at + 46 + u16(28) + u16(30) + u16(32)
    if (next > list.byteLength) break
    const path = nameIn(new Uint8Array(list.buffer, list.byteOffset + at + 46, u16(28)))
    const name = path.split(/[/\\]/).at(-1)!
    const isLink = ((u32(38) >>> 16) & 0o170000) === LINK
    const isEncrypted = (flags & 1) === 1
    const isOfSystem = path.startsWith('__MACOSX/') || name.startsWith('.')
    if (name !== '' && !isLink && !isEncrypted && !isOfSystem && (method === STORED || method === DEFLATED))
      entries.push({ name, path, read: (most) => unpacked(file, { method, packed, local }, most) })
    at = next
  }
  return entries
}

/** In UTF-8, or else as Windows wrote it. */
function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

interface Place {
  readonly method: number
  readonly packed: number
  readonly local: number
}

async function unpacked(
  file: Blob,
  { method, packed, local }: Place,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const head = await viewOf(file, local, local + 30)
  if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) throw new Error('is broken')
  const from = local + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const bytes = file.slice(from, from + packed)
  const source: ReadableStream<Uint8Array<ArrayBuffer>> =
    method === STORED ? bytes.stream() : bytes.stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = source.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length
    if (length > most) {
      await reader.cancel()
      throw new Error('is too large')
    }
    chunks.push(part.value)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

const viewOf = async (file: Blob, from: number, to: number): Promise<DataView> =>
  new DataView(await file.slice(from, to).arrayBuffer())
