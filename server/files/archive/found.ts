/*
 * What is found in an archive, as the process that reads it tells the one that asked: lines of JSON on standard output.
 */

/** A file in an archive. */
export interface FoundEntry {
  /** Its place in the archive, from 0. */
  readonly index: number
  /** Without folders, and without what a name of a file here cannot have. */
  readonly name: string
  /** With the folders that it stands in. */
  readonly path: string
  /** Counted, whatever the archive says. */
  readonly bytes: number
  readonly sha256: string
  /** What it begins with, in base64. */
  readonly head: string
}

export type Found =
  | { readonly entry: FoundEntry }
  /** One that is left out, and why, in a sentence. */
  | { readonly left: { readonly name: string; readonly why: string } }
  /** Why the whole of it cannot be read, in a sentence that says what to do. */
  | { readonly fault: string }

/** What an archive may hold. */
export const LIMITS = {
  /** Files, folders and all else. */
  entries: 2_000,
  /** All its files together, taken apart. */
  inflated: 512 * 1024 * 1024,
  milliseconds: 120_000,
  heapMb: 64,
} as const

/** Why an archive cannot be read. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}
