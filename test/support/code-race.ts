import { expect } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import { authorize, newRequest, type OauthTest, redeem, refresh, type TestClient } from './oauth.ts'

/** Few clients for many rounds: one network may register few in an hour. */
const clients = new Map<OauthTest, TestClient[]>()

async function clientFor(one: OauthTest, round: number): Promise<TestClient> {
  const known = clients.get(one) ?? []
  clients.set(one, known)
  const place = round % 20
  known[place] ??= await one.register()
  return known[place]
}

/** Uses one code several times at once: one token comes of it, and is worth nothing by then. */
export async function raceForCode(
  one: OauthTest,
  person: Caller,
  times: number,
  round: number,
): Promise<void> {
  const client = await clientFor(one, round)
  const request = newRequest(one, client)
  const browser = await one.browser(person)
  // One address may ask for few authorizations a minute.
  browser.from = `198.18.${round >> 8}.${round & 255}`
  const callback = await authorize(one, browser, request, () => ({
    organizationId: person.organizationId,
    scopes: ['read:risks'],
  }))
  const code = callback.searchParams.get('code')!
  const answers = await Promise.all(Array.from({ length: times }, () => redeem(one, request, code)))
  const given = answers.filter(({ status }) => status === 200)
  expect([round, given.length]).toEqual([round, 1])
  for (const { status, body } of answers)
    if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant'])
  const { access_token, refresh_token } = given[0]!.body
  expect([round, (await one.rest(access_token)).status]).toEqual([round, 401])
  expect((await refresh(one, client, refresh_token)).status).toBe(400)
}
