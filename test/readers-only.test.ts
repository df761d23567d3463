/** Promise: somebody who sees only their own records is told of no other: not by a notice, a mail, or as a mention. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { openMail } from '../server/mail/mail.ts'
import { mailNotices } from '../server/notices/mail-notices.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let server: MailServer
let acme: TestOrganization
let ada: Caller
let self: Caller
beforeAll(async () => {
  one = await startTestService()
  server = await startMailServer()
  acme = await one.organization()
  ada = await acme.person('editor')
  const person = await acme.person('viewer')
  await one.call(acme.admin, 'updateUser', { id: person.userId, selfServiceOnly: true, confirm: true })
  self = { ...person, limitedView: 'self_service' }
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const as = async <Body = { id: string }>(caller: Caller, name: string, input: object): Promise<Body> =>
  (await one.call({ ...caller, requestId: crypto.randomUUID() }, name, input)).body as Body
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const offered = async (recordId: string) =>
  (await as<{ data: { userId: string }[] }>(ada, 'listMentionable', { recordId })).data.map(
    ({ userId }) => userId,
  )
const inbox = async () => JSON.stringify(await as(self, 'listNotices', {}))
const mailed = async () => {
  await one.moveClock(120_000)
  await mailNotices({ ...one.service, mail: openMail(server.url, one.service.log) })
  return server.mails
    .filter(({ to }) => to === `${self.accountId}@example.com`)
    .map(({ subject, text }) => subject + text)
    .join()
}
const mention = ({ userId }: Caller) => `@[x](${userId})`

test('mentions are offered and taken for records that the person may read', async () => {
  const risk = await as(ada, 'createRisk', { title: 'Secret risk' })
  const foreign = await as(ada, 'createTask', { title: 'Secret task', assignee: user(ada) })
  const own = await as(ada, 'createTask', { title: 'Own task', assignee: user(self) })
  expect(await offered(risk.id)).not.toContain(self.userId)
  expect(await offered(foreign.id)).not.toContain(self.userId)
  expect(await offered(own.id)).toContain(self.userId)
  for (const recordId of [risk.id, foreign.id])
    await expect(as(ada, 'createComment', { recordId, text: mention(self) })).rejects.toMatchObject({
      code: 'validation_failed',
    })
})

test('a record that is given to somebody else is named no more, in the inbox or by mail', async () => {
  const taken = await as<{ id: string; version: number }>(ada, 'createTask', {
    ...{ title: 'Taken away', assignee: user(self) },
  })
  await as(ada, 'createTask', { title: 'Kept by them', assignee: user(self) })
  expect(await inbox()).toContain('Taken away')
  await as(ada, 'updateTask', { id: taken.id, assignee: user(ada), title: 'Confidential now' })
  expect(await inbox()).not.toMatch(/Taken away|Confidential now/)
  expect(await inbox()).toContain('Kept by them')
  const mails = await mailed()
  expect(mails).toContain('Kept by them')
  expect(mails).not.toMatch(/Taken away|Confidential now/)
})
