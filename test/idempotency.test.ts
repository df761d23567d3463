import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
let count = 0

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(['read:risks', 'write:risks', 'write:personnel'])).secret
})
afterAll(() => one.close())

const once = () => `once ${++count}`
const post = (idempotencyKey: string, body: unknown, secret = key, at = door) =>
  at.send(secret, 'POST', '/v1/risks', { body, headers: { 'idempotency-key': idempotencyKey } })
const risks = async (title: string) =>
  (await one.administrator.query('select id from risks where title = $1', [title])).rows.length

test('the same request again gets the first answer, whole, and happens once', async () => {
  const name = once()
  const first = await post(name, { title: name, labels: ['b', 'a'], customFields: { b: 1, a: 2 } })
  const again = await post(name, { customFields: { a: 2, b: 1 }, labels: ['b', 'a'], title: name })
  expect([again.status, again.body, again.headers.location, again.headers.etag]).toEqual([
    201,
    first.body,
    first.headers.location,
    first.headers.etag,
  ])
  expect(await risks(name)).toBe(1)
})

test('another body under the same key is refused, and changes nothing', async () => {
  const name = once()
  await post(name, { title: name })
  const other = await post(name, { title: `${name} other` })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect(await risks(`${name} other`)).toBe(0)
  expect((await post(name, { title: name })).status).toBe(201)
})

test('another operation under the same key is refused', async () => {
  const name = once()
  await post(name, { title: name })
  const other = await door.send(key, 'POST', '/v1/risks/batch', {
    body: { records: [{ title: name }] },
    headers: { 'idempotency-key': name },
  })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
})

test('a refusal of the input is the first answer too', async () => {
  const name = once()
  const first = await post(name, { titel: name })
  const again = await post(name, { titel: name })
  const { requestId: _, ...problem } = first.body
  expect([again.status, again.body]).toEqual([422, { ...problem, requestId: again.headers['request-id'] }])
  expect((await post(name, { title: name })).body.code).toBe('idempotency_key_reused')
})

test('what depends on the moment or on rights is asked anew', async () => {
  const name = once()
  const reader = await acme.key(['read:risks'])
  expect((await post(name, { title: name }, reader.secret)).status).toBe(403)
  await one.administrator.query("update api_keys set scopes = '{write:risks}' where id = $1", [reader.id])
  expect((await post(name, { title: name }, reader.secret)).status).toBe(201)
})

test('two at the same time: one happens, the other waits its turn', async () => {
  for (let round = 0; round < 10; round++) {
    const name = once()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(name, { title: name })))
    expect(await risks(name)).toBe(1)
    for (const { status, body } of answers) {
      if (status === 201) expect(body.title).toBe(name)
      else expect([status, body.code]).toEqual([409, 'conflict'])
    }
    expect(answers.map(({ status }) => status)).toContain(201)
  }
})

test('a crash before the commit frees the key', async () => {
  const name = once()
  const blocker = new pg.Client({ connectionString: one.database.administratorUrl })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('lock table risks in access exclusive mode')
  const lost = post(name, { title: name })
  await expect.poll(waiting).toBeGreaterThan(0)
  await one.administrator.query(`select pg_terminate_backend(pid) ${WAITING}`)
  await blocker.end()
  expect((await lost).status).toBe(503)
  expect(await risks(name)).toBe(0)
  expect((await post(name, { title: name })).status).toBe(201)
  expect(await risks(name)).toBe(1)
})

const WAITING = "from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
const waiting = async () => (await one.administrator.query(`select ${WAITING}`)).rowCount

test('a key is of one credential', async () => {
  const name = once()
  const other = await acme.key(['write:risks'])
  const [mine, theirs] = [await post(name, { title: name }), await post(name, { title: name }, other.secret)]
  expect([mine.status, theirs.status]).toEqual([201, 201])
  expect(mine.body.id).not.toBe(theirs.body.id)
})

test('an answer is kept for a day', async () => {
  const name = once()
  const first = await post(name, { title: name })
  await one.moveClock(23 * 3_600_000)
  expect((await post(name, { title: name })).body.id).toBe(first.body.id)
  await one.moveClock(2 * 3_600_000)
  expect((await post(name, { title: name })).body.id).not.toBe(first.body.id)
})
