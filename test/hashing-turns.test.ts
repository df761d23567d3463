import { expect, test } from 'vitest'
import { inTurn, KNOWN } from '../server/access/passwords/hashing-turns.ts'

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
