import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../refusal.ts'
import type { FileStore, Part, PlacedPart } from '../store.ts'
import { flushFolder, read } from './folder-access.ts'
import { forgetHash, hashOf } from './hashes.ts'
import { OwnFile } from './own-file.ts'

/**
 * What comes in parts, in a folder. Each part is written where it belongs in one file, so that to join them is to look
 * at their hash and to give that file another name: no byte is written twice.
 *
 * A file that is kept must be written to no more, or somebody could have one hash looked at and other bytes kept. A
 * process knows that of its own writers alone. So each process has a file of its own of each upload, which no other ever
 * opens for writing; its name is the place of the parts in it. Whoever joins them lets go of the writers of its own file,
 * and copies into it what lies in those of others: after a restart, or where the calls come to several processes.
 *
 * The file has both names until `removeParts`, once the row of what is kept is written: so a kill between costs nothing.
 */
const IDLE_AT_MOST = 1_000

export class FolderUploads implements Pick<FileStore, 'putPart' | 'join' | 'removeParts'> {
  readonly #pathOf: (key: string) => string
  readonly #newPath: () => string
  /** What this process calls its file of each upload. */
  readonly #own: string = randomUUID()
  readonly #files = new Map<string, OwnFile>()

  /** @param newPath where something unfinished may be, in the same folder */
  constructor(pathOf: (key: string) => string, newPath: () => string) {
    this.#pathOf = pathOf
    this.#newPath = newPath
  }

  async putPart(upload: string, part: Part, source: AsyncIterable<Uint8Array>): Promise<string> {
    await this.#fileOf(upload).write(part, source)
    return this.#own
  }

  async join(...[upload, parts, key, judge]: Parameters<FileStore['join']>): Promise<void> {
    const file = this.#fileOf(upload)
    await file.seal()
    try {
      for (const part of parts) if (part.place !== this.#own) await this.#copy(upload, part, file)
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
      judge({ bytes, sha256: await hashOf(file.path, bytes), head: await file.head() })
      await file.flush(bytes)
      await this.#keep(file.path, this.#pathOf(key))
    } catch (error) {
      // Nobody writes to it any more: what comes now begins with nothing known of it.
      this.#forget(upload, file)
      throw error
    }
  }

  async removeParts(upload: string): Promise<void> {
    await rm(this.#pathOf(upload), { recursive: true, force: true })
    // Sealed until its name is gone: a part that comes late must not reach what is kept.
    const file = this.#files.get(upload)
    if (file) this.#forget(upload, file)
  }

  #fileOf(upload: string): OwnFile {
    const known = this.#files.get(upload)
    if (known) return known
    // Of what was begun and never finished nobody tells.
    if (this.#files.size >= IDLE_AT_MOST)
      for (const [key, file] of this.#files) if (file.isIdle) this.#forget(key, file)
    const file = new OwnFile(join(this.#pathOf(upload), this.#own))
    this.#files.set(upload, file)
    return file
  }

  #forget(upload: string, file: OwnFile): void {
    this.#files.delete(upload)
    forgetHash(file.path)
  }

  /** @throws {Refusal} `conflict` where it is no longer there */
  async #copy(upload: string, part: PlacedPart, file: OwnFile): Promise<void> {
    const { place, from, bytes } = part
    const source = read(join(this.#pathOf(upload), place), { from, to: from + bytes - 1 })
    const copied = await file.copy(part, source).catch((error) => {
      if (error.code === 'ENOENT') return 0
      throw error
    })
    if (copied < bytes)
      throw new Refusal(
        'conflict',
        'Parts of the file were lost: send all of them again, and finish it then.',
      )
  }

  async #keep(path: string, kept: string): Promise<void> {
    const unfinished = this.#newPath()
    await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 })
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 })
    await link(path, unfinished).catch(() => copied(path, unfinished))
    await rename(unfinished, kept)
    // Where the kept one is the same file already, that has done nothing.
    await rm(unfinished, { force: true })
    await flushFolder(dirname(kept))
  }
}

/** Not every system lets a file have two names. */
async function copied(path: string, to: string): Promise<void> {
  await copyFile(path, to)
  const file = await open(to, 'r+')
  await file.sync()
  await file.close()
}
