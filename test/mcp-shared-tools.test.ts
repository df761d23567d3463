import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { newId } from '../server/database/ids.ts'
import { settleDenied } from '../server/journal/denied.ts'
import type { Door } from './support/door.ts'
import { makeUnder } from './support/makers.ts'
import { callTool, rpc, toolNames } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * One tool stands for what is done alike with the records of every kind. Which operation is meant follows from the id
 * or from the type; rights, refusals and the audit log are that operation's, and nothing else can be learned by it.
 */

let one: TestService
let door: Door
let acme: TestOrganization
/** With every scope. */
let key: string
/** With the risks alone. */
let ofRisks: string
let risk: string
let control: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
  ofRisks = (await acme.key(['read:risks', 'write:risks'])).secret
  risk = await makeUnder(one, acme.admin, '/v1/risks')
  control = await makeUnder(one, acme.admin, '/v1/controls')
})
afterAll(() => one.close())

const said = ({ text, problem }: { text: string; problem: { requestId: string } }) =>
  text.replaceAll(problem.requestId, '')

describe('who may not read a kind', () => {
  test.each(['getRecord', 'getRecordHistory', 'listRecordSignals', 'listRecordLinks'])(
    '%s refuses it as REST does, whether there is such a record or not',
    async (name) => {
      const path = { getRecordHistory: '/history', listRecordSignals: '/signals', listRecordLinks: '/links' }
      const byRest = await door.send(
        ofRisks,
        'GET',
        `/v1/controls/${control}${path[name as keyof typeof path] ?? ''}`,
      )
      const [there, none, named] = [
        await callTool(door, ofRisks, name, { id: control }),
        await callTool(door, ofRisks, name, { id: newId('ctl') }),
        await callTool(door, ofRisks, name, { id: 'CTL-1' }),
      ]
      expect([there.status, there.problem.code, there.problem.required]).toEqual([
        403,
        byRest.body.code,
        byRest.body.required,
      ])
      expect(there.headers['www-authenticate']).toContain('scope="read:controls"')
      expect([said(none), said(named)]).toEqual([said(there), said(there)])
    },
  )

  test('by type, too', async () => {
    const refused = await callTool(door, ofRisks, 'summarizeRecords', { type: 'control' })
    expect([refused.status, refused.problem.required]).toEqual([403, ['read:controls']])
    const batch = await callTool(door, ofRisks, 'createRecordBatch', { type: 'personnel', records: [{}] })
    expect([batch.status, batch.problem.required]).toEqual([403, ['write:personnel']])
  })

  test('is told of no such kind, and finds no tool for it', async () => {
    const { result } = await rpc(door, ofRisks, 'tools/list', {}, { query: '?toolsets=all' })
    const tools = new Map<
      string,
      { description: string; inputSchema: { properties: Record<string, object> } }
    >(result.tools.map((tool: { name: string }) => [tool.name, tool]))
    expect(tools.get('getRecord')!.description).toBe(
      'Read one record. Of risks, risk treatments, risk acceptances, security findings: the id says which.',
    )
    expect(tools.get('createRecordBatch')!.inputSchema.properties.type).toMatchObject({
      enum: ['risk', 'risk_treatment', 'risk_acceptance', 'security_finding'],
    })
    expect(tools.get('deleteRecord')).toBeUndefined()
    const { structuredContent } = (await callTool(door, ofRisks, 'findTools')).result
    expect(structuredContent.records.types).toEqual([
      'risk',
      'risk_treatment',
      'risk_acceptance',
      'security_finding',
    ])
    expect(JSON.stringify(structuredContent)).not.toMatch(/ersonnel|ontrol/)
    const found = (await callTool(door, ofRisks, 'findTools', { words: 'list controls' })).result
    expect(JSON.stringify(found.structuredContent)).not.toContain('listControls')
  })

  test('and the audit log has the refusal of that operation, with the tool', async () => {
    const { secret, id } = await acme.key(['read:risks'])
    await callTool(door, secret, 'linkRecords', { id: risk, targetKind: 'control', targetId: control })
    await settleDenied()
    const { body } = await one.call(acme.admin, 'listAuditLog', { outcome: ['denied'], limit: 200 })
    const mine = (body as { data: { actor: { id: string } }[] }).data.filter(({ actor }) => actor.id === id)
    expect(mine).toMatchObject([
      { action: 'linkRisk', tool: 'linkRecords', outcome: 'denied', subject: { id: risk } },
    ])
  })
})

describe('which one is meant', () => {
  test('follows from the id, and a type beside it may only say the same', async () => {
    for (const [id, type] of [
      [risk, 'risk'],
      [control, 'control'],
    ])
      for (const beside of [{}, { type }, { type: null }])
        expect((await callTool(door, key, 'getRecord', { id, ...beside })).result.structuredContent.id).toBe(
          id,
        )
    const refused = await callTool(door, key, 'getRecord', { id: risk, type: 'control' })
    expect(refused.problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'type' }] })
    expect(refused.text).toContain('control contradicts the id, which is one of a risk')
    const links = await callTool(door, key, 'listRecordLinks', { id: risk, type: ['control'] })
    expect(links.result.structuredContent.counts).toBeDefined()
  })

  test('cannot be told from an id that no record has', async () => {
    for (const id of [
      'xyz_01k9f8qxk2e9mbz6w0h5t4v3ra',
      'nonsense',
      '__proto__',
      'RISK_1',
      'whe_1',
      'a'.repeat(300),
    ]) {
      const refused = await callTool(door, key, 'getRecord', { id })
      expect([id, refused.problem.code]).toEqual([id, 'not_found'])
      expect(refused.result.content[0].text).toContain('they begin with risk_')
    }
    for (const id of [undefined, null, 7, '', ['x'], { a: 1 }]) {
      const refused = await callTool(door, key, 'getRecord', { id })
      expect([id, refused.problem.errors?.[0].path]).toEqual([id, 'id'])
    }
  })

  test('is none where its kind has nothing of the sort', async () => {
    const refused = await callTool(door, key, 'linkRecords', {
      id: control,
      targetKind: 'risk',
      targetId: risk,
    })
    expect(refused.problem.errors).toEqual([
      {
        path: 'id',
        message: expect.stringMatching(
          /^is one of a control, and this takes those of risks.*: give the other one as id, with targetKind control and/,
        ),
      },
    ])
    const person = await makeUnder(one, acme.admin, '/v1/personnel')
    expect((await callTool(door, key, 'listRecordSignals', { id: person })).problem.errors[0].path).toBe('id')
  })

  test('follows from the type where there is no id', async () => {
    for (const [input, message] of [
      [
        {},
        /^required: give one of risk, risk_treatment, risk_acceptance, security_finding, framework, requirement, /,
      ],
      [{ type: 'risks' }, /did you mean risk\?/],
      [{ type: 'constructor' }, /no such type/],
      [{ type: 7 }, /give one of risk/],
    ] as const) {
      const { problem } = await callTool(door, key, 'summarizeRecords', input)
      expect([problem.errors[0].path, problem.errors[0].message]).toEqual([
        'type',
        expect.stringMatching(message),
      ])
    }
  })

  test('a filter may be called like an input of the tool', async () => {
    const count = async (filters: object) =>
      (await callTool(door, key, 'summarizeRecords', { type: 'control', filters })).result.structuredContent
        .total
    expect(await count({ type: ['detective'], q: 'no such' })).toBe(0)
    expect(await count({})).toBe((await door.send(key, 'GET', '/v1/controls/summary')).body.total)
    const both = await callTool(door, key, 'summarizeRecords', {
      type: 'risk',
      q: 'zzz',
      filters: { q: 'Risk' },
    })
    expect(both.problem.errors).toEqual([
      { path: 'filters.q', message: expect.stringContaining('give it once') },
    ])
    for (const filters of [[], 'x', 7])
      expect(
        (await callTool(door, key, 'summarizeRecords', { type: 'risk', filters })).problem.errors[0].path,
      ).toBe('filters')
    const unknown = JSON.parse('{"type":"risk","filters":{"__proto__":{"polluted":true}}}')
    expect((await callTool(door, key, 'summarizeRecords', unknown)).problem.code).toBe('validation_failed')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('another organization learns nothing, by id or in a link', async () => {
    const other = await one.organization()
    const { secret } = await other.key(Object.keys(SCOPES) as Scope[])
    const own = await makeUnder(one, other.admin, '/v1/risks')
    for (const name of ['getRecord', 'getRecordHistory', 'listRecordSignals', 'listRecordLinks'])
      expect(said(await callTool(door, secret, name, { id: risk }))).toBe(
        said(await callTool(door, secret, name, { id: newId('risk') })),
      )
    for (const name of ['linkRecords', 'unlinkRecords']) {
      const link = (id: string, targetId: string) =>
        callTool(door, secret, name, { id, targetKind: 'control', targetId })
      expect(said(await link(own, control))).toBe(said(await link(own, newId('ctl'))))
      expect(said(await link(risk, control))).toBe(said(await link(newId('risk'), newId('ctl'))))
    }
  })

  test('what only a person may do is refused as that, and what would write is on a connection that reads', async () => {
    const person = await callTool(door, key, 'deleteRecord', { id: risk })
    expect([person.status, person.problem.code]).toEqual([200, 'session_required'])
    const id = await makeUnder(one, acme.admin, '/v1/personnel')
    for (const [name, input] of [
      ['deleteRecord', { id }],
      ['linkRecords', { id: risk, targetKind: 'control', targetId: control }],
      ['createRecordBatch', { type: 'risk', records: [] }],
    ] as const)
      expect((await callTool(door, key, name, input, { query: '?readonly=1' })).problem.code).toBe(
        'read_only',
      )
    const reading = await callTool(door, key, 'findTools', {}, { query: '?readonly=1' })
    expect(JSON.stringify(reading.result.structuredContent)).not.toMatch(/create|update|delete|link[RC]/)
  })
})

describe('findTools', () => {
  const found = async (secret: string, words?: string) =>
    (await callTool(door, secret, 'findTools', words === undefined ? {} : { words })).result.structuredContent

  test('finds what is to be done, with what the best take', async () => {
    for (const [words, name] of [
      ['add a risk', 'createRisk'],
      ['history of a control', 'getRecordHistory'],
      ['unlink', 'unlinkRecords'],
      ['rotate the secret of an endpoint', 'rotateWebhookEndpointSecret'],
      ['who can own a risk', 'listOwnershipPrincipals'],
      ['delete a person', 'deleteRecord'],
      ['responsibilitys', 'getPersonnelResponsibilities'],
    ] as const) {
      const { tools } = await found(key, words)
      expect([words, tools.slice(0, 3).map((tool: { name: string }) => tool.name)]).toEqual([
        words,
        expect.arrayContaining([name]),
      ])
      expect(tools[0].inputSchema.type).toBe('object')
      expect(tools.length).toBeLessThanOrEqual(10)
    }
    const [best] = (await found(key, 'change a risk')).tools
    expect(best).toMatchObject({ name: 'updateRisk', toolset: 'risks', needs: ['write:risks'] })
  })

  test('without words, or with none that anything is told by, has all there is', async () => {
    const { records, toolsets } = await found(key)
    expect(records.types).toEqual(everyKind.map(({ name }) => name))
    const names = [
      ...records.tools,
      ...toolsets.flatMap(({ tools }: { tools: string[] }) => tools),
      'findTools',
    ]
    expect(names.toSorted()).toEqual((await toolNames(door, key, { query: '?toolsets=all' })).toSorted())
    expect((await found(key, 'qqqqqqqqqq')).toolsets).toEqual(toolsets)
    expect((await found(key, '  … ')).toolsets).toEqual(toolsets)
    // Whoever has no scope has started no job, and may ask for those that they started.
    expect((await found((await acme.key([])).secret)).toolsets).toEqual([
      { toolset: 'me', tools: ['getMe'] },
      { toolset: 'jobs', tools: ['listJobs', 'getJob', 'getJobResult', 'cancelJob', 'resumeJob'] },
    ])
  })

  test('takes words, and no more than a few', async () => {
    for (const input of [{ words: 7 }, { words: 'x'.repeat(201) }, { word: 'x' }, { words: 'a\0' }])
      expect((await callTool(door, key, 'findTools', input)).problem.code).toBe('validation_failed')
  })
})

test('who knows an operation by its name at other doors is told the tool, and what it takes', async () => {
  const message = async (name: string) => (await callTool(door, key, name)).body.error.message as string
  for (const [name, told] of [
    ['getRisk', 'getRecord with id risk_… does that.'],
    ['getControlHistory', 'getRecordHistory with id ctl_… does that.'],
    ['deletePersonnel', 'deleteRecord with id per_… does that.'],
    ['summarizeControls', 'summarizeRecords with type control, and its filters in filters, does that.'],
    ['createRiskBatch', 'createRecordBatch with type risk does that.'],
    ['linkRiks', 'did you mean linkRecords with id risk_…?'],
  ] as const)
    expect([name, await message(name)]).toEqual([name, expect.stringContaining(told)])
  expect(await message('qqqq')).toBe('There is no tool "qqqq". findTools with words finds what there is.')
})
