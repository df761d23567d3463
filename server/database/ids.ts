import { randomFillSync } from 'node:crypto'

/*
 * A change draws some fifteen ids, so it is felt what one costs. A UUIDv7 (RFC 9562, 6.2, method 1) is 48 bits of
 * milliseconds, a counter by which those of one process ascend, and chance. In base32 the time is ten characters, and
 * the rest four times twenty bits.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET[bits >> 5]! + ALPHABET[bits & 31]!)
const COUNTER_END = 2 ** 32

let milliseconds = 0
let time = ''
let counter = 0

/** A new TypeID: a prefix, `_`, and a UUIDv7 in 26 base32 characters. */
export function newId(prefix: string): string {
  const now = Date.now()
  // Where the clock goes back, the last millisecond lasts; where the counter ends, the next begins early.
  if (now > milliseconds) begin(now)
  else if (++counter === COUNTER_END) begin(milliseconds + 1)
  const [some, more] = [drawBits(), drawBits()]
  // Version 7 and variant 2 stand within the counter's 32 bits.
  const first = (0x7 << 16) | ((counter >>> 20) << 4) | (0b10 << 2) | ((counter >>> 18) & 0b11)
  const second = ((counter & 0x3ffff) << 2) | (some & 0b11)
  return `${prefix}_${time}${four(first)}${four(second)}${four(some >>> 12)}${four(more >>> 12)}`
}

function begin(at: number): void {
  milliseconds = at
  // In its lower half, so that it hardly ever ends.
  counter = drawBits() >>> 1
  const low = at % 2 ** 30
  time = four(Math.floor(at / 2 ** 30)) + PAIRS[low >>> 20] + four(low & 0xfffff)
}

/** Twenty bits as four characters. */
const four = (bits: number): string => PAIRS[bits >>> 10]! + PAIRS[bits & 1023]

const chance = new Uint32Array(1024)
let used = chance.length

/** 32 of chance. */
function drawBits(): number {
  if (used === chance.length) {
    randomFillSync(chance)
    used = 0
  }
  return chance[used++]!
}
