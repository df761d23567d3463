import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { BackupRefused } from './format.ts'

/** The container of a backup: a tar archive, compressed with zstd, written and read as a stream. */
export interface ArchiveWriter {
  add(name: string, content: Uint8Array | string): Promise<void>
  /**
   * Adds content of a size that was announced: what is missing is filled with zeros, what is too much is left out.
   * @returns whether the source had just as many bytes
   */
  addStream(name: string, bytes: number, source: AsyncIterable<Uint8Array>): Promise<boolean>
}

/**
 * Writes an archive under a name of its own, and gives it the final one when it is whole and on the disk. It never
 * replaces a file.
 * @returns its size
 */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  if (existsSync(path)) throw isThere(path)
  const draft = `${path}.${randomBytes(4).toString('hex')}.unfinished`
  const out = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  try {
    const tar = pack()
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    const written = pipeline(tar as unknown as AsyncIterable<Uint8Array>, compress, out)
    const filled = fill(writerOf(tar)).then(
      () => tar.finalize(),
      (error) => {
        tar.destroy(error)
        throw error
      },
    )
    const [first] = (await Promise.allSettled([filled, written])).flatMap((one) =>
      one.status === 'rejected' ? [one.reason] : [],
    )
    if (first) throw first
    giveName(draft, path)
    await flushFolder(dirname(path))
    return out.bytesWritten
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function writerOf(tar: ReturnType<typeof pack>): ArchiveWriter {
  return {
    add: (name, content) =>
      new Promise((resolve, reject) => {
        tar.entry({ name, mode: 0o600 }, content as string, (error) => (error ? reject(error) : resolve()))
      }),
    addStream: async (name, bytes, source) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const entry = tar.entry({ name, size: bytes, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      )
      let left = bytes
      let isExact = true
      const write = async (chunk: Uint8Array) => {
        left -= chunk.length
        if (!entry.write(chunk)) await new Promise((drained) => entry.once('drain', drained))
      }
      try {
        for await (const chunk of source) {
          if (chunk.length > left) isExact = false
          if (left > 0) await write(chunk.subarray(0, left))
        }
      } catch {
        isExact = false
      }
      if (left > 0) isExact = false
      while (left > 0) await write(Buffer.alloc(Math.min(left, 65_536)))
      entry.end()
      await promise
      return isExact
    },
  }
}

/** Without replacing a file that has appeared meanwhile, where the file system can do that. */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) throw isThere(path)
    renameSync(draft, path)
    return
  }
  rmSync(draft)
}

const isThere = (path: string) =>
  new BackupRefused(`${path} exists already: give the name of a new file. Nothing was written.`)

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

export interface ArchiveEntry {
  readonly name: string
  readonly bytes: number
  /** To be read to its end before the next entry comes. */
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * The entries of an archive, in their order.
 * @throws {BackupRefused} where it is no archive, was cut short, or was changed
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const handle = await open(path, 'r').catch((error) => {
    throw new BackupRefused(`${path} cannot be read (${error.code}).`)
  })
  const head = Buffer.alloc(4)
  await handle.read(head, 0, 4, 0)
  await handle.close()
  if (head.readUInt32LE() !== ZSTD_MAGIC) throw new BackupRefused(`${path} is not a backup of Plumbline.`)
  const damaged = (error: unknown) =>
    new BackupRefused(
      `${path} is damaged or was cut short (${(error as Error).message}): use another backup.`,
    )
  const tar = extract()
  const read = pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), createZstdDecompress(), tar)
  // Its error comes out of the loop as well.
  read.catch(() => {})
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header
      yield { name, bytes: size, content: contentOf(entry as unknown as AsyncIterable<Uint8Array>, damaged) }
    }
    await read
  } catch (error) {
    throw damaged(error)
  } finally {
    tar.destroy()
  }
}

const ZSTD_MAGIC = 0xfd2fb528

async function* contentOf(
  entry: AsyncIterable<Uint8Array>,
  damaged: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const chunks = entry[Symbol.asyncIterator]()
  for (;;) {
    const next = await chunks.next().catch((error) => {
      throw damaged(error)
    })
    if (next.done) return
    yield next.value
  }
}

/** All bytes of an entry that is known to be small. */
export async function bytesOf(
  { name, bytes, content }: ArchiveEntry,
  atMost = 64 * 1024 * 1024,
): Promise<Buffer> {
  if (bytes > atMost)
    throw new BackupRefused(`The backup has an entry ${name} that is too large: it is damaged.`)
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}
