import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { operation, scope } from '../server/operation.ts'
import { startTestService, type TestService } from './support/service.ts'

/* Promise: how many bytes and values a call may bring is said by its operation, at every door. */

const counting = (name: string, takes: { bytes?: number; values?: number }) =>
  operation({
    name,
    method: 'POST',
    path: `/v1/${name}`,
    needs: scope('read:risks'),
    writes: false,
    takes,
    title: 'Count what comes',
    input: z.strictObject({ items: z.array(z.int()) }),
    output: z.object({ count: z.int() }).meta({ id: `Count${name}` }),
    run: async (_, { items }) => ({ count: items.length }),
  })

let one: TestService
beforeAll(async () => {
  one = await startTestService({}, [
    counting('countFew', { bytes: 1024, values: 10 }),
    counting('countMany', { bytes: 1024 * 1024, values: 50_000 }),
  ])
})
afterAll(() => one.close())

const items = (count: number) => ({ items: Array.from({ length: count }, () => 1) })

test('less than the common limits, and more', async () => {
  const door = await one.listen()
  const { secret } = await (await one.organization()).key(['read:risks'])
  const send = (name: string, body: object, headers = {}) =>
    door.send(secret, 'POST', `/v1/${name}`, { body, headers })
  expect((await send('countFew', items(8))).body).toEqual({ count: 8 })
  expect((await send('countFew', items(10))).body).toMatchObject({ code: 'validation_failed' })
  expect(await send('countFew', items(600))).toMatchObject({ status: 413 })
  expect((await send('countMany', items(40_000))).body).toEqual({ count: 40_000 })
  const once = { 'idempotency-key': 'once' }
  expect((await send('countMany', items(40_000), once)).body).toEqual({ count: 40_000 })
  expect((await send('countMany', items(50_000))).body).toMatchObject({ code: 'validation_failed' })
})
