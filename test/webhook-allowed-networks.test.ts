import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeIp } from '../server/outbound/address.ts'
import { contains, type Ip, parseIp, parseNetwork } from '../server/outbound/network.ts'

/* Networks that the operator opens: of addresses that are not public, those in them may be called. */

const judge = (ip: string, ...networks: string[]) => judgeIp(parseIp(ip)!, networks.map(parseNetwork))

test('they allow exactly what they hold', () => {
  expect(judge('127.0.0.1', '127.0.0.0/8')).toBe('allowed')
  expect(judge('128.0.0.1', '127.0.0.0/8')).toBe('public')
  expect(judge('10.1.2.3', '10.1.2.3')).toBe('allowed')
  expect(judge('10.1.2.4', '10.1.2.3')).toBe('refused')
  expect(judge('10.1.2.4', '10.1.2.0/29')).toBe('allowed')
  expect(judge('10.1.2.8', '10.1.2.0/29')).toBe('refused')
  expect(judge('fd00::1', 'fd00::/8')).toBe('allowed')
  expect(judge('::1', '::1')).toBe('allowed')
  expect(judge('::ffff:127.0.0.1', '127.0.0.0/8')).toBe('refused')
  expect(judge('8.8.8.8', '0.0.0.0/0')).toBe('allowed')
})

test.each([
  '',
  'x',
  '10',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/08',
  'fe80::%1/64',
])('the text "%s" is refused', (text) => {
  expect(() => parseNetwork(text)).toThrow(/is no network/)
})

test('a network with bits behind its prefix is told what was meant', () => {
  expect(() => parseNetwork('10.1.2.3/8')).toThrow('did you mean 10.0.0.0/8?')
})

test('they hold an address exactly when its first bits are theirs', () => {
  const ip = fc.uint8Array({ minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(ip, ip, fc.integer({ min: 0, max: 32 }), (one, other, bits) => {
      const text = (bytes: Ip) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
      expect(contains({ bytes: one, bits }, other)).toBe(
        text(one).slice(0, bits) === text(other).slice(0, bits),
      )
    }),
  )
})
