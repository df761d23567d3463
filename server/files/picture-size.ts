/* How large a picture is, by its head: nothing of it is decoded, so one that lies costs whoever asks nothing. */

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** So many of its first bytes tell it: a JPEG may say a lot of itself first. */
export const PICTURE_HEAD_BYTES = 256 * 1024

/** The size of a PNG or a JPEG; null of what is neither, or does not say it in its head. */
export function pictureSize(head: Uint8Array): PictureSize | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const size = isPng(bytes) ? sizeOfPng(bytes) : isJpeg(bytes) ? sizeOfJpeg(bytes) : null
  return size && size.width > 0 && size.height > 0 ? size : null
}

const isPng = (bytes: Buffer): boolean =>
  bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47 && bytes.toString('latin1', 12, 16) === 'IHDR'

const sizeOfPng = (bytes: Buffer): PictureSize => ({
  width: bytes.readUInt32BE(16),
  height: bytes.readUInt32BE(20),
})

const isJpeg = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8

/** From mark to mark, until one begins a frame. */
function sizeOfJpeg(bytes: Buffer): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const mark = bytes[at + 1]!
    if (mark === 0xff) at += 1
    else if (isFrame(mark)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** `C0` to `CF`, but for those that say something else. */
const isFrame = (mark: number): boolean =>
  mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
