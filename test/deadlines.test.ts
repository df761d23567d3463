import { afterAll, beforeAll, expect, test } from 'vitest'
import { deadlineFaults } from '../model/deadlines.ts'
import { everyKind } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import { runDue } from '../server/clock/clock.ts'
import { deadlineTasks } from '../server/deadlines/scheduled-tasks.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a deadline acts at its thresholds, each once, and a record lapses when its day is over where the organization
 * is; what is settled has none.
 */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

type Record = { id: string; version: number; [field: string]: unknown }
const as = async (caller: Caller, name: string, input: object = {}) =>
  (await one.call(caller, name, input)).body as Record
const turn = () => runDue(one.service, deadlineTasks)

test('smoke', async () => {
  const risk = await as(acme.admin, 'createRisk', { title: 'x', reviewDate: '2027-01-01', dueDate: '2026-12-01' })
  await turn()
  console.log((await one.administrator.query('select * from deadlines')).rows, (await one.administrator.query('select * from due_moments')).rows)
  await as(acme.admin, 'updateOrganization', { timezone: 'Pacific/Auckland' })
  console.log((await one.administrator.query('select * from deadlines')).rows)
  expect(risk).toBeTruthy()
})

test.each(everyKind)('the deadlines of $name can act as they say', (kind) => {
  expect(deadlineFaults(kind)).toEqual([])
})
