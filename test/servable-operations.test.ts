import { expect, test } from 'vitest'
import { z } from 'zod'
import { kinds } from '../model/kinds/index.ts'
import { assertServable } from '../server/doors/servable.ts'
import { type AnyOperation, operation, scope } from '../server/operation.ts'
import { operations } from '../server/operations.ts'

/* Promise: an operation that no door can serve where it says is refused at the start, with what to change. */

const made = (changes: { [name in keyof AnyOperation]?: unknown }): AnyOperation =>
  operation({
    name: 'getBoat',
    method: 'GET',
    path: '/v1/boats/{id}',
    needs: scope('read:risks'),
    writes: false,
    title: 'Read a boat',
    input: z.strictObject({ id: z.string() }),
    output: z.object({}),
    run: async () => ({}),
    ...changes,
  } as never)

const forBrowsers = (changes: { [name in keyof AnyOperation]?: unknown }): AnyOperation =>
  operation({
    name: 'boardBoat',
    by: 'anybody',
    title: 'Board a boat',
    input: z.strictObject({}),
    output: z.object({}),
    run: async () => ({ body: {} }),
    ...changes,
  } as never)

test('what there is can be served, and one more', () => {
  expect(() => assertServable([...operations, made({}), forBrowsers({})])).not.toThrow()
})

const REFUSED: [string, AnyOperation, RegExp][] = [
  ['a name twice', made({ path: '/v1/ships/{id}' }), /POST \/web\/getBoat is getBoat already/],
  ['a route twice', made({ name: 'getShip' }), /GET \/v1\/boats\/\{\} is getBoat already/],
  [
    'a route twice, by another parameter',
    made({ name: 'getShip', path: '/v1/boats/{key}', input: z.strictObject({ key: z.string() }) }),
    /getShip cannot be served: GET \/v1\/boats\/\{\} is getBoat already/,
  ],
  ['a path outside /v1', made({ name: 'getShip', path: '/ships/{id}' }), /begin it with \/v1\//],
  ['the path of another door', made({ name: 'getShip', path: '/v1/mcp/{id}' }), /another word than mcp/],
  [
    'a parameter that the input has not',
    made({ name: 'getShip', path: '/v1/ships/{shipId}' }),
    /\{shipId\}, which its input does not/,
  ],
  [
    'a parameter that may be left out',
    made({ name: 'getShip', path: '/v1/ships/{id}', input: z.strictObject({ id: z.string().optional() }) }),
    /\{id\}, which its input leaves open/,
  ],
  ['a parameter twice', made({ name: 'getShip', path: '/v1/ships/{id}/of/{id}' }), /a name twice/],
  [
    'a button on a record that it takes no id of',
    made({
      name: 'sinkBoat',
      method: 'POST',
      path: '/v1/ships',
      on: { kind: 'risk' },
      input: z.strictObject({}),
    }),
    /on a risk, and its input has no id/,
  ],
  [
    'a button that reads',
    made({ name: 'getShip', path: '/v1/ships/{id}', on: { kind: 'risk' } }),
    /make it no reading/,
  ],
  [
    'a redirect that a session is enough for',
    forBrowsers({ by: 'session', method: 'GET', path: '/sign-in/board', answers: 'redirect' }),
    /which other sites can lead to/,
  ],
  [
    'a redirect for callers',
    made({ name: 'goShip', path: '/v1/ships/{id}', answers: 'redirect' }),
    /which other sites can lead to/,
  ],
  ['a browser’s call that is no POST', forBrowsers({ method: 'GET' }), /make it a POST, and not a GET/],
  ['a browser’s call below /v1', forBrowsers({ path: '/v1/board' }), /\/v1 is reserved/],
  ['a browser’s call below the documents', forBrowsers({ path: '/docs/board' }), /\/docs is reserved/],
  ['a browser’s call under another name', forBrowsers({ path: '/web/board' }), /is not \/web\/boardBoat/],
  ['a browser’s call below no page', forBrowsers({ path: '/boats/board' }), /below no page/],
  [
    'a tool for all kinds that is called like an operation',
    made({ name: 'getShip', path: '/v1/ships/{id}', sharedTool: { name: 'getBoat', kind: kinds.risk } }),
    /its tool getBoat is an operation/,
  ],
  ['a page of the app', forBrowsers({ method: 'GET', path: '/sign-in' }), /\/sign-in is a page of the app/],
]

test.each(REFUSED)('%s is refused', (_, one, told) => {
  expect(() => assertServable([made({}), one])).toThrow(told)
})

test('a tool that would read for one kind and write for another is refused, and two of one kind', () => {
  const behind = (name: string, changes: object, kind: unknown = kinds.control) =>
    made({ name, path: `/v1/${name}/{id}`, sharedTool: { name: 'moor', title: 'Moor', kind }, ...changes })
  const reading = behind('seeShip', {}, kinds.risk)
  expect(() => assertServable([reading, behind('seeBarge', {})])).not.toThrow()
  for (const other of [
    behind('moorBarge', { method: 'POST' }),
    behind('seeBarges', { path: '/v1/barges', input: z.strictObject({}) }),
    behind('seeBarge', {}, kinds.risk),
  ])
    expect(() => assertServable([reading, other])).toThrow(/has its tool moor: give it one of its own/)
})
