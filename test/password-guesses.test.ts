import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../server/access/organizations.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'
import { openWeb } from './support/web.ts'

let one: TestService
let door: Door
const ADA = { email: 'ada@example.com', password: 'correct horse battery' }

beforeAll(async () => {
  one = await startTestService({ TRUSTED_PROXIES: '127.0.0.0/8' })
  door = await one.listen()
  await createOrganization(one.service, {
    name: 'Acme',
    adminEmail: ADA.email,
    adminPassword: ADA.password,
  })
})
afterAll(() => one.close())

const from = (ip: string) => ({ 'x-forwarded-for': ip })
const guess = (email: string, ip: string, password = 'not the right one') =>
  openWeb(door).call('signIn', { email, password }, from(ip))

test('after ten guesses at an account, a network waits, and then may try again', async () => {
  for (let tried = 0; tried < 10; tried++) expect((await guess(ADA.email, '192.0.2.1')).status).toBe(401)
  const refused = await guess(ADA.email, '192.0.2.1', ADA.password)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
  expect((await guess(ADA.email, '192.0.2.2', ADA.password)).status).toBe(200)
  await one.moveClock(16 * 60_000)
  expect((await guess(ADA.email, '192.0.2.1', ADA.password)).status).toBe(200)
})

test('the count is the same on every process', async () => {
  const second = await one.listen({ TRUSTED_PROXIES: '127.0.0.0/8' })
  for (let tried = 0; tried < 5; tried++) {
    await guess('both@example.com', '192.0.2.3')
    await openWeb(second).call('signIn', { email: 'both@example.com', password: 'x' }, from('192.0.2.3'))
  }
  expect((await guess('both@example.com', '192.0.2.3')).status).toBe(429)
})

test('one who guesses at many accounts is held by the network', async () => {
  const statuses: number[] = []
  for (let tried = 0; tried < 70; tried++)
    statuses.push((await guess(`somebody${tried}@example.com`, '2001:db8::1')).status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(60)
  expect((await guess('another@example.com', '2001:db8::ffff')).status).toBe(429)
  expect((await guess('another@example.com', '2001:db8:1::1')).status).toBe(401)
})

test('strangers from everywhere do not lock a person out where they have been', async () => {
  const home = '198.51.100.7'
  expect((await guess(ADA.email, home, ADA.password)).status).toBe(200)
  for (let tried = 0; tried < 110; tried++) await guess(ADA.email, `203.0.113.${tried}`)
  expect((await guess(ADA.email, '203.0.113.200', ADA.password)).status).toBe(429)
  expect((await guess(ADA.email, home, ADA.password)).status).toBe(200)
})

test('ten thousand guesses get little work, and others sign in meanwhile', async () => {
  const known = openWeb(door)
  await one.moveClock(61 * 60_000)
  expect((await known.call('signIn', ADA, from('198.51.100.8'))).status).toBe(200)
  const statuses: Record<number, number> = {}
  let left = 10_000
  const guessing = Promise.all(
    Array.from({ length: 24 }, async () => {
      while (left-- > 0) {
        const { status } = await guess('target@example.com', '192.0.2.99')
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  let others = 0
  const watching = (async () => {
    while (left > 0) {
      expect((await guess(ADA.email, '198.51.100.8', ADA.password)).status).toBe(200)
      expect((await known.call('listRisks')).status).toBe(200)
      others++
    }
  })()
  await Promise.all([guessing, watching])
  expect(statuses).toEqual({ 401: 10, 429: 9_990 })
  expect(others).toBeGreaterThan(3)
})
