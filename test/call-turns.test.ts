import { expect, onTestFinished, test, vi } from 'vitest'
import { CallTurns, type TurnCall } from '../server/caller/call-turns.ts'

/*
 * Promise: however many calls one organization sends, the calls of another start as soon as they would alone; what
 * waits is served by organization and by credential in turn; and more than may wait is refused with the reason.
 */

let time = 0
const turnsOf = (atOnce: number) => new CallTurns(atOnce, () => time)

/** A call that is under way until it ends. */
function held(turns: CallTurns, organizationId: string, more: Partial<TurnCall> = {}) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [isRunning, hasEnded] = [false, false]
  const done = turns.run({ organizationId, credentialId: 'key_1', isLarge: false, ...more }, () => {
    isRunning = true
    return promise
  })
  done.catch(() => {})
  return {
    done,
    isRunning: () => isRunning && !hasEnded,
    end: async () => {
      hasEnded = true
      resolve()
      await done
      await tick()
    },
  }
}

const tick = () => new Promise((resolve) => setImmediate(resolve))
const large = { isLarge: true }
const running = (calls: readonly { isRunning(): boolean }[]) => calls.filter((one) => one.isRunning()).length
const many = (count: number, make: (index: number) => ReturnType<typeof held>) =>
  Array.from({ length: count }, (_, index) => make(index))

test('an organization has most places while it is alone, one credential most of those, and half while it is not', async () => {
  const turns = turnsOf(16)
  const script = many(30, () => held(turns, 'acme'))
  const person = many(10, () => held(turns, 'acme', { credentialId: 'ses_1' }))
  await tick()
  expect([running(script), running(person)]).toEqual([11, 3])
  const other = held(turns, 'other')
  for (const one of script.slice(0, 11)) await one.end()
  expect(other.isRunning()).toBe(true)
  expect(turns.running).toBe(8 + 1)
})

test('large calls have fewer places, and one of sixteen while another organization calls', async () => {
  const turns = turnsOf(16)
  const acme = many(10, (index) => held(turns, 'acme', { ...large, credentialId: `key_${index}` }))
  const quick = held(turns, 'acme')
  await tick()
  expect([running(acme), quick.isRunning()]).toEqual([3, true])
  const other = held(turns, 'other')
  for (const left of [2, 1, 1]) {
    await acme.find((one) => one.isRunning())!.end()
    expect(running(acme)).toBe(left)
  }
  const largeOfOther = held(turns, 'other', large)
  await tick()
  expect([other.isRunning(), largeOfOther.isRunning()]).toEqual([true, true])
})

test('an organization counts as alone again some time after the last call of another', async () => {
  const turns = turnsOf(16)
  await held(turns, 'other').end()
  const acme = many(6, (index) => held(turns, 'acme', { ...large, credentialId: `key_${index}` }))
  await tick()
  expect(running(acme)).toBe(1)
  time += 5_000
  await acme[0]!.end()
  expect(running(acme)).toBe(3)
})

test('what waits is served by organization, and within one by credential, in turn', async () => {
  const turns = turnsOf(2)
  const order: string[] = []
  const first = held(turns, 'acme', large)
  const asked = (
    [
      ['acme', 'script'],
      ['acme', 'script'],
      ['acme', 'script'],
      ['acme', 'person'],
      ['other', 'person'],
    ] as const
  ).map(([organizationId, credentialId]) =>
    turns.run({ organizationId, credentialId, isLarge: true }, async () => {
      order.push(`${organizationId} ${credentialId}`)
      await tick()
    }),
  )
  await first.end()
  await Promise.all(asked)
  expect(order).toEqual(['other person', 'acme script', 'acme person', 'acme script', 'acme script'])
})

test('a credential that fills its queue keeps no other of its organization from a free place', async () => {
  const turns = turnsOf(16)
  const script = many(70, () => held(turns, 'acme'))
  const person = held(turns, 'acme', { credentialId: 'ses_1' })
  await tick()
  expect([running(script), person.isRunning()]).toEqual([11, true])
})

test('more than may wait is refused, by credential and by organization, and another organization is not', async () => {
  const turns = turnsOf(16)
  const script = many(70, () => held(turns, 'acme'))
  await expect(script.at(-1)!.done).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
    members: { retryAfter: 2 },
    message: expect.stringContaining('too many calls under way'),
  })
  const people = many(80, (index) => held(turns, 'acme', { credentialId: `ses_${index}` }))
  await expect(people.at(-1)!.done).rejects.toMatchObject({ code: 'unavailable' })
  expect([turns.waiting, turns.refused.organization]).toEqual([100, 70 + 80 - 14 - 100])
  held(turns, 'acme', { continues: true })
  expect(turns.waiting).toBe(101)
  const other = held(turns, 'other')
  await script[0]!.end()
  expect(other.isRunning()).toBe(true)
})

test('what fails gives its place to the next', async () => {
  const turns = turnsOf(2)
  const failing = turns.run({ organizationId: 'acme', credentialId: 'key_1', isLarge: true }, () =>
    Promise.reject(new Error('no')),
  )
  const next = held(turns, 'acme', large)
  await expect(failing).rejects.toThrow('no')
  await tick()
  expect([turns.running, next.isRunning()]).toEqual([1, true])
})

test('a call that has done a part of its work is served first, and waits as long as it takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const turns = turnsOf(2)
  const first = held(turns, 'acme', large)
  const next = held(turns, 'acme', large)
  const begun = held(turns, 'acme', { ...large, continues: true })
  vi.advanceTimersByTime(60_000)
  await expect(next.done).rejects.toMatchObject({ code: 'unavailable' })
  const later = held(turns, 'acme', large)
  await first.end()
  expect([begun.isRunning(), later.isRunning()]).toEqual([true, false])
  await begun.end()
  expect(later.isRunning()).toBe(true)
})

test('a queue of large calls pauses after each for as long as it ran, while another organization calls', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const turns = turnsOf(16)
  const other = held(turns, 'other')
  const [first, second] = many(2, () => held(turns, 'acme', large))
  await tick()
  time += 40
  await first!.end()
  expect(second!.isRunning()).toBe(false)
  const small = held(turns, 'acme')
  const largeOfOther = held(turns, 'other', large)
  await tick()
  expect([small.isRunning(), largeOfOther.isRunning()]).toEqual([true, true])
  time += 39
  await small.end()
  expect(second!.isRunning()).toBe(false)
  time += 1
  vi.advanceTimersByTime(41)
  await tick()
  expect(second!.isRunning()).toBe(true)
  await other.end()
})

test('no call waits for a pause where nothing was queued, or no other organization calls', async () => {
  const turns = turnsOf(16)
  const other = held(turns, 'other')
  const only = held(turns, 'acme', large)
  time += 40
  await only.end()
  const next = held(turns, 'acme', large)
  const queued = held(turns, 'acme', large)
  await tick()
  expect([next.isRunning(), queued.isRunning()]).toEqual([true, false])
  await other.end()
  time += 5_000
  await next.end()
  expect(queued.isRunning()).toBe(true)
})
