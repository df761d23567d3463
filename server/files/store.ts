import type { ByteRange } from '../bytes.ts'

/**
 * Where bytes are kept: by keys, as a folder or a bucket has them. What is put is there whole or not at all, and stays
 * when the machine loses its power. The store knows nothing of files or organizations; which key is whose stands in the
 * database, and what no row knows is removed in time (sweep.ts).
 */
export interface FileStore {
  /**
   * Puts bytes under a key, which has none yet.
   * @param bytes how many come
   * @throws what the source throws; then nothing is there
   */
  put(key: string, source: AsyncIterable<Uint8Array>, bytes: number): Promise<void>
  /**
   * Takes one part of what will be one: as often as it takes, and of two at once the later one. Once it is answered, it
   * stays when the machine loses its power.
   * @param upload the key under which all that comes of it lies
   * @returns where it lies, for `join`
   * @throws what the source throws; the part is then worth nothing, one that was there before either
   */
  putPart(upload: string, part: Part, source: AsyncIterable<Uint8Array>): Promise<string>
  /**
   * Puts all parts of an upload under a key, in their order.
   * @param judge is told what they are together, before they are there, and throws where they are not to be
   */
  join(
    upload: string,
    parts: readonly PlacedPart[],
    key: string,
    judge: (joined: Joined) => void,
  ): Promise<void>
  /** What is left of an upload. */
  removeParts(upload: string, parts: readonly PlacedPart[]): Promise<void>
  /** The bytes of a key, or some of them. It fails where there are none. */
  open(key: string, range?: ByteRange): AsyncIterable<Uint8Array>
  /** Nothing happens where there are none. */
  remove(key: string): Promise<void>
  /** All there is, with when it was put there. */
  list(): AsyncIterable<{ readonly key: string; readonly at: Date }>
}

/** A stretch of what is sent in parts. */
export interface Part {
  /** Counted from 1. */
  readonly number: number
  /** Where it begins. */
  readonly from: number
  readonly bytes: number
}

export interface PlacedPart extends Part {
  readonly place: string
}

export interface Joined {
  readonly bytes: number
  readonly sha256: string
  /** The first of them, HEAD_BYTES at most. */
  readonly head: Uint8Array
}

declare module '../operation.ts' {
  interface Parts {
    readonly files: FileStore
  }
}
