import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let doors: [Door, Door]
let acme: TestOrganization

beforeAll(async () => {
  one = await startTestService()
  doors = [await one.listen(), await one.listen({})]
  acme = await one.organization()
})
afterAll(() => one.close())

test('a revoked key admits no call that begins after, on no process', async () => {
  const { id, secret } = await acme.key(['read:risks'])
  let revokedAt = Number.POSITIVE_INFINITY
  let asked = 0
  const after: number[] = []
  let admitted = 0
  const lane = async () => {
    while (after.length < 1_000) {
      const began = performance.now()
      const { status } = await doors[asked++ % 2]!.send(secret, 'GET', '/v1/risks?limit=1')
      if (began > revokedAt) after.push(status)
      else if (status === 200) admitted++
    }
  }
  const lanes = Promise.all(Array.from({ length: 16 }, lane))
  await expect.poll(() => admitted).toBeGreaterThan(100)
  await one.administrator.query('update api_keys set revoked_at = clock_now() where id = $1', [id])
  revokedAt = performance.now()
  await lanes
  expect(new Set(after)).toEqual(new Set([401]))
  expect((await doors[1].send(secret, 'GET', '/v1/risks')).body.code).toBe('key_revoked')
})

test('a role taken away takes the rights of its keys with the next call', async () => {
  const bo = await acme.person('admin')
  const { secret } = await acme.key(['read:risks', 'write:risks'], bo)
  const write = (at: Door) => at.send(secret, 'POST', '/v1/risks', { body: { title: 'a' } })
  expect((await write(doors[0])).status).toBe(201)
  await one.administrator.query("update members set role = 'viewer' where user_id = $1", [bo.userId])
  for (const door of doors) {
    const { status, body } = await write(door)
    expect([status, body.code]).toEqual([403, 'capability_required'])
    expect(body.detail).toContain('viewer')
    expect((await door.send(secret, 'GET', '/v1/risks')).status).toBe(200)
  }
})
