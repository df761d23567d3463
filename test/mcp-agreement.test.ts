import { fromJsonSchema } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kindAtPath } from '../model/family.ts'
import { everyKind } from '../model/kinds/index.ts'
import { ROLE_SCOPES, type Role, SCOPES, type Scope } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { rightsRefusal } from '../server/caller/rights.ts'
import { newId } from '../server/database/ids.ts'
import { definitionOf } from '../server/doors/mcp/definition.ts'
import { type Definition, toolNameOf, toolsOf } from '../server/doors/mcp/tools.ts'
import { type AnyOperation, answersBytes } from '../server/operation.ts'
import { openToPrograms, operationsBy } from '../server/operations.ts'
import { programOf } from './support/callers.ts'
import { coveredOperations, oneOfEach, sample } from './support/coverage.ts'
import type { Door } from './support/door.ts'
import { faultsOf } from './support/faults.ts'
import { makePointedAt, makeUnder } from './support/makers.ts'
import { callOperation, rpc, withoutEmpty } from './support/mcp.ts'
import { formOf, idsInPath, requestFor, sampleOf } from './support/samples.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

const every = operationsBy('credential')
const operations = coveredOperations(every)

/*
 * REST and MCP agree on every operation of the list: who may call it, what is refused and how, what is answered.
 * Where one refuses, so does the other, with the same code; and what one answers, so does the other. Who may is judged
 * in one place, for both (every-operation.test.ts); here some are refused, and some let in, by each of them.
 */

const ALL = Object.keys(SCOPES) as Scope[]
const ROLES: Role[] = ['viewer', 'editor', 'admin']
const callable = openToPrograms(operations)

let one: TestService
let door: Door
let acme: TestOrganization
/** A key with every scope, in another organization. */
let stranger: string
const keys = new Map<string, string>()
const keyIds = new Map<string, string>()
/** The same as the service knows them. */
const callers = new Map<string, Caller>()
const schemas = new Map(toolsOf(every).map(({ name, members }) => [name, definitionOf(members).outputSchema]))
const ids = new Map<string, string>()
/** What the input of each has to point at. */
const pointedAt = new Map<AnyOperation, Record<string, unknown>>()
/** What each of them is shown of the tools; no answer below changes anything about that. */
const shown = new Map<string, Definition[]>()

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization({ supplierRiskManagement: true })
  stranger = (await (await one.organization({ supplierRiskManagement: true })).key(ALL)).secret
  for (const scope of ALL) await addKey(scope, [scope])
  for (const role of ROLES) await addKey(role, ALL, await acme.person(role))
  await addKey('none', [])
  for (const [who, secret] of keys) {
    const { result } = await rpc(door, secret, 'tools/list', {}, { query: '?toolsets=all' })
    shown.set(who, result.tools)
  }
  // Links lead to records of other kinds, too.
  for (const operation of openToPrograms(every))
    if (idsInPath(operation).length > 0) {
      const collection = operation.path.split('/{', 1)[0]!
      if (!ids.has(collection)) ids.set(collection, await makeUnder(one, acme.admin, collection))
    }
  // A program sees the jobs that it started itself; this one is over but for its cancel, and has a file.
  await one.administrator.query(
    `update jobs set kind = 'sendMail', cancel_asked_at = clock_now(), due_at = null, result_bytes = 1,
       result_name = 'x.csv', result_type = 'text/csv', started_by = jsonb_set(started_by, '{credential,id}', to_jsonb($1::text))`,
    [keyIds.get('admin')],
  )
  await one.administrator.query(
    `insert into job_result_parts (organization_id, job_id, section, number, bytes)
     select organization_id, id, 0, 0, 'x' from jobs where organization_id is not null`,
  )
  for (const operation of callable) pointedAt.set(operation, await makePointedAt(one, acme.admin, operation))
})
afterAll(() => one.close())

async function addKey(who: string, scopes: readonly Scope[], person = acme.admin): Promise<void> {
  const { id, secret } = await acme.key(scopes, person)
  keys.set(who, secret)
  keyIds.set(who, id)
  callers.set(who, programOf(person, scopes))
}

function inputFor(operation: AnyOperation, id: (collection: string) => string) {
  const [name] = idsInPath(operation)
  const ofPath = name ? { [name]: id(operation.path.split('/{', 1)[0]!) } : {}
  const input = sampleOf(operation, { ...pointedAt.get(operation), ...ofPath })
  const target = everyKind.find((kind) => kind.name === input.targetKind)
  return target ? { ...input, targetId: id(`/v1/${target.path}`) } : input
}

/** An id that no record has; of the right kind, so that a tool for all kinds can tell which is meant. */
const ofNone = (operation: AnyOperation) =>
  inputFor(operation, (collection) =>
    newId(kindAtPath(collection)?.idPrefix ?? operation.sharedTool?.kind.idPrefix ?? 'none'),
  )

/** Whether a list of tools has the one that stands for an operation, and that says so. */
function tells(list: readonly Definition[], operation: AnyOperation): boolean {
  const tool = list.find(({ name }) => name === toolNameOf(operation))
  const kind = operation.sharedTool?.kind
  if (!tool || !kind) return tool !== undefined
  const words = tool.inputSchema.properties?.type?.enum
  const nouns = /Of ([^:]+): the id says which/.exec(tool.description)?.[1]?.split(', ')
  return 'id' in operation.input.shape ? nouns!.includes(kind.noun.many) : words!.includes(kind.name)
}

function rest(secret: string, operation: AnyOperation, input: Record<string, unknown>) {
  const { path, body } = requestFor(operation, input)
  return door.send(secret, operation.method, path, body === undefined ? {} : { body })
}

test.each(every.map((operation) => [operation.name, operation] as const))(
  '%s is shown to whom it is open',
  (_, operation) => {
    for (const [who, caller] of callers) {
      const open = rightsRefusal(operation.needs, caller) === null
      expect([who, tells(shown.get(who)!, operation)]).toEqual([who, open && !operation.needs.person])
    }
  },
)

/** Of one operation in a run. */
const FAULTS = 2

/** One who has no scope, one who has the one that it takes, one of whom the role does not allow it, and the admin. */
function someOf({ needs: { anyOf } }: AnyOperation): string[] {
  const allowed = (role: Role) => anyOf.length === 0 || anyOf.some((scope) => ROLE_SCOPES[role].has(scope))
  const capped = ROLES.find((role) => !allowed(role))
  return ['none', ...anyOf.slice(0, 1), ...(capped ? [capped] : []), 'admin']
}

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    const { anyOf, person } = operation.needs

    test('is open to the same scopes and roles, and refused alike', async () => {
      for (const who of someOf(operation)) {
        const secret = keys.get(who)!
        const byRest = await rest(secret, operation, ofNone(operation))
        const byTool = await callOperation(door, secret, operation, ofNone(operation))
        expect([who, byTool.problem?.code], JSON.stringify(byTool.body)).toEqual([who, byRest.body?.code])
        if (byRest.status < 300)
          expect([who, byTool.status, byTool.result.isError ?? false]).toEqual([who, 200, false])
        else if (byRest.body.code === 'insufficient_scope') {
          expect([who, byTool.status]).toEqual([who, 403])
          expect(byTool.problem.required).toEqual(byRest.body.required)
          const [asked] = /scope="[^"]*"/.exec(byTool.headers['www-authenticate'] ?? '') ?? []
          expect(asked).toBe(`scope="${anyOf.find((scope) => ROLE_SCOPES.admin.has(scope))}"`)
        } else {
          expect([who, byTool.status, byTool.result.isError]).toEqual([who, 200, true])
          expect(byTool.headers['www-authenticate']).toBeUndefined()
        }
      }
    })

    test('refuses the same inputs with the same code and the same fields', async () => {
      // Where the whole body is one of its inputs, REST has no other place for what is wrong beside it.
      if (person || operation.bodyIs) return
      const secret = keys.get('admin')!
      const good = inputFor(operation, (collection) => ids.get(collection)!)
      const inPath = new Set([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each!))
      // Each field is held by REST alone (bad-input.test.ts): here one of each form that fields have.
      const faults = oneOfEach(faultsOf(formOf(operation), good, false, inPath), ({ shape }) => shape)
      for (const { what, input } of sample(faults, FAULTS, name)) {
        const byTool = await callOperation(door, secret, operation, input)
        expect(byTool.problem, `${what}: ${byTool.text.slice(0, 300)}`).toBeDefined()
        if (operation.method === 'GET' || operation.method === 'DELETE') {
          expect([400, 404, 422], what).toContain(byTool.problem.status)
          continue
        }
        const byRest = await rest(secret, operation, input)
        expect([what, byTool.problem.code, byTool.problem.errors]).toEqual([
          what,
          byRest.body.code,
          byRest.body.errors,
        ])
      }
    })

    test('does not tell a record of another organization from none', async () => {
      // An id of the caller's own is in each organization what it has by it.
      if (person || operation.bodyIs || idsInPath(operation).length === 0) return
      const theirs = inputFor(operation, (collection) => ids.get(collection)!)
      const [foreign, none] = [
        await callOperation(door, stranger, operation, theirs),
        await callOperation(door, stranger, operation, ofNone(operation)),
      ]
      const said = ({ text, problem }: typeof foreign) => text.replaceAll(problem.requestId, '')
      expect([foreign.status, foreign.problem.code]).toEqual([200, 'not_found'])
      expect(said(foreign)).toBe(said(none))
    })

    test('answers the same', async () => {
      if (person || operation.method === 'DELETE') return
      const secret = keys.get('admin')!
      // Of what can be made once each is made under another one.
      const input = async () => ({
        ...inputFor(operation, (collection) => ids.get(collection)!),
        ...(operation.method === 'POST' ? await makePointedAt(one, acme.admin, operation) : {}),
      })
      const asked = await input()
      const [byRest, byTool] = [
        await rest(secret, operation, asked),
        await callOperation(door, secret, operation, {
          // What is read is the same; what is made has a name of its own.
          ...(operation.method === 'GET' ? asked : await input()),
          ...(operation.rowFields ? { fields: ['all'] } : {}),
          ...(operation.method === 'GET' && 'limit' in operation.input.shape ? { limit: 50 } : {}),
        }),
      ]
      if (name in REFUSED || (operation.on && byRest.status === 409)) {
        expect([byRest.status, byTool.problem?.code]).toEqual([REFUSED[name] ?? 409, byRest.body.code])
        return
      }
      // A record that is new may be in none of the states in which it can be done.
      if (operation.on?.when && byRest.body?.code === 'conflict') {
        expect(byTool.problem).toMatchObject({ code: 'conflict', from: byRest.body.from })
        return
      }
      expect(byRest.status, byRest.text).toBeLessThan(300)
      const { tools, ...answered } = byTool.result.structuredContent
      expect(tools === undefined).toBe(name !== 'getMe')
      expect(JSON.parse(byTool.result.content[0].text)).toEqual(byTool.result.structuredContent)
      const promised = fromJsonSchema(schemas.get(toolNameOf(operation)) as never)['~standard'].validate(
        byTool.result.structuredContent,
      )
      expect(await promised).not.toHaveProperty('issues')
      const whole = name.endsWith('Batch') ? briefly(byRest.body) : byRest.body
      const [byTheTool, byTheRest] = [withoutEmpty(answered), withoutEmpty(whole)]
      // Each link is another one.
      if (operation.method === 'GET' && !answersBytes(operation)) expect(byTheTool).toEqual(byTheRest)
      // Of a stream REST gives the bytes, and a tool a link to them.
      else if (operation.answers === 'stream')
        expect(formOfValue(byTheTool)).toMatchObject({
          url: 'string',
          name: 'string',
          type: 'string',
          expiresAt: 'string',
        })
      else expect(formOfValue(byTheTool)).toEqual(formOfValue(byTheRest))
    })
  },
)

/**
 * Nothing sends here, so no delivery is ever finished, and the job is not over; a version that is new is a draft, and has
 * neither file nor pictures. An act on a record that is new may have to wait for a state, too.
 */
const REFUSED: Readonly<Record<string, number>> = {
  redeliverWebhookDelivery: 409,
  resumeJob: 409,
  exportPolicyVersion: 409,
  downloadPolicyVersionFile: 404,
  downloadPolicyPicture: 404,
}

interface Batch {
  data: { index: number; record?: Record<string, unknown> }[]
}

/** Of a batch, tools tell which records it made. */
const briefly = ({ data }: Batch) => ({
  data: data.map(({ record, ...row }) =>
    record
      ? { ...row, record: { id: record.id, reference: record.reference, version: record.version } }
      : row,
  ),
})

/** Its names and types: two writes never answer the same values. */
function formOfValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOfValue)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, formOfValue(part)]))
}

test('a deletion answers an empty object', async () => {
  const secret = keys.get('admin')!
  const id = await makeUnder(one, acme.admin, '/v1/personnel')
  const deletePersonnel = every.find(({ name }) => name === 'deletePersonnel')!
  const gone = await callOperation(door, secret, deletePersonnel, { id })
  expect([gone.status, gone.result.structuredContent]).toEqual([200, {}])
  const again = await callOperation(door, secret, deletePersonnel, { id })
  expect(again.problem.code).toBe('not_found')
})
