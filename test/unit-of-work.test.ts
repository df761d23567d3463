/** Promise: an error that no code caught fails the unit of work that raised it, and the process goes on. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const NONE = { delivery: 0, job: 0, task: 0, request: 0, none: 0 }
const script = fileURLToPath(new URL('support/uncaught.ts', import.meta.url))
const run = (way: string) => promisify(execFile)(process.execPath, [script, way])

test.each([
  ['a timer of a unit', 'thrown by a timer', { job: 1 }],
  ['a socket of a unit', 'connect ECONNREFUSED', { job: 1 }],
  ['a promise of a unit', 'not awaited', { job: 1 }],
  ['an event that a unit waits for, in another unit', ['thrown by a timer', 'done'], { job: 1 }],
  ['a timer of a request', [500, 'broken off'], { request: 2 }],
  ['a socket of no unit', null, { none: 1 }],
  ['a promise of no unit', null, { none: 1 }],
])('%s: the process goes on', async (way, outcome, counts) => {
  const { stdout } = await run(way)
  expect(JSON.parse(stdout)).toEqual({ outcome, counts: { ...NONE, ...counts } })
})

test.each(['a timer of no unit', 'a loop of sockets of no unit', 'an invariant of Node, in a unit'])(
  '%s: the process ends',
  async (way) => {
    await expect(run(way)).rejects.toMatchObject({ code: 1 })
  },
)
