import { expect, test } from 'vitest'
import { inTurn, KNOWN } from '../server/identity/hashing-turns.ts'

/*
 * Passwords are tried two at a time, and whoever comes meanwhile waits in a line. A line that is full gives up one of
 * those who wait in it, drawn by lot: whoever fills it can count on keeping nobody out.
 */

const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Holds both places until it is let go. */
function hold() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const both = [1, 2].map(() => inTurn(KNOWN, () => promise))
  return async () => {
    resolve()
    await Promise.all(both)
  }
}

/** In which order they begin. */
function beginnings() {
  const begun: string[] = []
  return { begun, begin: (name: string) => async () => void begun.push(name) }
}

test('who is known does not wait behind strangers', async () => {
  const letGo = hold()
  const { begun, begin } = beginnings()
  const strangers = Array.from({ length: 20 }, () => inTurn({ strangerAt: 'one' }, begin('stranger')))
  const known = inTurn(KNOWN, begin('known'))
  await letGo()
  await Promise.all([known, ...strangers])
  expect(begun[0]).toBe('known')
  expect(begun).toHaveLength(21)
})

test('a stranger waits for those at the same account, and for one of each other', async () => {
  const letGo = hold()
  const { begun, begin } = beginnings()
  const crowd = Array.from({ length: 30 }, () => inTurn({ strangerAt: 'one' }, begin('crowd')))
  const owner = inTurn({ strangerAt: 'one' }, begin('owner'))
  const other = inTurn({ strangerAt: 'two' }, begin('other'))
  await letGo()
  await Promise.all([...crowd, owner, other])
  expect(begun.indexOf('other')).toBeLessThan(2)
  expect(begun.at(-1)).toBe('owner')
  expect(begun).toHaveLength(32)
})

test('a full line at an account gives up one by lot, and never by who came last', async () => {
  const letGo = hold()
  const strangerAt = 'one@example.com'
  const outcomes: string[] = []
  const come = (who: number) =>
    inTurn({ strangerAt }, async () => {}).then(
      () => (outcomes[who] = 'tried'),
      (error) => (outcomes[who] = error.code),
    )
  const crowd = Array.from({ length: 1_500 }, (_, who) => come(who))
  await tick()
  const lost = outcomes.flatMap((outcome, who) => (outcome === 'unavailable' ? [who] : []))
  expect(lost).toHaveLength(500)
  // By lot: of those who came first as well as of those who came last, and of neither all.
  for (const [from, to] of [
    [0, 500],
    [1_000, 1_500],
  ] as const) {
    const of = lost.filter((who) => who >= from && who < to).length
    expect(of).toBeGreaterThan(0)
    expect(of).toBeLessThan(500)
  }
  const other = inTurn({ strangerAt: 'two@example.com' }, async () => 'tried')
  await letGo()
  await Promise.all([...crowd, other])
  expect(outcomes.filter((outcome) => outcome === 'tried')).toHaveLength(1_000)
  expect(await other).toBe('tried')
})

test('with a line at each of very many accounts, the next account is told to come again, and who is known is not', async () => {
  const letGo = hold()
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    inTurn({ strangerAt: `${index}` }, async () => {}),
  )
  await expect(inTurn({ strangerAt: 'one more' }, async () => {})).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
  })
  const known = inTurn(KNOWN, async () => 'tried')
  await letGo()
  expect(await known).toBe('tried')
  await Promise.all(lines)
  expect(await inTurn({ strangerAt: 'one more' }, async () => 'tried')).toBe('tried')
})
