import { z } from 'zod'

/*
 * A backup is a tar archive, compressed with zstd. Its entries, in this order:
 *
 *   backup.json                what it is: format, time, migrations, tables, the master keys that it needs
 *   tables/NAME/000001.copy    rows as COPY text, in parts of a few megabytes; each part ends with a whole row
 *   files/000001.jsonl         the next thousand files at most: key, bytes and SHA-256, one JSON object a line
 *   files/KEY                  the bytes of each of these files
 *   keys/master-key            only where it was asked for
 *   manifest.json              rows, bytes and SHA-256 of each table and of the lists of files
 *
 * The manifest comes last, so an archive that was cut short has none.
 */

/** A later format raises it; a reader refuses one that it does not know. */
export const FORMAT_VERSION = 1

export const HEADER = 'backup.json'
export const MANIFEST = 'manifest.json'
export const KEYS = 'keys/master-key'

const shape = z.object({
  name: z.string(),
  columns: z.array(z.string()).readonly(),
  partitions: z.array(z.object({ name: z.string(), bound: z.string() })).readonly(),
})

export const Header = z.object({
  format: z.literal('plumbline backup'),
  formatVersion: z.int(),
  createdAt: z.string(),
  plumbline: z.string(),
  postgres: z.string(),
  /** The schema version: the migrations that the database has had. */
  migrations: z.array(z.string()),
  tables: z.array(shape),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().nullable() })),
  /** Ids of the master keys that something in it was sealed with, and by id a value that only the key opens. */
  masterKeys: z.object({ needed: z.array(z.string()), proofs: z.record(z.string(), z.string()) }),
  includesMasterKeys: z.boolean(),
})
export type Header = z.output<typeof Header>

const summed = { bytes: z.int(), sha256: z.string() }

export const ListedFile = z.object({ key: z.string(), ...summed })
export type ListedFile = z.output<typeof ListedFile>

export const Manifest = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), ...summed })),
  files: z.object({
    count: z.int(),
    bytes: z.int(),
    /** Of all lists of files, one after the other. */
    listsSha256: z.string(),
    /** Keys of files whose bytes were missing, or not those that the database knows, when the backup was made. */
    damaged: z.array(z.string()),
  }),
})
export type Manifest = z.output<typeof Manifest>

/** A backup, or what is given as one, cannot be used; the message says why, and what to do. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

export const partName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.copy`

export const listName = (number: number): string => `files/${String(number).padStart(6, '0')}.jsonl`

const TABLE_PART = /^tables\/([^/]+)\/\d{6,}\.copy$/
const LIST = /^files\/\d{6,}\.jsonl$/

export type EntryKind =
  | { readonly kind: 'header' | 'list' | 'keys' | 'manifest' }
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'file'; readonly key: string }

/** What an entry of an archive is, by its name; null for one that no backup has. */
export function kindOf(name: string): EntryKind | null {
  const table = TABLE_PART.exec(name)?.[1]
  if (table) return { kind: 'rows', table }
  if (name === HEADER) return { kind: 'header' }
  if (name === MANIFEST) return { kind: 'manifest' }
  if (name === KEYS) return { kind: 'keys' }
  if (LIST.test(name)) return { kind: 'list' }
  return name.startsWith('files/') ? { kind: 'file', key: name.slice('files/'.length) } : null
}
