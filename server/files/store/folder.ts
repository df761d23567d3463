import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { ByteRange } from '../../bytes.ts'
import type { FileStore } from '../store.ts'

/**
 * Bytes in a folder, which all processes of the service see. They are written to a place of their own, flushed, and
 * then renamed to their key; the folder they came to is flushed as well. So a kill leaves at most something unfinished,
 * which the sweep finds as it finds all that no row knows.
 */
const UNFINISHED = '.unfinished'
/** So much is read and written at once: less would cost more calls, more would cost memory for every reader. */
const CHUNK = 256 * 1024

export function openFolder(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  return {
    put: async (key, source) => {
      const unfinished = join(folder, UNFINISHED, randomUUID())
      try {
        await write(unfinished, source)
        await mkdir(dirname(pathOf(key)), { recursive: true, mode: 0o700 })
        await rename(unfinished, pathOf(key))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      await flushFolder(dirname(pathOf(key)))
    },
    open: (key, range) => read(pathOf(key), range),
    pass: (key) => readOver(pathOf(key)),
    remove: async (key) => {
      await rm(pathOf(key), { force: true })
    },
    list: () => listed(folder, folder),
  }
}

async function write(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of gathered(source)) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * What comes in small chunks, as more at once, since each is a call to the system: in the same memory each time, so that
 * nothing has to be cleared away behind it.
 */
async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held = Buffer.allocUnsafe(CHUNK)
  let filled = 0
  for await (const chunk of source)
    if (filled === 0 && chunk.length >= CHUNK) yield chunk
    else
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + CHUNK - filled)
        held.set(taken, filled)
        filled += taken.length
        at += taken.length
        if (filled < CHUNK) continue
        yield held
        filled = 0
      }
  if (filled > 0) yield held.subarray(0, filled)
}

/** A rename is on the disk once its folder is. Not every system lets a folder be opened for that. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

async function* read(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, {
    highWaterMark: CHUNK,
    ...(range ? { start: range.from, end: range.to } : {}),
  })
}

async function* readOver(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  const held = Buffer.allocUnsafe(CHUNK)
  try {
    for (;;) {
      const { bytesRead } = await file.read(held, 0, CHUNK)
      if (bytesRead === 0) return
      yield held.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* listed(folder: string, root: string): AsyncGenerator<{ key: string; at: Date }> {
  const entries = await opendir(folder).catch(() => null)
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* listed(path, root)
    else {
      const found = await stat(path).catch(() => null)
      if (found) yield { key: relative(root, path).split(sep).join('/'), at: found.mtime }
    }
  }
}
