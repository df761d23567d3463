import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { scope } from '../model/needs.ts'
import { refusalOf } from '../server/database/errors.ts'
import { openDoors } from '../server/doors/doors.ts'
import { openMetrics } from '../server/doors/metrics.ts'
import { operation } from '../server/operation.ts'
import { Refusal } from '../server/refusal.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a service that has too much to do says so: which limit was reached, and when to try again. It never says
 * that its database cannot be reached while it can; and what does not depend on calls still answers.
 */

let release = () => {}
let held = Promise.resolve()
const hold = operation({
  name: 'holdRisks',
  method: 'GET',
  path: '/v1/test/hold',
  needs: scope('read:risks'),
  writes: false,
  isLarge: true,
  title: 'Hold a place',
  description: 'Answers when the test says so.',
  input: z.strictObject({}),
  output: z.object({}),
  run: async () => {
    await held
    return {}
  },
})
const slow = operation({
  name: 'sleepRisks',
  method: 'GET',
  path: '/v1/test/sleep',
  needs: scope('read:risks'),
  writes: false,
  title: 'Sleep',
  description: 'Reads for a minute.',
  input: z.strictObject({}),
  output: z.object({}),
  run: async ({ tx }) => {
    await tx.read({ text: 'select pg_sleep(60)', values: [] })
    return {}
  },
})

let one: TestService
let door: Door
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService({ READ_TIMEOUT: '200ms' }, [hold, slow])
  door = await one.listen()
  acme = await one.organization()
})
afterAll(() => one.close())

test('a flood of one organization is refused by its name for it, while others, sign-in and health answer', async () => {
  const other = await one.organization()
  const [key, quiet] = [await acme.key(['read:risks']), await other.key(['read:risks'])]
  held = new Promise((resolve) => {
    release = resolve
  })
  const floodOf = (credentialId: string) => {
    const caller = { ...acme.admin, credential: { ...acme.admin.credential, id: credentialId } }
    return Array.from({ length: 60 }, () => one.call(caller, 'holdRisks').catch((error) => error))
  }
  const floods = [...floodOf('ses_1'), ...floodOf('ses_2')]
  try {
    const answer = await door.send(key.secret, 'GET', '/v1/test/hold')
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('2')
    expect(answer.body).toMatchObject({
      code: 'unavailable',
      detail: expect.stringMatching(/^Your organization has too many calls under way/),
    })
    expect((await door.send(quiet.secret, 'GET', '/v1/risks?limit=10')).status).toBe(200)
    expect((await door.send(null, 'GET', '/healthz')).status).toBe(200)
    expect((await door.send(null, 'GET', '/readyz')).status).toBe(200)
    expect((await door.send(null, 'POST', '/web/signIn', { body: {} })).status).not.toBe(503)
  } finally {
    release()
  }
  const refused = (await Promise.all(floods)).filter((one) => one instanceof Refusal)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['unavailable']))
  expect((await door.send(key.secret, 'GET', '/v1/risks')).status).toBe(200)
})

test('a read that takes too long is ended, with what to do about it, and counted', async () => {
  const { secret } = await acme.key(['read:risks'])
  const metrics = openMetrics(one.service)
  const app = await openDoors(one.service, undefined, metrics)
  const answer = await app.inject({ url: '/v1/test/sleep', headers: { authorization: `Bearer ${secret}` } })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
  expect(answer.json()).toMatchObject({
    code: 'unavailable',
    detail: expect.stringMatching(/took too long .* narrow the filter/),
  })
  expect(await metrics.registry.metrics()).toContain('plumbline_slow_statements_total 1')
  await app.close()
})

test('a change is not held to the time of a read', async () => {
  await one.administrator.query(
    `create or replace function test_slowly() returns trigger language plpgsql as
     $$ begin perform pg_sleep(0.5); return new; end $$`,
  )
  await one.administrator.query(
    'create trigger test_slowly before insert on risks for each row execute function test_slowly()',
  )
  const { status } = await one.call(acme.admin, 'createRisk', { title: 'Slow' })
  expect(status).toBe(201)
})

test('no free connection is an overload, and a lost database is not', () => {
  const exhausted = refusalOf(new Error('timeout exceeded when trying to connect'))
  expect(exhausted?.message).toMatch(/overloaded/)
  const lost = refusalOf(new Error('Connection terminated due to connection timeout'))
  expect(lost?.message).toMatch(/cannot be reached/)
})
