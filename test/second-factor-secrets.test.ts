import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsBy } from '../server/operations.ts'
import { newAuthenticator } from './support/authenticator.ts'
import type { Door, Reply } from './support/door.ts'
import { codeOf, newSomebody, nextStep } from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb, type Web } from './support/web.ts'

/* Every secret of a second factor goes through all its life; afterwards it was shown once, and is nowhere. */

let one: TestService
let door: Door
const log: string[] = []

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen({}, (line) => log.push(line))
})
afterAll(() => one.close())

/** All that the database holds, as one text. */
async function everything(): Promise<string> {
  const { rows: tables } = await one.administrator.query(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  const texts = tables.map(
    ({ name }) => `(select coalesce(string_agg(t::text, ' '), '') from "${name}" t) as "${name}"`,
  )
  return JSON.stringify((await one.administrator.query(`select ${texts.join(', ')}`)).rows[0])
}

test('app, codes, tickets, ceremonies and challenges are shown once', async () => {
  const replies: Reply[] = []
  const recording = (web: Web): Web => ({
    ...web,
    call: async (...asked) => {
      const reply = await web.call(...asked)
      replies.push(reply)
      return reply
    },
  })
  const ada = await newSomebody(one, door)
  const web = recording(ada.web)
  const { secret } = (await web.call('beginTotp', {}, { 'idempotency-key': 'a' })).body
  await web.call('beginTotp', {}, { 'idempotency-key': 'a' })
  const first = await codeOf(one, secret)
  const { recoveryCodes } = (await web.call('confirmTotp', { code: first })).body
  const key = newAuthenticator('http://localhost:3000')
  const begun = (await web.call('beginPasskey')).body
  await web.call('createPasskey', {
    ceremony: begun.ceremony,
    name: 'Key',
    response: key.create(begun.options),
  })
  const newer = (await web.call('createRecoveryCodes')).body.recoveryCodes as string[]

  const other = recording(openWeb(door))
  const wrong = recoveryCodes[0] as string
  const { ticket } = (await other.call('signIn', { email: ada.email, password: ada.password })).body
  await other.call('signInSecondFactor', { ticket, recoveryCode: wrong })
  await other.call('signInSecondFactor', { ticket, code: first })
  await nextStep(one)
  await other.call('signInSecondFactor', { ticket, code: await codeOf(one, secret) })
  const asked = (await other.call('beginPasskeySignIn')).body
  const answer = key.get(asked.options)
  for (const _ of [1, 2])
    await other.call('signInWithPasskey', { ceremony: asked.ceremony, response: answer })
  await other.call('confirmIdentity', { password: ada.password, recoveryCode: newer[0] })
  for (const { name, method, path } of operationsBy('credential'))
    if (method === 'GET' && !path.includes('{')) await other.call(name)
  await other.call('listAuditLog', { limit: 100 })

  const secrets: string[] = [secret, ticket, begun.ceremony, begun.options.challenge, asked.ceremony]
  secrets.push(asked.options.challenge, answer.response.signature, ...recoveryCodes, ...newer)
  const answers = replies.map(({ text, headers }) => text + JSON.stringify(headers))
  const kept = await everything()
  expect(secrets).toHaveLength(27)
  for (const hidden of secrets) {
    expect(answers.filter((text) => text.includes(hidden)).length, hidden).toBeLessThanOrEqual(1)
    expect(log.join('')).not.toContain(hidden)
    expect(kept).not.toContain(hidden)
  }
  expect(kept).toContain(ada.email)
  expect(log.length).toBeGreaterThan(10)
})
