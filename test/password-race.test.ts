import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../server/organization/organizations.ts'
import type { Door } from './support/door.ts'
import { addTotp, PASSWORD } from './support/factors.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

/* Who has just given the old password, while a new one is being set, does not stay in behind it. */

let one: TestService
let door: Door

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
})
afterAll(() => one.close())

/** Holds a change of the password open until somebody waits for just that, and then lets it happen. */
async function changedUnder(accountId: string, work: () => Promise<unknown>): Promise<void> {
  const { administrator } = one
  await administrator.query('begin')
  await administrator.query("update users set password_hash = 'another' where id = $1", [accountId])
  const working = work()
  await expect.poll(async () => (await administrator.query(HELD_UP)).rowCount).toBeGreaterThan(0)
  await administrator.query('delete from sessions where user_id = $1', [accountId])
  await administrator.query('delete from sign_in_tickets where user_id = $1', [accountId])
  await administrator.query('commit')
  await working
}

/** Whoever waits for this connection. The server has other tests' databases too, with locks of their own. */
const HELD_UP = 'select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))'

test.each([false, true])(
  'a sign-in (second factor: %s) that began before begins nothing',
  async (withFactor) => {
    const email = `ada-${withFactor}@example.com`
    const { accountId } = await createOrganization(one.service, {
      name: 'Acme',
      adminEmail: email,
      adminPassword: PASSWORD,
    })
    const before = openWeb(door)
    await before.call('signIn', { email, password: PASSWORD })
    if (withFactor) await addTotp(one, before)
    const web = openWeb(door)
    await changedUnder(accountId, async () => {
      const { status, body } = await web.call('signIn', { email, password: PASSWORD })
      expect([status, body.code]).toEqual([401, 'sign_in_failed'])
    })
    expect(web.cookie).toBe('')
    for (const table of ['sessions', 'sign_in_tickets']) {
      const { rows } = await one.administrator.query(`select from ${table} where user_id = $1`, [accountId])
      expect([table, rows.length]).toEqual([table, 0])
    }
  },
)
