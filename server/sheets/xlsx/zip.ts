import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/*
 * An archive whose parts grow a piece at a time, each piece perhaps in another process than the one before it. What
 * deflate makes of a piece ends at a whole byte and not with the end of the part, so that the next can follow; how far a
 * part has come is three numbers. Sizes stand behind each part, as its head is written before they are known.
 */

/** How far a part has come. */
export interface PartState {
  readonly crc: number
  readonly size: number
  readonly packed: number
}

export const EMPTY_PART: PartState = { crc: 0, size: 0, packed: 0 }

const deflate = promisify(deflateRaw) as (bytes: Buffer, options: object) => Promise<Buffer>
const PIECE = { finishFlush: constants.Z_SYNC_FLUSH }
/** An empty block that says it is the last. */
const LAST = Buffer.from([3, 0])

/** The same rows are the same bytes, whenever they are written: 1 January 2020. */
const DATE = (2020 - 1980) * 512 + 32 + 1
/** Sizes stand behind the bytes, and names are in UTF-8. */
const FLAGS = 8 + 2048
const DEFLATED = 8
const VERSION = 20
const HEAD_BYTES = 30
const FOOT_BYTES = 16
/** What the numbers of an archive of this form can tell. */
export const BYTES_AT_MOST = 0xffff_0000

export function partHead(name: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt16LE(DEFLATED, 8)
  head.writeUInt16LE(DATE, 12)
  head.writeUInt16LE(Buffer.byteLength(name), 26)
  return Buffer.concat([head, Buffer.from(name)])
}

/** Adds to a part. @returns the bytes to write, and how far it has come then */
export async function packed(text: string, before: PartState): Promise<{ bytes: Buffer; state: PartState }> {
  const plain = Buffer.from(text)
  const bytes = await deflate(plain, PIECE)
  const state = {
    crc: crc32(plain, before.crc),
    size: before.size + plain.length,
    packed: before.packed + bytes.length,
  }
  return { bytes, state }
}

/** Ends a part. */
export function partFoot({ crc, size, packed }: PartState): Buffer {
  const foot = Buffer.alloc(FOOT_BYTES)
  foot.writeUInt32LE(0x08074b50, 0)
  foot.writeUInt32LE(crc, 4)
  foot.writeUInt32LE(packed + LAST.length, 8)
  foot.writeUInt32LE(size, 12)
  return Buffer.concat([LAST, foot])
}

/** What stands behind all parts, in their order. */
export function directoryOf(parts: readonly { readonly name: string; readonly state: PartState }[]): Buffer {
  const entries: Buffer[] = []
  let at = 0
  for (const { name, state } of parts) {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(VERSION, 4)
    entry.writeUInt16LE(VERSION, 6)
    entry.writeUInt16LE(FLAGS, 8)
    entry.writeUInt16LE(DEFLATED, 10)
    entry.writeUInt16LE(DATE, 14)
    entry.writeUInt32LE(state.crc, 16)
    entry.writeUInt32LE(state.packed + LAST.length, 20)
    entry.writeUInt32LE(state.size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(at, 42)
    entries.push(entry, Buffer.from(name))
    at += HEAD_BYTES + Buffer.byteLength(name) + state.packed + LAST.length + FOOT_BYTES
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([directory, end])
}
