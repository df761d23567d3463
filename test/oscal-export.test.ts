import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleResults } from '../server/frameworks/settle-results.ts'
import { assessmentResults } from '../server/frameworks/writing/assessment-results.ts'
import { componentDefinition } from '../server/frameworks/writing/component-definition.ts'
import { controlIds, uuidOf } from '../server/frameworks/writing/oscal-terms.ts'
import type { Door } from './support/door.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: how a framework is met is told in OSCAL as its own schemas want it, under ids that stay the same. */

let one: TestService
let acme: TestOrganization
let door: Door
let key: string
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  door = await one.listen()
  key = (await acme.key(['read:frameworks', 'read:controls', 'read:evidence'])).secret
})
afterAll(() => one.close())

/** As NIST publishes it (test/published). */
function validator(name: string) {
  const file = join(import.meta.dirname, 'published', `oscal-${name}-schema.json.gz`)
  const ajv = new Ajv({ strict: false, allErrors: true })
  for (const [format, looks] of Object.entries(FORMATS)) ajv.addFormat(format, looks)
  const validate = ajv.compile(JSON.parse(gunzipSync(readFileSync(file)).toString()))
  return (document: unknown) => (validate(document) ? [] : validate.errors!)
}
const FORMATS = {
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  'uri-reference': /^[^\s<>"{}|\\^`]+$/,
  email: /@/,
}
const faultsOf = {
  component: validator('component-definition'),
  results: validator('assessment-results'),
}

const ask = async (name: string, input: object) =>
  (await one.call(acme.admin, name, input)).body as { id: string }
const get = (id: string, name: string, secret: string) =>
  fetch(`${door.base}/v1/frameworks/${id}/oscal/${name}`, { headers: { authorization: `Bearer ${secret}` } })
// biome-ignore lint/suspicious/noExplicitAny: whatever the document is
async function exported(id: string, name: string, secret = key): Promise<any> {
  const response = await get(id, name, secret)
  expect(response.status).toBe(200)
  return response.json()
}
const [COMPONENTS, RESULTS] = ['component-definition', 'assessment-results'] as const

async function house() {
  const { id } = await ask('createFramework', { key: 'House rules', edition: '2', name: 'House\u2028rules' })
  const add = (key: string, more: object = {}) =>
    ask('createRequirement', { frameworkId: id, key, title: `Asks <b>${key}</b>`, ...more })
  await add('A', { assessable: false, kind: 'group' })
  const [doors, windows] = [await add('A 1(2)'), await add('5.1')]
  await add('A_1.2', { applicability: 'not_applicable', justification: 'None' })
  await add('Z.9')
  const control = await ask('createControl', {
    ...{ code: 'C-1', title: 'Locks', implementationStatus: 'implemented' },
    description: 'Locked.\n\nAt night.',
  })
  await ask('linkRequirement', { id: doors.id, targetKind: 'control', targetId: control.id })
  const evidence = await ask('createEvidence', { title: 'A photo', text: 'Seen.', expiryDate: '2090-01-01' })
  await ask('linkEvidence', { id: evidence.id, targetKind: 'control', targetId: control.id })
  await ask('updateRequirement', { id: windows.id, result: 'compliant', resultReason: 'Seen in May.' })
  await ask('activateFramework', { id })
  await settleResults(one.service)
  return { id, doors: doors.id, windows: windows.id, control: control.id, evidence: evidence.id }
}

test('controls are components, and results are findings with their evidence', async () => {
  const { id, doors, windows, control, evidence } = await house()
  const definition = await exported(id, COMPONENTS)
  expect(faultsOf.component(definition)).toEqual([])
  expect(definition['component-definition']).toMatchObject({
    metadata: { title: 'Controls for House rules 2', 'oscal-version': '1.2.1' },
    components: [
      {
        ...{ uuid: uuidOf(control), title: 'C-1 Locks', description: 'Locked.\n\nAt night.' },
        'control-implementations': [
          {
            source: `#${uuidOf(id)}`,
            'implemented-requirements': [
              { 'control-id': 'A_1.2_2', props: [{ value: 'A 1(2)' }, { value: 'implemented' }] },
            ],
          },
        ],
      },
    ],
  })
  const results = await exported(id, RESULTS)
  expect(faultsOf.results(results)).toEqual([])
  const [result] = results['assessment-results'].results
  expect(result['reviewed-controls']['control-selections'][0]).toMatchObject({
    'include-controls': [{ 'control-id': '_5.1' }, { 'control-id': 'A_1.2_2' }, { 'control-id': 'Z.9' }],
    'exclude-controls': [{ 'control-id': 'A_1.2' }],
  })
  expect(result.findings).toMatchObject([
    { uuid: uuidOf(windows, 'finding'), target: { status: { state: 'satisfied' } } },
    {
      ...{ uuid: uuidOf(doors, 'finding'), title: 'A 1(2) Asks <b>A 1(2)</b>' },
      target: { 'target-id': 'A_1.2_2', status: { state: 'not-satisfied', reason: 'fail' } },
      'related-observations': [{ 'observation-uuid': uuidOf(evidence) }],
    },
  ])
  expect(result.observations).toMatchObject([
    { uuid: uuidOf(evidence), subjects: [{ 'subject-uuid': uuidOf(control) }], methods: ['EXAMINE'] },
  ])
  const again = await exported(id, RESULTS)
  expect(again['assessment-results'].results[0].findings).toEqual(result.findings)
})

test('only whoever may read all that it tells of gets it; one of another organization is nobody’s', async () => {
  const { id } = await ask('createFramework', { key: 'rights', edition: '1', name: 'Rights' })
  const empty = await exported(id, RESULTS)
  expect(faultsOf.results(empty)).toEqual([])
  expect(faultsOf.component(await exported(id, COMPONENTS))).toEqual([])
  const { secret: few } = await acme.key(['read:frameworks', 'read:controls'])
  await exported(id, COMPONENTS, few)
  expect((await get(id, RESULTS, few)).status).toBe(403)
  const { secret: fewer } = await acme.key(['read:frameworks', 'read:evidence'])
  expect((await get(id, COMPONENTS, fewer)).status).toBe(403)
  const other = await one.organization()
  const { secret: theirs } = await other.key(['read:frameworks', 'read:controls', 'read:evidence'])
  for (const name of [COMPONENTS, RESULTS]) expect((await get(id, name, theirs)).status).toBe(404)
})

test('thousands of keys that come to one identifier are told apart at once', () => {
  const signs = Array.from({ length: 30_000 }, (_, at) => ({
    id: `req_${at}`,
    key: '!'.repeat((at % 90) + 1),
  }))
  const start = performance.now()
  const ids = controlIds(signs, false)
  expect(new Set(ids.values()).size).toBe(signs.length)
  expect(performance.now() - start).toBeLessThan(2_000)
})

test('whatever texts say, a document is one of OSCAL, and each requirement has an identifier of its own', () => {
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXTS, ' ', '\n', '(', '1)'),
    fc.string({ unit: 'binary' }),
  )
  const maybe = fc.option(text)
  const exported = fc.record({
    organization: fc.record({ id: fc.constant('org_1'), name: text }),
    framework: fc.record({
      ...{ id: fc.constant('fwk_1'), key: text, edition: text, name: text, publisher: maybe },
      ...{ version: fc.constant(3), sourceFormat: fc.constantFrom('oscal', null) },
      ...{ sourceUuid: maybe, sourceHref: maybe },
      ...{ activatedAt: fc.constant(null), createdAt: fc.constant('2026-01-01T00:00:00Z') },
    }),
    ...{ now: fc.constant('2026-02-01T00:00:00Z'), publicUrl: fc.constant('https://plumbline.example') },
  })
  const requirements = fc.array(
    fc.record({
      ...{ key: text, sourceId: maybe, title: text, justification: maybe, resultReason: maybe },
      applicability: fc.constantFrom('applicable', 'not_applicable', 'inherited'),
      result: fc.constantFrom('compliant', 'non_compliant', 'not_assessed', 'not_applicable'),
    }),
    { maxLength: 4 },
  )
  const controls = fc.array(
    fc.record({
      ...{
        reference: text,
        code: text,
        title: text,
        description: maybe,
        category: maybe,
        statusReason: maybe,
      },
      implementationStatus: fc.constantFrom('implemented', 'not_started', 'not_applicable'),
    }),
    { minLength: 1, maxLength: 2 },
  )
  fc.assert(
    fc.property(exported, requirements, controls, (about, asked, made) => {
      const all = asked.map((one, at) => ({ ...one, id: `req_${at}` }))
      const components = made.map((one, at) => ({ ...one, id: `ctl_${at}` }))
      const ids = all.map(({ id }) => id)
      expect(new Set(controlIds(all, false).values()).size).toBe(all.length)
      const implemented = new Map(ids.length > 0 ? components.map(({ id }) => [id, ids] as const) : [])
      const standing = components.filter(({ id }) => implemented.has(id))
      expect(faultsOf.component(componentDefinition(about, all, standing, implemented))).toEqual([])
      const evidence = {
        ...{
          id: 'evd_1',
          reference: 'EVD-1',
          title: about.framework.name,
          description: about.framework.publisher,
        },
        ...{ status: 'approved', collectedAt: '2026-01-01T10:00:00Z', expiryDate: '2027-02-28' },
      }
      const stands = { controls: components.map(({ id }) => id), evidence: ['evd_1'] }
      const shown = new Map([['evd_1', stands.controls]])
      const by = new Map(ids.map((id) => [id, stands]))
      const document = assessmentResults(about, all, by, components, [evidence], shown)
      expect(faultsOf.results(document)).toEqual([])
    }),
    { numRuns: 60 },
  )
})
