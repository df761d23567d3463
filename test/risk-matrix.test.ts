/** Promise: the risk matrix is a setting with versions, and what is written follows from the one that holds. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_MATRIX } from '../model/risk-matrix.ts'
import { IMPACTS, LIKELIHOODS, RISK_CATEGORIES } from '../model/scales.ts'
import type { Scope } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Door } from './support/door.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let door: Door
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService({ ROLE: 'api' })
  door = await one.listen()
})
afterAll(() => one.close())

// biome-ignore lint/suspicious/noExplicitAny: what is read of an answer is said by each test
type Answer = any
const as = async (caller: Caller, name: string, input: object = {}): Promise<Answer> =>
  (await one.call(caller, name, input)).body
const call = (name: string, input: object = {}) => as(acme.admin, name, input)
const errorsOf = async (promise: Promise<unknown>) =>
  ((await refusal(promise))!.members.errors as { path: string; message: string }[]) ?? []
const fresh = async () => {
  acme = await one.organization()
}

test('until somebody changes it, level and score are those of every organization', async () => {
  await fresh()
  const matrix = await call('getRiskMatrix')
  expect(matrix).toMatchObject({
    ...{ version: 1, isCurrent: true, changedAt: null, changedBy: null, recalculation: null },
    cells: DEFAULT_MATRIX.cells,
    levels: DEFAULT_MATRIX.levels,
  })
  expect(Object.keys(matrix.appetite)).toEqual([...RISK_CATEGORIES])
  for (const likelihood of LIKELIHOODS) {
    const { data } = await call('createRiskBatch', {
      records: IMPACTS.map((impact) => ({ title: impact, likelihood, impact })),
    })
    for (const { record } of data)
      expect({ score: record.riskScore, level: record.riskLevel }).toEqual(
        matrix.cells[likelihood][record.impact],
      )
  }
})

test('a version that no number can be is refused by its name', async () => {
  expect(await errorsOf(call('getRiskMatrix', { version: 99_999_999_999_999 }))).toMatchObject([
    { path: 'version' },
  ])
})

test('a change holds at once for what is written, and stands as a version with who made it', async () => {
  await fresh()
  const { id } = await call('createRisk', { title: 'Before', likelihood: 'possible', impact: 'major' })
  const changed = await call('updateRiskMatrix', {
    ifMatch: 1,
    reason: 'As the board decided',
    cells: {
      possible: { major: { level: 'critical', score: 13 }, severe: { level: 'critical' } },
      likely: { major: { level: 'critical' } },
    },
    levels: { critical: { label: 'Unbearable', colour: 'purple' } },
  })
  expect(changed).toMatchObject({
    version: 2,
    reason: 'As the board decided',
    changedBy: { id: acme.admin.userId },
    recalculation: { state: 'waiting' },
  })
  expect(changed.cells.possible.major).toEqual({ score: 13, level: 'critical' })
  expect(changed.levels.critical).toEqual({ label: 'Unbearable', description: null, colour: 'purple' })
  expect(changed.levels.low).toEqual(DEFAULT_MATRIX.levels.low)

  const made = await call('createRisk', { title: 'After', likelihood: 'possible', impact: 'major' })
  expect([made.riskLevel, made.riskScore]).toEqual(['critical', 13])
  expect((await call('updateRisk', { id, title: 'Touched' })).riskLevel).toBe('critical')
  const treatment = await call('createRiskTreatment', {
    ...{ riskId: id, action: 'Patch', expectedLikelihood: 'possible', expectedImpact: 'major' },
  })
  expect(treatment.rating).toBe('critical')

  const { data } = await call('listRiskMatrixVersions')
  expect(data.map(({ version }: Answer) => version)).toEqual([2, 1])
  expect((await call('getRiskMatrix', { version: 1 })).cells).toEqual(DEFAULT_MATRIX.cells)
  expect((await call('getRiskMatrix', { version: 2 })).isCurrent).toBe(true)
  expect((await refusal(call('getRiskMatrix', { version: 3 })))?.code).toBe('not_found')

  const { data: entries } = await call('listAuditLog', { action: ['risk_matrix.update'] })
  expect(entries[0].changes).toMatchObject({
    'cells.possible.major.level': { from: 'high', to: 'critical' },
    'levels.critical.label': { from: 'Critical', to: 'Unbearable' },
  })
  expect(Object.keys(entries[0].changes)).toHaveLength(6)
})

test('a change of nothing makes no version, and one of another version is refused', async () => {
  await fresh()
  expect((await call('updateRiskMatrix', { cells: { rare: { minor: { level: 'low' } } } })).version).toBe(1)
  await call('updateRiskMatrix', { appetite: { legal: 'low' } })
  expect((await refusal(call('updateRiskMatrix', { ifMatch: 1, appetite: { legal: 'high' } })))?.code).toBe(
    'version_mismatch',
  )
  expect((await call('listRiskMatrixVersions')).data).toHaveLength(2)
})

test.each([
  [
    'a level that falls as the impact rises',
    { cells: { likely: { severe: { level: 'high' } }, possible: { major: { level: 'critical' } } } },
    ['cells.possible.severe.level', 'cells.likely.major.level'],
  ],
  ['a score that falls', { cells: { rare: { severe: { score: 3 } } } }, ['cells.rare.severe.score']],
  ['a label twice', { levels: { low: { label: 'high' } } }, ['levels.high.label']],
  ['a colour twice', { levels: { low: { colour: 'red' } } }, ['levels.critical.colour']],
  ['a level that is none', { cells: { rare: { minor: { level: 'huge' } } } }, ['cells.rare.minor.level']],
  ['a step that is none', { cells: { seldom: {} } }, ['cells.seldom']],
  ['a colour that is none', { levels: { low: { colour: 'mauve' } } }, ['levels.low.colour']],
  ['a category that is none', { appetite: { tecnical: 'low' } }, ['appetite.tecnical']],
  ['a blank label', { likelihoods: { rare: { label: ' ' } } }, ['likelihoods.rare.label']],
  ['a score out of bounds', { cells: { rare: { minor: { score: 26 } } } }, ['cells.rare.minor.score']],
])('%s is refused by its path, and nothing is written', async (_, change, paths) => {
  await fresh()
  for (const name of ['updateRiskMatrix', 'previewRiskMatrix'])
    expect((await errorsOf(call(name, change))).map(({ path }) => path)).toEqual(paths)
  expect((await call('listRiskMatrixVersions')).data).toHaveLength(1)
})

test('a refusal of a cell names it and its neighbour by what they are called', async () => {
  await fresh()
  const [error] = await errorsOf(
    call('updateRiskMatrix', {
      likelihoods: { unlikely: { label: 'Seldom' } },
      cells: { possible: { severe: { level: 'low' } } },
    }),
  )
  expect(error).toEqual({
    path: 'cells.possible.severe.level',
    message: 'is low, below high of Seldom × Severe: a level does not fall as likelihood or impact rises',
  })
})

test('a risk is above the appetite where its level is higher than that of its category', async () => {
  await fresh()
  await call('updateRiskMatrix', { appetite: { legal: 'medium', fraud: 'high' } })
  const add = async (category: string, more: object = { likelihood: 'possible', impact: 'major' }) =>
    (await call('createRisk', { title: category, category, ...more })).aboveAppetite
  expect([await add('legal'), await add('fraud'), await add('ai'), await add('legal', {})]).toEqual([
    true,
    false,
    null,
    null,
  ])
  const { data } = await call('listRisks', { aboveAppetite: [true] })
  expect(data.map(({ title }: Answer) => title)).toEqual(['legal'])
})

test('whoever reads risks reads it, and admins alone change it, in a session', async () => {
  await fresh()
  const change = { appetite: { legal: 'low' } }
  for (const role of ['viewer', 'editor'] as const) {
    const person = await acme.person(role)
    expect((await as(person, 'getRiskMatrix')).version).toBe(1)
    for (const name of ['updateRiskMatrix', 'previewRiskMatrix'])
      expect((await refusal(as(person, name, change)))?.code).toBe('capability_required')
  }
  const send = async (scopes: readonly Scope[], method: string, path: string, body?: object) => {
    const { secret } = await acme.key(scopes)
    const answer = await door.send(secret, method, path, body ? { body } : {})
    return [answer.status, answer.body.code]
  }
  const risks = ['read:risks', 'write:risks'] as const
  expect(await send(risks, 'GET', '/v1/risk-matrix')).toEqual([200, undefined])
  expect(await send(['read:vendors'], 'GET', '/v1/risk-matrix')).toEqual([403, 'insufficient_scope'])
  expect(await send(risks, 'PATCH', '/v1/risk-matrix', change)).toEqual([403, 'session_required'])
  expect(await send(risks, 'POST', '/v1/risk-matrix/preview', change)).toEqual([403, 'session_required'])
})

test('each organization has its own', async () => {
  await fresh()
  const other = await one.organization()
  await call('updateRiskMatrix', { cells: { possible: { major: { score: 13 } } } })
  const { riskScore } = await as(other.admin, 'createRisk', {
    ...{ title: 'Elsewhere', likelihood: 'possible', impact: 'major' },
  })
  expect(riskScore).toBe(12)
  expect((await as(other.admin, 'getRiskMatrix')).version).toBe(1)
  expect((await refusal(as(other.admin, 'getRiskMatrix', { version: 2 })))?.code).toBe('not_found')
})

test('of two changes at one time, one comes after the other', async () => {
  await fresh()
  const categories = ['legal', 'fraud', 'ai', 'people', 'privacy']
  await Promise.all(
    categories.map((category) => call('updateRiskMatrix', { appetite: { [category]: 'low' } })),
  )
  const { version, appetite } = await call('getRiskMatrix')
  expect(version).toBe(6)
  expect(categories.map((category) => appetite[category])).toEqual(categories.map(() => 'low'))
  await expect(
    Promise.all(
      [1, 2].map((n) =>
        call('updateRiskMatrix', { ifMatch: 6, appetite: { legal: n === 1 ? 'high' : 'medium' } }),
      ),
    ),
  ).rejects.toMatchObject({ code: 'version_mismatch' })
})
