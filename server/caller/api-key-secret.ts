import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The form of an API key: `comply_` and 32 base62 characters, of which the last 6 are a checksum of the rest, so that a
 * scanner can tell a real key from noise without asking anybody. The key prefix, the first 16 characters, shows 9
 * random ones and leaves 17, which is more than 100 bits.
 */
export const KEY_WORD = 'comply_'
const RANDOM = 26
export const PREFIX = 16
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function newKeySecret(): string {
  const random = Array.from({ length: RANDOM }, () => BASE62[randomInt(62)]).join('')
  return keyOf(random)
}

/** The key of these characters: well formed, whether or not it was ever given out. */
export const keyOf = (random: string): string => `${KEY_WORD}${random}${checksum(random)}`

export const prefixOf = (secret: string): string => secret.slice(0, PREFIX)

/** Whether a text can be a key at all; a wrong one costs no look at the database. */
export function isKeySecret(text: string): boolean {
  if (!/^comply_[0-9A-Za-z]{32}$/.test(text)) return false
  const random = text.slice(KEY_WORD.length, KEY_WORD.length + RANDOM)
  return text.endsWith(checksum(random))
}

/** CRC-32 in base62, six characters, as the field's secret scanners expect it. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
