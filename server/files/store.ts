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
  /** The bytes of a key, or some of them. It fails where there are none. */
  open(key: string, range?: ByteRange): AsyncIterable<Uint8Array>
  /**
   * All the bytes of a key, in memory that is written over when further ones are asked for: for whoever has done with each
   * by then, and for many of them, since nothing has to be cleared away behind it.
   */
  pass(key: string): AsyncIterable<Uint8Array>
  /** Nothing happens where there are none. */
  remove(key: string): Promise<void>
  /** All there is, with when it was put there. */
  list(): AsyncIterable<{ readonly key: string; readonly at: Date }>
}

declare module '../operation.ts' {
  interface Parts {
    readonly files: FileStore
  }
}
