import { inflateSync } from 'node:zlib'
import type { PaperPicture } from './document.ts'

const IDAT = 'IDAT'
/** Of a sign, at most: four colours of two bytes. */
const BYTES_OF_SIGN = 8

/**
 * Whether a picture can be set. The library of PDFs unpacks some PNGs, later and by itself, and fails then as a whole:
 * what it would fail on is found here. Of a JPEG nothing is unpacked.
 */
export function isDrawable(picture: PaperPicture): boolean {
  const known = judged.get(picture) ?? canBeUnpacked(picture)
  judged.set(picture, known)
  return known
}

/** A document is set twice. */
const judged = new WeakMap<PaperPicture, boolean>()

function canBeUnpacked({ bytes, width, height }: PaperPicture): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (all[0] !== 0x89) return true
  const packed: Buffer[] = []
  for (let at = 8; at + 12 <= all.length; ) {
    const length = all.readUInt32BE(at)
    if (all.toString('latin1', at + 4, at + 8) === IDAT) packed.push(all.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  try {
    const most = (width * BYTES_OF_SIGN + 1) * height + height * 8
    return inflateSync(Buffer.concat(packed), { maxOutputLength: most }).length >= height
  } catch {
    return false
  }
}
