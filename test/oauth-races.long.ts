import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { raceForCode } from './support/code-race.ts'
import { type OauthTest, startOauthTest } from './support/oauth.ts'
import { raceForSuccessor } from './support/refresh-race.ts'

/* One code, two uses at the same moment, a thousand times (security.md, T7). */

let one: OauthTest
let people: Caller[]

beforeAll(async () => {
  one = await startOauthTest({ TRUSTED_PROXIES: '127.0.0.1,::1' })
  const acme = await one.organization()
  people = await Array.fromAsync({ length: 6 }, () => acme.person('viewer'))
})
afterAll(() => one.close())

test('of two uses of one code, one gives a token, and then none', async () => {
  for (let round = 0; round < 1_000; round++) {
    await raceForCode(one, people[round % people.length]!, 2, round)
    // A network may register few apps in an hour.
    if (round % 100 === 99) await one.moveClock(61 * 60_000)
  }
  const { rows } = await one.administrator.query(
    'select count(*)::int as n from connected_apps where revoked_at is null',
  )
  expect(rows[0].n).toBe(0)
})

test('a thousand uses of one refresh token at two processes give one chain', async () => {
  const tokens = await one.connect(people[0]!)
  const other = await one.listen({ PUBLIC_URL: one.base })
  await raceForSuccessor(one, [one.base, `http://127.0.0.1:${other.port}`], tokens, 1_000)
})
