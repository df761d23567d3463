import { afterAll, beforeAll, expect, test } from 'vitest'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

// A framework that asks for more than goes at once is deleted all the same, with an entry for each requirement.

const COUNT = 1_101

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
})
afterAll(() => one.close())

type Row = Readonly<Record<string, unknown>> & { readonly id: string }
const call = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as Row

/** Chains of three, so that much stands beneath something. */
const table = () =>
  Buffer.from(
    [
      'key,title,parent',
      ...Array.from({ length: COUNT }, (_, at) => `K.${at},Asked,${at % 3 === 0 ? '' : `K.${at - 1}`}`),
    ].join('\n'),
  )

test('it goes by a job, while nobody follows it and nothing of it was approved', async () => {
  const framework = { key: 'urn:acme:large', edition: '1', name: 'Large' }
  const { frameworkId } = await frameworkImportsOf(one, acme.admin).bring('large.csv', table(), { framework })
  const id = frameworkId!
  expect(await refusal(call('deleteFramework', { id }))).toMatchObject({
    code: 'referenced',
    message: expect.stringContaining('removeFramework deletes it with all of them'),
  })
  await call('activateFramework', { id })
  expect(await refusal(call('removeFramework', { id }))).toMatchObject({ code: 'conflict' })
  await call('updateFramework', { id, status: 'retired' })
  const next = await call('createFramework', {
    ...{ key: 'next', edition: '1', name: 'Next', supersedesFrameworkId: id },
  })
  expect(await refusal(call('removeFramework', { id }))).toMatchObject({ code: 'referenced' })
  await call('updateFramework', { id: next.id, supersedesFrameworkId: null })

  const job = await call('removeFramework', { id })
  const over = await until(async () => {
    const now = await call('getJob', { id: job.id })
    return now.endedAt === null ? null : now
  })
  expect(over).toMatchObject({ state: 'succeeded', failure: null })
  expect(await refusal(call('getFramework', { id }))).toMatchObject({ code: 'not_found' })
  const { rows } = await one.administrator.query(
    `select (select count(*)::int from requirements where organization_id = $1) as left,
            (select count(*)::int from audit_entries where organization_id = $1 and action = 'requirement.delete') as told`,
    [acme.id],
  )
  expect(rows).toEqual([{ left: 0, told: COUNT }])
})
