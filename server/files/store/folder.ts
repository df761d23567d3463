import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { FileStore } from '../store.ts'
import { flushFolder, read } from './folder-access.ts'
import { FolderUploads } from './folder-uploads.ts'

/**
 * Bytes in a folder, which all processes of the service see. They are written to a place of their own, flushed, and
 * then renamed to their key; the folder they came to is flushed as well. So a kill leaves at most something unfinished,
 * which the sweep finds as it finds all that no row knows.
 */
const UNFINISHED = '.unfinished'
/** So much is written at once. */
const BLOCK = 256 * 1024

export function openFolder(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  const newPath = () => join(folder, UNFINISHED, randomUUID())
  const uploads = new FolderUploads(pathOf, newPath)
  return {
    put: async (key, source) => {
      const unfinished = newPath()
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
    putPart: (...given) => uploads.putPart(...given),
    join: (...given) => uploads.join(...given),
    removeParts: (upload) => uploads.removeParts(upload),
    open: (key, range) => read(pathOf(key), range),
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
  const held = Buffer.allocUnsafe(BLOCK)
  let filled = 0
  for await (const chunk of source)
    if (filled === 0 && chunk.length >= BLOCK) yield chunk
    else
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + BLOCK - filled)
        held.set(taken, filled)
        filled += taken.length
        at += taken.length
        if (filled < BLOCK) continue
        yield held
        filled = 0
      }
  if (filled > 0) yield held.subarray(0, filled)
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
