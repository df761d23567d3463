import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ByteRange } from '../../bytes.ts'

/** So much is read and written at once: less would cost more calls, more would cost memory for every reader. */
export const CHUNK = 256 * 1024

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
