import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const WAITING = "from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
const waiting = async () => (await one.administrator.query(`select ${WAITING}`)).rowCount

const owner = ({ userId }: { userId: string }) => ({ type: 'user', refId: userId })

test.each([
  ['was nobody', false],
  ['was somebody else', true],
])('a change that waited for another tells the name of the owner it found, who %s', async (_was, owned) => {
  const { admin } = acme
  const colleague = await acme.person('editor')
  const { body: made } = await one.call(admin, 'createRisk', {
    title: 'Shared account',
    ...(owned ? { owner: owner(admin) } : {}),
  })
  const { id } = made as { id: string }

  const other = new pg.Client({ connectionString: one.database.administratorUrl })
  await other.connect()
  await other.query('begin')
  await other.query('update risks set owner_user_id = $2, version = version + 1 where id = $1', [
    id,
    colleague.userId,
  ])
  const waited = one.call(admin, 'updateRisk', { id, title: 'Account without an owner' })
  await expect.poll(waiting).toBe(1)
  await other.query('commit')
  await other.end()

  const { name } = colleague.credential
  expect((await waited).body).toMatchObject({
    title: 'Account without an owner',
    owner: { ...owner(colleague), displayName: name, active: true },
    version: 3,
  })
})
