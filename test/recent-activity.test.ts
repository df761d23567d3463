import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { startTestService, type TestService } from './support/service.ts'

/*
 * Promise: what one person did to many records in one go is one line of what was done last, and so is what one call did
 * by turns; an import of thousands hides nothing that was done before it, and a count that goes no further than was read
 * says so.
 */

let one: TestService
beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one.close())

type Line = {
  action: string
  count: number
  isMore: boolean
  subject: { id: string }
  changes: object | null
}
const linesOf = async (caller: Caller): Promise<Line[]> =>
  ((await one.call(caller, 'getRecentActivity')).body as { data: Line[] }).data
const told = (lines: readonly Line[]) => lines.map(({ action, count, isMore }) => [action, count, isMore])
/** Each a request of its own. */
const call = async (caller: Caller, name: string, input: object): Promise<{ id: string }> =>
  (await one.call({ ...caller, requestId: randomUUID() }, name, input)).body as { id: string }

/** As an import leaves it: records that are created and linked by turns, a second apart. */
async function imported({ organizationId }: Caller, subject: string, count: number): Promise<void> {
  await one.administrator.query(
    `insert into audit_entries (organization_id, id, time, actor, channel, action, outcome, subject_type, subject_id, subject,
       changes, request_id, hash)
     select organization_id, id || lpad(n::text, 6, '0') || what, time + n * interval '1 millisecond', actor, channel, what,
            outcome, subject_type, subject_id || n, subject, changes, request_id, hash
       from audit_entries a, generate_series(1, $3::int) n, unnest(array['risk.create', 'risk.link']) what
      where organization_id = $1 and subject_id = $2 and action = 'risk.create'`,
    [organizationId, subject, count],
  )
}

test('what was done in one go is a line, and what comes after another thing or a pause one of its own', async () => {
  const { admin } = await one.organization()
  const add = (title: string) => call(admin, 'createRisk', { title })
  await add('One')
  await add('Two')
  await call(admin, 'createControl', { code: 'C-1', title: 'Patch' })
  await add('Three')
  await one.moveClock(11 * 60_000)
  const { id } = await add('Four')
  const lines = await linesOf(admin)
  expect(told(lines).slice(0, 4)).toEqual([
    ['risk.create', 1, false],
    ['risk.create', 1, false],
    ['control.create', 1, false],
    ['risk.create', 2, false],
  ])
  expect(lines[0]).toMatchObject({ subject: { id, title: 'Four' } })
})

test('an import of thousands hides nothing that was done before it', async () => {
  const { admin } = await one.organization()
  await call(admin, 'createControl', { code: 'C-1', title: 'Patch' })
  await one.moveClock(11 * 60_000)
  const { id } = await call(admin, 'createRisk', { title: 'One' })
  await imported(admin, id, 3_000)
  expect(told(await linesOf(admin)).slice(0, 3)).toEqual([
    ['risk.link', 3_000, false],
    ['risk.create', 3_001, false],
    ['control.create', 1, false],
  ])
})

test('of more than is read the count is what it is at least', async () => {
  const { admin } = await one.organization()
  await call(admin, 'createControl', { code: 'C-1', title: 'Patch' })
  const { id } = await call(admin, 'createRisk', { title: 'One' })
  await imported(admin, id, 12_000)
  expect(told(await linesOf(admin))).toEqual([
    ['risk.link', 10_000, true],
    ['risk.create', 10_000, true],
  ])
})
