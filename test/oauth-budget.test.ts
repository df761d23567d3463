import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientFetches } from '../server/oauth/budget.ts'

/* What strangers have us fetch is bounded: by their network, by all of them together, and for a minute. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const spendAll = (budget: ReturnType<typeof clientFetches>, address: string) => {
  let count = 0
  while (budget.spend(address)) count++
  return count
}

test('a network has thirty a minute, however it writes its address, and takes none from others', () => {
  const budget = clientFetches()
  expect(spendAll(budget, '192.0.2.1')).toBe(30)
  expect(budget.spend('::ffff:192.0.2.1')).toBe(false)
  expect(spendAll(budget, '2001:db8::1')).toBe(30)
  expect(budget.spend('2001:db8::ffff')).toBe(false)
  expect(budget.spend('192.0.2.2')).toBe(true)
  expect(budget.wait).toBe(60)
  vi.advanceTimersByTime(59_999)
  expect([budget.spend('192.0.2.1'), budget.wait]).toEqual([false, 1])
  vi.advanceTimersByTime(1)
  expect(spendAll(budget, '192.0.2.1')).toBe(30)
})

test('it takes a hundred networks to leave nothing for the next, until the minute is over', () => {
  const budget = clientFetches()
  const spent = Array.from({ length: 99 }, (_, index) => spendAll(budget, `198.51.100.${index}`))
  expect(spent.reduce((sum, one) => sum + one)).toBe(2_970)
  expect(spendAll(budget, '203.0.113.1')).toBe(30)
  expect(budget.spend('203.0.113.2')).toBe(false)
  vi.advanceTimersByTime(60_000)
  expect(budget.spend('203.0.113.2')).toBe(true)
})
