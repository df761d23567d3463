/**
 * Promise: a mail that was asked for leaves, also where the process ends before; until then it is sealed, and afterwards
 * nothing of it is kept.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../server/config.ts'
import { gateTransaction } from '../server/database/transaction.ts'
import { sendMail } from '../server/jobs/send-mail.ts'
import { claimNewJob, startJobAlone } from '../server/jobs/start-job.ts'
import { reseal } from '../server/keyring/reseal.ts'
import { invitationMail } from '../server/mail/messages.ts'
import { prepare } from '../server/preparation.ts'
import { buildService } from '../server/service.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { startTestService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/** It works no jobs itself, as a process with `ROLE=api`. */
let one: TestService
let server: MailServer

beforeAll(async () => {
  server = await startMailServer()
  one = await startTestService({ SMTP_URL: server.url, ROLE: 'api' })
})
afterAll(async () => {
  await one.close()
  await server.close()
})

const ADDRESS = 'https://plumb.example/invitation#token=T0K3N'
const message = (to: string) =>
  invitationMail(to, { organization: 'Acme', by: 'Ada', address: ADDRESS, days: 7 })

const rowOf = async (id: string) =>
  (await one.administrator.query('select * from jobs where id = $1', [id])).rows[0]

/** Another process, which works jobs. */
async function startWorker(masterKey = one.masterKey) {
  const config = readConfig({ LOG_LEVEL: 'silent', METRICS_PORT: '0', SMTP_URL: server.url })
  const service = buildService(config, one.database.url, masterKey)
  await service.jobs.start()
  return service
}

test('what waits when its process ends is sent by another, and is sealed until then', async () => {
  const id = (await startJobAlone(one.service, sendMail, message('ed@example.com')))!
  // One that a process had begun to send, and died.
  const claimed = await gateTransaction(one.service.database.tenant, async (tx) =>
    claimNewJob(one.service, tx, sendMail, message('gone@example.com')),
  )
  await one.administrator.query(
    "update jobs set claim_id = 'ffffffff-0000-4000-8000-000000000000' where id = $1",
    [claimed.id],
  )
  const before = await rowOf(id)
  expect(before).toMatchObject({ state: 'waiting', input: null, organization_id: null })
  expect(JSON.stringify(before)).not.toMatch(/T0K3N|ed@example/)
  expect(before.sealed_input.toString()).not.toMatch(/T0K3N|ed@example/)
  expect(server.mails).toEqual([])

  // The ring may have another first key by then: what waits moves with it.
  const masterKey = `k2:${Buffer.alloc(32, 7).toString('base64')} ${one.masterKey}`
  const config = readConfig({ DATABASE_URL: one.database.url, MASTER_KEY: masterKey, LOG_LEVEL: 'silent' })
  await prepare(config, one.database.url)
  const other = buildService(one.service.config, one.database.url, masterKey)
  expect((await reseal(other)).resealed.jobInput).toBeGreaterThan(0)
  await other.close()

  const worker = await startWorker(masterKey)
  for (const to of ['ed@example.com', 'gone@example.com']) expect((await server.next(to)).link).toBe(ADDRESS)
  const sent = await until(async () => {
    const row = await rowOf(id)
    return row.state === 'succeeded' && row
  })
  expect(sent).toMatchObject({ sealed_input: null, input: null, due_at: null, claim_id: null })
  await worker.close()
  expect(server.mails).toHaveLength(2)
})

test('what the server does not take is over, and nothing of it is kept', async () => {
  server.answer((command) => (command.startsWith('RCPT') ? '550 no such user' : undefined))
  const id = (await startJobAlone(one.service, sendMail, message('typo@example.com')))!
  const worker = await startWorker()
  const row = await until(async () => {
    const row = await rowOf(id)
    return row.state === 'failed' && row
  })
  server.answer(() => undefined)
  expect(row).toMatchObject({
    failure: 'The mail server takes no mail for this address.',
    sealed_input: null,
  })
  await worker.close()
})

test('no more wait than a flood of them could fill', async () => {
  await one.administrator.query(`
    insert into jobs (id, kind, sealed_input, due_at, created_at, kept_days)
    select 'job_' || n, 'sendMail', '', clock_now() + interval '1 day', clock_now(), 1 from generate_series(1, 500) n`)
  expect(await startJobAlone(one.service, sendMail, message('ed@example.com'))).toBeNull()
})
