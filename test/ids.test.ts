/** Promise: an id is a TypeID around a UUIDv7: it tells when it was made, and those of one process ascend. */
import { expect, test } from 'vitest'
import { newId } from '../server/database/ids.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** As a number of 128 bits. */
const bitsOf = (id: string): bigint =>
  [...id.slice(-26)].reduce((bits, character) => bits * 32n + BigInt(ALPHABET.indexOf(character)), 0n)

test('it has its prefix, the time, the version and the variant', () => {
  const before = Date.now()
  const id = newId('risk')
  const after = Date.now()
  expect(id).toMatch(/^risk_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const bits = bitsOf(id)
  const time = Number(bits >> 80n)
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(after)
  expect((bits >> 76n) & 0xfn).toBe(7n)
  expect((bits >> 62n) & 0b11n).toBe(0b10n)
})

test('each is greater than those before it, and chance is in its end', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('x'))
  expect(ids).toEqual([...new Set(ids)].sort())
  const ends = new Set(ids.map((id) => id.slice(-8)))
  expect(ends.size).toBeGreaterThan(19_990)
})
