import { constants, type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HEAD_BYTES } from '../../../model/file-types.ts'
import { Refusal } from '../../refusal.ts'
import type { Part } from '../store.ts'
import { flushFolder } from './folder-access.ts'
import { forgetHash, hashAhead } from './hashes.ts'

/**
 * A file to which one process writes the parts of an upload, each where it belongs. Of two writers of one part the later
 * one goes on; once it is sealed none does. What has come from the beginning on, without a gap, is hashed meanwhile.
 */
export class OwnFile {
  readonly path: string
  /** Who writes a part now. */
  readonly #turns = new Map<number, object>()
  /** What is on its way to the disk. */
  readonly #writing = new Set<Promise<unknown>>()
  /** Where the parts end that are whole. */
  readonly #ends = new Map<number, number>()
  /** So many parts are hashed, or are about to be. */
  #hashed = 0
  #isSealed = false
  #made: Promise<void> | null = null

  constructor(path: string) {
    this.path = path
  }

  get isIdle(): boolean {
    return this.#turns.size === 0 && !this.#isSealed
  }

  /**
   * Writes a part, and flushes it.
   * @throws {Refusal} `conflict` where it is sealed, or another writer of this part has come
   */
  async write(part: Part, source: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.#isSealed) throw letGo()
    const { number } = part
    const turn = {}
    this.#turns.set(number, turn)
    this.#ends.delete(number)
    if (number <= this.#hashed) this.#forgetHash()
    try {
      // What an earlier writer of this part has on its way comes first.
      await Promise.allSettled(this.#writing)
      await this.#put(part, source, () => {
        if (this.#turns.get(number) !== turn) throw letGo()
      })
    } finally {
      if (this.#turns.get(number) === turn) this.#turns.delete(number)
    }
  }

  /** After this nobody writes to it any more, but for `copy`. */
  async seal(): Promise<void> {
    this.#isSealed = true
    this.#turns.clear()
    await Promise.allSettled(this.#writing)
  }

  /** @returns how many bytes there were */
  async copy(part: Part, source: AsyncIterable<Uint8Array>): Promise<number> {
    if (part.number <= this.#hashed) this.#forgetHash()
    return this.#put(part, source, () => {})
  }

  /** Its first bytes. */
  async head(): Promise<Uint8Array> {
    const file = await open(this.path)
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
      return head.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** Cuts off what is behind its bytes, tells that it was written now, and has all of it on the disk. */
  async flush(bytes: number): Promise<void> {
    const file = await open(this.path, 'r+')
    try {
      await file.truncate(bytes)
      await file.utimes(new Date(), new Date())
      await file.sync()
    } finally {
      await file.close()
    }
  }

  #forgetHash(): void {
    this.#hashed = 0
    forgetHash(this.path)
  }

  /** @param stay throws where the part is another writer's */
  async #put(
    { number, from, bytes }: Part,
    source: AsyncIterable<Uint8Array>,
    stay: () => void,
  ): Promise<number> {
    this.#made ??= make(this.path)
    await this.#made
    const file = await open(this.path, 'r+')
    try {
      let at = from
      for await (const block of source) {
        stay()
        if (at + block.length > from + bytes) throw new Error(`part ${number} has more than ${bytes} bytes`)
        await this.#write(file, block, at)
        at += block.length
      }
      stay()
      this.#ends.set(number, at)
      this.#hashAhead()
      await file.datasync()
      return at - from
    } finally {
      await file.close()
    }
  }

  #write(file: FileHandle, block: Uint8Array, at: number): Promise<unknown> {
    const writing = writeAll(file, block, at).finally(() => this.#writing.delete(writing))
    // Whoever asked for it is told; whoever waits until it is over need not be.
    writing.catch(() => {})
    this.#writing.add(writing)
    return writing
  }

  #hashAhead(): void {
    const before = this.#hashed
    while (this.#ends.has(this.#hashed + 1)) this.#hashed += 1
    if (this.#hashed > before) hashAhead(this.path, this.#ends.get(this.#hashed)!)
  }
}

async function make(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  await file.close()
  await flushFolder(dirname(path))
}

/** The system may take fewer bytes than it is given. */
async function writeAll(file: FileHandle, block: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < block.length; )
    done += (await file.write(block, done, block.length - done, at + done)).bytesWritten
}

const letGo = () =>
  new Refusal(
    'conflict',
    'Another call sends this part as well, or finishes the file: ask where the file stands.',
  )
