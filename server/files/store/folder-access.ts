import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ByteRange } from '../../bytes.ts'

/**
 * So much is read at once. Each reader has several chunks on their way, and what was sent is cleared away late, since V8
 * counts little of what lies outside its heap: at 256 KB twenty readers held 100 MB, at 64 KB a third of that.
 */
const CHUNK = 64 * 1024

export async function* read(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, {
    highWaterMark: CHUNK,
    ...(range ? { start: range.from, end: range.to } : {}),
  })
}

/** A name is on the disk once its folder is. Not every system lets a folder be opened for that. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
