import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLE_SCOPES, type Role, SCOPES, type Scope } from '../model/scopes.ts'
import { call } from '../server/call.ts'
import { newId } from '../server/database/ids.ts'
import type { AnyOperation, Browser } from '../server/operation.ts'
import { operations, operationsBy, operationsByHand } from '../server/operations.ts'
import { Refusal } from '../server/refusal.ts'
import type { Door } from './support/door.ts'
import { requestFor, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Who may do what, for every operation of the list: each scope alone, all scopes but those that would do, each
 * role of the person a key acts as, and each role in a session. Inputs point at records that never were, so an
 * admitted call writes next to nothing; here it only matters that it was admitted. What is for a session of the web
 * app takes nothing else.
 */

const ALL = Object.keys(SCOPES) as Scope[]
const ROLES: Role[] = ['viewer', 'editor', 'admin']

/** In the words of the contract: what the code says must say this too. */
const CONTRACT: [string, string, Scope | null][] = [
  ['GET', '/v1/controls', 'read:controls'],
  ['POST', '/v1/risks', 'write:risks'],
  ['GET', '/v1/ownership-principals', null],
  ['GET', '/v1/webhook-endpoints', 'read:webhooks'],
  ['POST', '/v1/webhook-endpoints', 'write:webhooks'],
  ['PATCH', '/v1/webhook-endpoints/{id}', 'write:webhooks'],
  ['POST', '/v1/webhook-endpoints/{id}/rotate-secret', 'write:webhooks'],
  ['POST', '/v1/webhook-endpoints/{id}/test', 'write:webhooks'],
  ['DELETE', '/v1/webhook-endpoints/{id}', 'write:webhooks'],
  ['GET', '/v1/webhook-deliveries', 'read:webhooks'],
  ['GET', '/v1/webhook-deliveries/{id}', 'read:webhooks'],
  ['POST', '/v1/webhook-deliveries/{id}/redeliver', 'write:webhooks'],
]

let one: TestService
let door: Door
let acme: TestOrganization
const keys = new Map<string, string>()

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  for (const scope of ALL) keys.set(scope, (await acme.key([scope])).secret)
  for (const role of ROLES) keys.set(role, (await acme.key(ALL, await acme.person(role))).secret)
  keys.set('none', (await acme.key([])).secret)
})
afterAll(() => one.close())

const title = (operation: AnyOperation) => `${operation.method} ${operation.path}`

/** An input for a record that never was. */
function inputFor(operation: AnyOperation) {
  const ids = [...operation.path.matchAll(/\{(id|\w+Id)\}/g)].map(([, name]) => [name!, newId('none')])
  return sampleOf(operation, Object.fromEntries(ids))
}

async function ask(secret: string | null, operation: AnyOperation) {
  const { path, body } = requestFor(operation, inputFor(operation))
  return door.send(secret, operation.method, path, body === undefined ? {} : { body })
}

test('whoever asks for an operation by its name gets that one', () => {
  for (const [name, one] of Object.entries(operationsByHand)) expect(one.name).toBe(name)
})

test('paths and names are each of one operation', () => {
  expect(new Set(operations.map(title)).size).toBe(operations.length)
  expect(new Set(operations.map((operation) => operation.name)).size).toBe(operations.length)
})

test.each(CONTRACT)('the contract has %s %s for %s', (method, path, scope) => {
  const operation = operations.find((each) => each.method === method && each.path === path)
  expect(operation).toBeDefined()
  const { confirmed: _, ...needs } = operation!.needs
  if (scope) expect(needs).toEqual({ anyOf: [scope] })
})

describe.each(operationsBy('credential').map((operation) => [title(operation), operation] as const))(
  '%s',
  (_, operation) => {
    const { anyOf, person, capability } = operation.needs

    test('refuses who sends no credential, or an unknown one', async () => {
      const missing = await ask(null, operation)
      expect([missing.status, missing.body.code]).toEqual([401, 'credential_missing'])
      expect(missing.headers['www-authenticate']).toMatch(
        /^Bearer resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource\/v1", scope="read:[^"]+"$/,
      )
    })

    test('refuses every scope but those it needs', async () => {
      for (const scope of ['none', ...ALL]) {
        const { status, body, headers } = await ask(keys.get(scope)!, operation)
        if (person) expect([scope, status, body.code]).toEqual([scope, 403, 'session_required'])
        else if (anyOf.length > 0 && !anyOf.includes(scope as Scope)) {
          expect([scope, status, body.code]).toEqual([scope, 403, 'insufficient_scope'])
          expect(body.required).toEqual(anyOf)
          expect(headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${anyOf[0]}"`)
        } else expect([401, 403], `${scope}: ${body?.code}`).not.toContain(status)
      }
    })

    test('refuses all scopes but those it needs', async () => {
      if (person || anyOf.length === 0) return
      const { secret } = await acme.key(ALL.filter((scope) => !anyOf.includes(scope)))
      const { status, body } = await ask(secret, operation)
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    })

    test('caps a key by the role of the person it acts as', async () => {
      for (const role of ROLES) {
        const { status, body } = await ask(keys.get(role)!, operation)
        const may = anyOf.length === 0 || anyOf.some((scope) => ROLE_SCOPES[role].has(scope))
        if (person) expect([role, status, body.code]).toEqual([role, 403, 'session_required'])
        else if (may) expect([401, 403], `${role}: ${body?.code}`).not.toContain(status)
        else expect([role, status, body.code]).toEqual([role, 403, 'capability_required'])
      }
    })

    test('lets a person do what their role allows', async () => {
      for (const role of ROLES) {
        const caller = await acme.person(role)
        const may = capability
          ? role === 'admin'
          : anyOf.length === 0 || anyOf.some((scope) => ROLE_SCOPES[role].has(scope))
        const refusal = await call(one.service, caller, operation, inputFor(operation)).then(
          () => null,
          (error) => error,
        )
        if (refusal !== null) expect(refusal).toBeInstanceOf(Refusal)
        expect([role, refusal?.status === 403]).toEqual([role, !may])
      }
    })
  },
)

describe.each(operationsBy('session').map((operation) => [operation.name, operation] as const))(
  '%s',
  (_, operation) => {
    test('refuses a browser without a session, and every key', async () => {
      const input = sampleOf(operation)
      const headers = { origin: one.service.config.publicUrl }
      for (const secret of [null, keys.get('admin')!]) {
        const { status, body } = await door.send(secret, 'POST', operation.path.replace('{uid}', 'x'), {
          body: input,
          headers,
        })
        expect([status, body.code]).toEqual([401, 'credential_missing'])
      }
      const nobody: Browser = {
        session: null,
        requestContext: { channel: 'ui', requestId: 'r' },
        pendingConsent: () => Promise.reject(new Error('none')),
      }
      await expect(call(one.service, nobody, operation, input)).rejects.toMatchObject({
        code: 'credential_missing',
      })
    })
  },
)
