import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { startTestService, type TestService } from './support/service.ts'

/* Who sends a byte now and then holds a connection for less than a minute, and costs nobody else anything. */

let one: TestService
let door: Door
let key: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  key = (await (await one.organization()).key(['write:risks', 'read:risks'])).secret
})
afterAll(() => one.close())

async function drip(head: string, each: string): Promise<{ said: string; seconds: number }> {
  const began = performance.now()
  const socket = connect(door.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(head)
  const dripping = setInterval(() => socket.write(each), 500)
  const chunks: string[] = []
  socket.on('data', (chunk) => chunks.push(String(chunk)))
  await once(socket, 'close')
  clearInterval(dripping)
  return { said: chunks.join(''), seconds: (performance.now() - began) / 1000 }
}

test('headers and bodies that drip are cut off, while others are answered as ever', async () => {
  const start = `POST /v1/risks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
  const dripping = Promise.all([
    ...Array.from({ length: 50 }, () => drip(start, 'X: y\r\n')),
    ...Array.from({ length: 50 }, () => drip(`${start}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n')),
  ])
  let calm = 0
  let over = false
  void dripping.then(() => {
    over = true
  })
  while (!over) {
    const began = performance.now()
    expect((await door.send(key, 'GET', '/v1/risks?limit=1')).status).toBe(200)
    calm = Math.max(calm, performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  for (const { said, seconds } of await dripping) {
    expect(seconds).toBeLessThan(40)
    expect(said).toMatch(/^(HTTP\/1\.1 408 [\s\S]*malformed_request[\s\S]*)?$/)
  }
  expect(calm).toBeLessThan(1_000)
})
