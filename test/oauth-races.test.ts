import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { raceForCode } from './support/code-race.ts'
import { type OauthTest, refresh, startOauthTest } from './support/oauth.ts'
import { raceForSuccessor } from './support/refresh-race.ts'
import type { TestOrganization } from './support/service.ts'

/* What two requests at the same moment must not both get (security.md, T7). */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

const ROUNDS = 60

test('one code used several times at once gives one token, and then none', async () => {
  const people = await Array.fromAsync({ length: 6 }, () => acme.person('viewer'))
  for (let round = 0; round < ROUNDS; round++)
    await raceForCode(one, people[round % people.length]!, round % 2 === 0 ? 2 : 5, round)
})

test('a refresh token used several times at once lives on, and kills the family after its grace', async () => {
  const tokens = await one.connect(acme.admin)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => refresh(one, tokens.client, tokens.refresh_token)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  for (const { body } of answers) expect((await one.rest(body.access_token)).status).toBe(200)
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  await one.moveClock(29_000)
  expect((await refresh(one, tokens.client, tokens.refresh_token)).body.refresh_token).toBe(
    answers[0]!.body.refresh_token,
  )
  await one.moveClock(2_000)
  expect((await refresh(one, tokens.client, tokens.refresh_token)).status).toBe(400)
  for (const { body } of answers) {
    expect((await one.rest(body.access_token)).status).toBe(401)
    expect((await refresh(one, tokens.client, body.refresh_token)).status).toBe(400)
  }
  const { rows } = await one.administrator.query(
    "select reason from audit_entries where subject_id = $1 and action = 'connected_app.revoke'",
    [tokens.appId],
  )
  expect(rows).toEqual([{ reason: 'a refresh token was used twice' }])
})

test('while the database is away a token is refused as something to try again, and works then', async () => {
  const tokens = await one.connect(acme.admin)
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const asked = vi.spyOn(one.service.database.gate, 'query').mockRejectedValue(away)
  const refused = await fetch(`${one.base}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: tokens.client.id,
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    }),
  })
  asked.mockRestore()
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '2',
    {
      error: 'temporarily_unavailable',
      error_description: 'The database cannot be reached just now: try again in a moment.',
    },
  ])
  expect((await refresh(one, tokens.client, tokens.refresh_token)).status).toBe(200)
})

test('another client gets nothing from a refresh token, and breaks nothing', async () => {
  const tokens = await one.connect(acme.admin)
  const thief = await one.register()
  const stolen = await refresh(one, thief, tokens.refresh_token)
  expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
  expect((await refresh(one, tokens.client, tokens.refresh_token)).status).toBe(200)
})

test('used again from two processes, also when the chain has moved on, it gives that chain and no second', async () => {
  const tokens = await one.connect(acme.admin)
  const other = await one.listen({ PUBLIC_URL: one.base })
  await raceForSuccessor(one, [one.base, `http://127.0.0.1:${other.port}`], tokens, 10)
})
