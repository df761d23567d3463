import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { capability, operation, person } from '../server/operation.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { openWebAs } from './support/web.ts'

/* What is done for a session is judged as what is done for a credential is, and proves no more than it asked for. */

const tellAll = operation({
  name: 'tellAll',
  by: 'session',
  needs: person(),
  needsFor: ({ all }) => (all ? [capability('settings.manage')] : []),
  title: 'Tell all',
  input: z.strictObject({ all: z.boolean() }),
  output: z.object({}),
  run: async () => ({ body: {} }),
})

let one: TestService
let acme: TestOrganization
let door: Door
beforeAll(async () => {
  one = await startTestService({}, [tellAll])
  acme = await one.organization()
  door = await one.listen()
})
afterAll(() => one.close())

test('an input that asks for more needs more, and who tries without it stands in the audit log', async () => {
  const viewer = await acme.person('viewer')
  const web = await openWebAs(door, viewer)
  expect((await web.call('tellAll', { all: false })).status).toBe(200)
  const refused = await web.call('tellAll', { all: true })
  expect([refused.status, refused.body.code]).toEqual([403, 'capability_required'])
  const denied =
    "select from audit_entries where action = 'tellAll' and outcome = 'denied' and organization_id = $1"
  await expect.poll(async () => (await one.administrator.query(denied, [acme.id])).rowCount).toBe(1)
})

test('a session that is only given another secret makes no browser known as its person’s', async () => {
  const web = await openWebAs(door, acme.admin)
  const before = web.cookie
  expect((await web.call('switchOrganization', { organizationId: acme.id })).status).toBe(200)
  expect(web.cookie).not.toBe(before)
  expect(web.device).toBe('')
  const { rows } = await one.administrator.query('select from known_devices where user_id = $1', [
    acme.admin.accountId,
  ])
  expect(rows).toEqual([])
})
