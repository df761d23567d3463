// node check-key.mjs FILE…
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY = /\bcomply_([0-9A-Za-z]{26})([0-9A-Za-z]{6})\b/g

function checksum(random) {
  let number = crc32(random)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = DIGITS[number % 62] + digits
    number = Math.floor(number / 62)
  }
  return digits
}

for (const path of process.argv.slice(2))
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries())
    for (const [, random, last] of line.matchAll(KEY))
      if (checksum(random) === last) console.log(`${path}:${index + 1}: comply_${random.slice(0, 9)}…`) // its prefix: enough to find and revoke it
