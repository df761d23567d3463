import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { isKeySecret, newKeySecret, prefixOf } from '../server/caller/api-key-secret.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key is a fixed word and 32 characters, and its prefix the first 16', () => {
  for (let round = 0; round < 200; round++) {
    const secret = newKeySecret()
    expect(secret).toMatch(/^comply_[0-9A-Za-z]{32}$/)
    expect(prefixOf(secret)).toBe(secret.slice(0, 16))
  }
})

test('its last six characters are the CRC-32 of the random ones, so that a scanner tells it offline', () => {
  const secret = newKeySecret()
  const [random, checksum] = [secret.slice(7, 33), secret.slice(33)]
  const number = [...checksum].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)
  expect(number).toBe(crc32(random))
})

test('every single wrong character is noticed', () => {
  const secret = newKeySecret()
  expect(isKeySecret(secret)).toBe(true)
  for (let at = 0; at < secret.length; at++) {
    const other = secret[at] === 'a' ? 'b' : 'a'
    expect(isKeySecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false)
  }
  for (const text of ['', 'comply_', secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`])
    expect(isKeySecret(text)).toBe(false)
})

test('no two keys are alike', () => {
  expect(new Set(Array.from({ length: 2_000 }, newKeySecret)).size).toBe(2_000)
})
