import { createHash, type Hash } from 'node:crypto'
import { RowSum } from '../database/table-rows.ts'
import { type ArchiveEntry, bytesOf, readArchive } from './archive.ts'
import {
  BackupRefused,
  FORMAT_VERSION,
  Header,
  kindOf,
  type ListedFile,
  ListedFile as ListedFileSchema,
  Manifest,
} from './format.ts'

/**
 * Reads a backup from its first byte to its last, holds everything against its manifest, and hands it on meanwhile.
 * What was handed on counts only once this has ended: a damage may show at the very end.
 */
export interface BackupTaker {
  /** The first entry; throws where the backup is not to be read further. */
  header(header: Header): Promise<void>
  /** Rows of one table, whole rows. A table that is large comes in several calls, one after the other. */
  rows(table: string, rows: AsyncIterable<Uint8Array>): Promise<void>
  /** Bytes that are not those of the file end in an error, which is to be passed on: nothing of them is to be stored. */
  file(file: ListedFile, bytes: AsyncIterable<Uint8Array>): Promise<void>
  keys(entries: string): Promise<void>
}

export interface BackupRead {
  readonly header: Header
  readonly manifest: Manifest
}

/** Takes nothing: to find out whether a backup is whole. */
export const takeNothing: BackupTaker = {
  header: async () => {},
  rows: (_table, rows) => drain(rows),
  file: (_file, bytes) => drain(bytes),
  keys: async () => {},
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of source);
}

/** @throws {BackupRefused} where the backup is of another version, damaged, changed or cut short */
export async function readBackup(path: string, taker: BackupTaker): Promise<BackupRead> {
  const reading = new Reading(path, taker)
  for await (const entry of readArchive(path)) await reading.take(entry)
  return reading.end()
}

class Reading {
  readonly #path: string
  readonly #taker: BackupTaker
  readonly #sums = new Map<string, RowSum>()
  readonly #lists: Hash = createHash('sha256')
  /** Of the current list: those that have not come yet. */
  #awaited = new Map<string, ListedFile>()
  readonly #damaged = new Set<string>()
  #files = { count: 0, bytes: 0 }
  #header: Header | null = null
  #manifest: Manifest | null = null

  constructor(path: string, taker: BackupTaker) {
    this.#path = path
    this.#taker = taker
  }

  async take(entry: ArchiveEntry): Promise<void> {
    const is = kindOf(entry.name)
    if (!is || this.#manifest || (this.#header === null) !== (is.kind === 'header'))
      throw this.#wrong(`it has ${entry.name} in the wrong place`)
    if (is.kind === 'header') {
      this.#header = this.#readHeader(await bytesOf(entry))
      await this.#taker.header(this.#header)
    } else if (is.kind === 'rows') await this.#takeRows(is.table, entry)
    else if (is.kind === 'list') await this.#takeList(entry)
    else if (is.kind === 'file') await this.#takeFile(is.key, entry)
    else if (is.kind === 'keys') await this.#taker.keys((await bytesOf(entry)).toString('utf8').trim())
    else this.#manifest = this.#readManifest(await bytesOf(entry))
  }

  end(): BackupRead {
    if (!this.#header || !this.#manifest) throw this.#wrong('it ends without its manifest: it was cut short')
    return { header: this.#header, manifest: this.#manifest }
  }

  #readHeader(bytes: Buffer): Header {
    const value = parsed(bytes) as { format?: unknown; formatVersion?: unknown } | null
    if (value?.format !== 'plumbline backup')
      throw new BackupRefused(`${this.#path} is not a backup of Plumbline.`)
    if (typeof value.formatVersion === 'number' && value.formatVersion > FORMAT_VERSION)
      throw new BackupRefused(
        `${this.#path} was made by a newer Plumbline (format ${value.formatVersion}; this version reads ${FORMAT_VERSION}): use that version, or a later one.`,
      )
    const { success, data } = Header.safeParse(value)
    if (!success) throw this.#wrong('its first entry is not whole')
    return data
  }

  async #takeRows(table: string, { content }: ArchiveEntry): Promise<void> {
    if (!this.#header!.tables.some(({ name }) => name === table))
      throw this.#wrong(`it has rows of a table ${table} that it does not list`)
    const sum = this.#sums.get(table) ?? new RowSum()
    this.#sums.set(table, sum)
    await this.#taker.rows(
      table,
      passing(content, (chunk) => sum.add(chunk)),
    )
  }

  async #takeList(entry: ArchiveEntry): Promise<void> {
    this.#refuseAwaited()
    const bytes = await bytesOf(entry)
    this.#lists.update(bytes)
    for (const line of bytes.toString('utf8').split('\n').slice(0, -1)) {
      const { success, data } = ListedFileSchema.safeParse(parsed(line))
      if (!success) throw this.#wrong(`${entry.name} has a line that lists no file`)
      this.#awaited.set(data.key, data)
    }
  }

  async #takeFile(key: string, { content, bytes }: ArchiveEntry): Promise<void> {
    const file = this.#awaited.get(key)
    if (!file) throw this.#wrong(`it has a file ${key} that it does not list`)
    this.#awaited.delete(key)
    if (bytes !== file.bytes) throw this.#wrong(`the file ${key} has another size than its list says`)
    await this.#taker.file(file, hashed(content, file)).catch((error) => {
      if (!(error instanceof OtherBytes)) throw error
      this.#damaged.add(key)
    })
    this.#files = { count: this.#files.count + 1, bytes: this.#files.bytes + bytes }
  }

  #readManifest(bytes: Buffer): Manifest {
    const { success, data } = Manifest.safeParse(parsed(bytes))
    if (!success) throw this.#wrong('its manifest is not whole')
    this.#refuseAwaited()
    for (const table of data.tables) {
      const { rows, sha256 } = (this.#sums.get(table.name) ?? new RowSum()).end()
      if (rows !== table.rows || sha256 !== table.sha256)
        throw this.#wrong(`the rows of ${table.name} are not those that were backed up`)
    }
    const unlisted = this.#header!.tables.find(
      ({ name }) => !data.tables.some((table) => table.name === name),
    )
    if (unlisted) throw this.#wrong(`its manifest has no table ${unlisted.name}`)
    const { files } = data
    if (
      files.count !== this.#files.count ||
      files.bytes !== this.#files.bytes ||
      files.listsSha256 !== this.#lists.digest('hex')
    )
      throw this.#wrong('its files are not those that were backed up')
    const other = [...this.#damaged].find((key) => !files.damaged.includes(key))
    if (other !== undefined) throw this.#wrong(`the file ${other} is not the one that was backed up`)
    return data
  }

  #refuseAwaited(): void {
    const [key] = this.#awaited.keys()
    if (key !== undefined) throw this.#wrong(`the file ${key} is missing`)
  }

  #wrong(what: string): BackupRefused {
    return new BackupRefused(`${this.#path} is damaged: ${what}. Use another backup.`)
  }
}

/** The bytes of a file are not those of its SHA-256. */
class OtherBytes extends Error {
  override name = 'OtherBytes'
}

/** Fails at its end where the bytes are others, so that a store that was writing them keeps none. */
async function* hashed(content: AsyncIterable<Uint8Array>, { key, sha256 }: ListedFile) {
  const hash = createHash('sha256')
  yield* passing(content, (chunk) => hash.update(chunk))
  if (hash.digest('hex') !== sha256) throw new OtherBytes(key)
}

async function* passing(
  source: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    see(chunk)
    yield chunk
  }
}

function parsed(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString('utf8' as never))
  } catch {
    return null
  }
}
