import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLE_SCOPES, type Role, SCOPES, type Scope } from '../model/scopes.ts'
import { call } from '../server/call.ts'
import type { Caller } from '../server/caller/caller.ts'
import { rightsRefusal } from '../server/caller/rights.ts'
import { newId } from '../server/database/ids.ts'
import type { AnyOperation, Browser } from '../server/operation.ts'
import { operations, operationsBy, operationsByHand } from '../server/operations.ts'
import { Refusal } from '../server/refusal.ts'
import { programOf } from './support/callers.ts'
import { coveredOperations } from './support/coverage.ts'
import type { Door } from './support/door.ts'
import { requestFor, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Who may do what, for every operation of the list: each scope alone, all scopes but those that would do, each role of
 * the person a key acts as, and each role in a session, asked of the one function that judges. That the doors ask it is
 * seen by one who is refused and one who is let in. Inputs point at records that never were, so an admitted call writes
 * next to nothing; here it only matters that it was admitted. What is for a session of the web app takes nothing else.
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
  for (const role of ROLES) keys.set(role, (await acme.key(ALL, await acme.person(role))).secret)
})
afterAll(() => one.close())

/** The secret of a key of the admin's with these scopes, the same for all who ask for it. */
async function keyWith(scopes: readonly Scope[]): Promise<string> {
  const name = scopes.join()
  if (!keys.has(name)) keys.set(name, (await acme.key(scopes)).secret)
  return keys.get(name)!
}

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

const somebody = (role: Role): Caller => ({ ...acme.admin, role, granted: ROLE_SCOPES[role] })
const judged = ({ needs }: AnyOperation, caller: Caller) => rightsRefusal(needs, caller)?.code ?? null

const atTheDoor = new Set(coveredOperations(operationsBy('credential')))

describe.each(operationsBy('credential').map((operation) => [title(operation), operation] as const))(
  '%s',
  (_, operation) => {
    const { anyOf, person, capability, role: least, sendsFile } = operation.needs
    const [status, code] = sendsFile ? [415, 'file_upload_not_allowed'] : [403, 'session_required']
    const others = ALL.filter((scope) => !anyOf.includes(scope))
    const roleMay = (role: Role) => anyOf.length === 0 || anyOf.some((scope) => ROLE_SCOPES[role].has(scope))
    const personMay = (role: Role) =>
      capability ? role === 'admin' : least ? ROLES.indexOf(role) >= ROLES.indexOf(least) : roleMay(role)
    const lacking = anyOf.length > 0 ? 'insufficient_scope' : null

    test('refuses every scope but those it needs', () => {
      for (const scope of ALL) {
        const expected = person ? code : anyOf.includes(scope) ? null : lacking
        expect([scope, judged(operation, programOf(acme.admin, [scope]))]).toEqual([scope, expected])
      }
      for (const scopes of [[], others])
        expect(judged(operation, programOf(acme.admin, scopes))).toBe(person ? code : lacking)
    })

    test('caps a key by the role of the person it acts as', () => {
      for (const role of ROLES) {
        const expected = person ? code : roleMay(role) ? null : 'capability_required'
        expect([role, judged(operation, programOf(acme.admin, ALL, role))]).toEqual([role, expected])
      }
    })

    test('lets a person do what their role allows', () => {
      for (const role of ROLES) {
        const expected = personMay(role) ? null : 'capability_required'
        expect([role, judged(operation, somebody(role))]).toEqual([role, expected])
      }
    })

    if (!atTheDoor.has(operation)) return

    test('is so judged at the door', async () => {
      const missing = await ask(null, operation)
      expect([missing.status, missing.body.code]).toEqual([401, 'credential_missing'])
      expect(missing.headers['www-authenticate']).toMatch(
        /^Bearer resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource\/v1", scope="read:[^"]+"$/,
      )
      const { body, headers, ...answer } = await ask(await keyWith(others), operation)
      if (person) expect([answer.status, body.code]).toEqual([status, code])
      else if (anyOf.length > 0) {
        expect([answer.status, body.code, body.required]).toEqual([403, 'insufficient_scope', anyOf])
        expect(headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${anyOf[0]}"`)
      } else expect([401, 403], body?.code).not.toContain(answer.status)
      if (person) return
      const admitted = await ask(await keyWith(anyOf.slice(0, 1)), operation)
      expect([401, 403], admitted.body?.code).not.toContain(admitted.status)
      const capped = ROLES.find((role) => !roleMay(role))
      if (!capped) return
      const refused = await ask(keys.get(capped)!, operation)
      expect([refused.status, refused.body.code]).toEqual([403, 'capability_required'])
    })

    test('is so judged of a person', async () => {
      for (const role of [ROLES.find((each) => !personMay(each)), ROLES.find(personMay)])
        if (role) {
          const refusal = await call(
            one.service,
            await acme.person(role),
            operation,
            inputFor(operation),
          ).then(
            () => null,
            (error) => error,
          )
          if (refusal !== null) expect(refusal).toBeInstanceOf(Refusal)
          expect([role, refusal?.status === 403]).toEqual([role, !personMay(role)])
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
