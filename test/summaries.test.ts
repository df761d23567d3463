import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
const DAY = 86_400_000

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  await (await one.organization())
    .person('admin')
    .then((other) => one.call(other, 'createRisk', { title: 'theirs' }))
  const due = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  const owner = { type: 'user', refId: acme.admin.userId }
  for (const risk of [
    { title: 'a', likelihood: 'possible', impact: 'major', dueDate: due(-2) },
    { title: 'b', likelihood: 'possible', impact: 'major', dueDate: due(2), owner },
    { title: 'c', likelihood: 'rare', impact: 'minor', category: 'legal', dueDate: due(30), owner },
    { title: 'd', residualLikelihood: 'rare', residualImpact: 'severe', category: 'legal' },
    { title: 'e', status: 'closed', statusReason: 'Sold', dueDate: due(-9) },
  ])
    await one.call(acme.admin, 'createRisk', risk)
})
afterAll(() => one.close())

const summary = async (input: object = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: an answer of another form for each kind
  (await one.call(acme.admin, 'summarizeRisks', input)).body as any

test('it counts by each choice, what is due, what has nobody, and the cells of the matrix', async () => {
  const { total, due, ownerless, counts, crossed } = await summary()
  expect({ total, due, ownerless }).toEqual({ total: 5, due: { overdue: 1, soon: 1 }, ownerless: 2 })
  expect(counts.status).toEqual(
    expect.arrayContaining([
      { value: 'identified', count: 4 },
      { value: 'closed', count: 1 },
    ]),
  )
  expect(counts.riskLevel).toEqual(
    expect.arrayContaining([
      { value: 'high', count: 2 },
      { value: 'low', count: 1 },
      { value: null, count: 2 },
    ]),
  )
  expect(crossed.current).toContainEqual({ across: 'possible', down: 'major', count: 2 })
  expect(crossed.residual).toContainEqual({ across: 'rare', down: 'severe', count: 1 })
})

test('it takes the filters of the list, and each number is the length of a list', async () => {
  const legal = await summary({ category: ['legal'] })
  expect(legal.total).toBe(2)
  const all = await summary()
  const listed = async (input: object) =>
    ((await one.call(acme.admin, 'listRisks', input)).body as { data: unknown[] }).data.length
  expect(await listed({ due: ['overdue'] })).toBe(all.due.overdue)
  expect(await listed({ due: ['soon'] })).toBe(all.due.soon)
  expect(await listed({ due: ['overdue', 'soon', 'later'] })).toBe(3)
  expect(await listed({ due: ['none'] })).toBe(1)
  expect(await listed({ owned: false })).toBe(3)
  expect(await listed({ owned: false, status: ['identified'] })).toBe(all.ownerless)
  for (const [field, rows] of Object.entries<{ value: string | null; count: number }[]>(all.counts))
    for (const { value, count } of rows)
      expect([field, value, await listed({ [field]: [value ?? 'none'] })]).toEqual([field, value, count])
  for (const { count, across, down } of all.crossed.current)
    expect(await listed({ likelihood: [across ?? 'none'], impact: [down ?? 'none'] })).toBe(count)
})

test('asked for some of the counts, it gives those, and they are the same', async () => {
  const all = await summary()
  const names = [...Object.keys(all.counts), ...Object.keys(all.crossed), 'due', 'ownerless']
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
  for (const name of names) {
    const one = await summary({ counted: [name] })
    expect(one.total, name).toBe(all.total)
    if (name in all.counts) expect(sorted(one.counts[name]), name).toEqual(sorted(all.counts[name]))
    else if (name in all.crossed) expect(sorted(one.crossed[name]), name).toEqual(sorted(all.crossed[name]))
    else expect(one[name], name).toEqual(all[name])
    expect(Object.keys({ ...one.counts, ...one.crossed })).toEqual(
      name === 'due' || name === 'ownerless' ? [] : [name],
    )
  }
  expect(await summary({ counted: ['total'] })).toEqual({ total: 5, counts: {} })
  expect(await summary({ counted: ['total'], category: ['legal'] })).toEqual({ total: 2, counts: {} })
})

test('what has nobody is counted of kinds that have an owner, not of those that somebody decides on', async () => {
  const { body } = await one.call(acme.admin, 'summarizeRegisters')
  const owned = (body as { data: { type: string; ownerless?: number }[] }).data
    .filter(({ ownerless }) => ownerless !== undefined)
    .map(({ type }) => type)
  expect(owned).toEqual(expect.arrayContaining(['risk', 'control', 'policy', 'task', 'evidence', 'vendor']))
  for (const type of ['policy_decision', 'policy_exception', 'risk_acceptance'])
    expect(owned).not.toContain(type)
})

test('a day that is due today is not over yet', async () => {
  const today = new Date().toISOString().slice(0, 10)
  await one.call(acme.admin, 'createControl', { code: 'A', title: 'a', dueDate: today })
  const { body } = await one.call(acme.admin, 'summarizeControls')
  expect(body).toMatchObject({ total: 1, due: { overdue: 0, soon: 1 } })
})

test('it is over when its next day begins where the organization is, in lists and in sums', async () => {
  const { admin } = await one.organization()
  const setZone = (timezone: string) => one.call(admin, 'updateOrganization', { timezone })
  // Fourteen hours ahead and eleven behind: it is never the same day in both.
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Niue']
  const today = new Intl.DateTimeFormat('sv', { timeZone: west }).format(new Date())
  await one.call(admin, 'createRiskTreatment', {
    ...{ riskId: ((await one.call(admin, 'createRisk', { title: 'a' })).body as { id: string }).id },
    ...{ action: 'Patch it', dueDate: today },
  })
  for (const [zone, due] of [
    [west, { overdue: 0, soon: 1 }],
    [east, { overdue: 1, soon: 0 }],
  ] as const) {
    await setZone(zone)
    expect((await one.call(admin, 'summarizeRiskTreatments')).body).toMatchObject({ due })
    const { body } = await one.call(admin, 'listRiskTreatments', { due: ['overdue'] })
    expect((body as { data: unknown[] }).data).toHaveLength(due.overdue)
  }
})

test('of an empty register, every number is nothing', async () => {
  const { admin } = await one.organization()
  const { body } = await one.call(admin, 'summarizePersonnel')
  expect(body).toEqual({ total: 0, counts: { employmentType: [], status: [] } })
})

test('risks opened and closed are counted by month and level; what is reopened is closed no more', async () => {
  const { admin } = await one.organization()
  const create = async (given: object) =>
    (await one.call(admin, 'createRisk', { title: 'r', ...given })).body as Record<string, string>
  const update = async (id: string, given: object) =>
    (await one.call(admin, 'updateRisk', { id, ...given })).body as Record<string, string | null>
  const grave = await create({ likelihood: 'likely', impact: 'severe' })
  const other = await create({})
  const closed = await update(grave.id!, { status: 'closed', statusReason: 'Sold' })
  expect(closed.closedAt).toBe(closed.updatedAt)
  expect((await update(grave.id!, { title: 'Another name' })).closedAt).toBe(closed.closedAt)
  await update(other.id!, { status: 'closed', statusReason: 'Sold' })
  expect((await update(other.id!, { status: 'identified' })).closedAt).toBeNull()

  const { body } = await one.call(admin, 'getRiskTrend', {})
  const { months } = body as { months: { from: string; to: string; opened: unknown[]; closed: unknown[] }[] }
  expect(months).toHaveLength(12)
  const now = months.at(-1)!
  expect(now.opened).toHaveLength(2)
  expect(now.opened).toEqual(
    expect.arrayContaining([
      { level: 'critical', count: 1 },
      { level: null, count: 1 },
    ]),
  )
  expect(now.closed).toEqual([{ level: 'critical', count: 1 }])
  expect(Date.parse(now.from)).toBeLessThan(Date.parse(closed.closedAt!))
  const list = { 'closedAt.from': now.from, 'closedAt.to': now.to }
  expect((await one.call(admin, 'listRisks', list)).body).toMatchObject({ data: [{ id: grave.id }] })
})

test('a month begins and ends where the organization is', async () => {
  const { admin } = await one.organization()
  await one.call(admin, 'updateOrganization', { timezone: 'Pacific/Auckland' })
  const { body } = await one.call(admin, 'getRiskTrend', {})
  const { months } = body as { months: { from: string; to: string }[] }
  for (const [at, { from, to }] of months.entries()) {
    expect(inAuckland(from)).toMatch(/^\d{4}-\d\d-01 00:00$/)
    if (at > 0) expect(Date.parse(from)).toBe(Date.parse(months[at - 1]!.to) + 1)
    expect(inAuckland(to)).toMatch(/ 23:59$/)
  }
})

const inAuckland = (time: string) =>
  new Date(time).toLocaleString('sv', { timeZone: 'Pacific/Auckland' }).slice(0, 16)

test('open risks are counted by category and level', async () => {
  const { crossed } = await summary({ status: ['identified'], counted: ['categoryByLevel'] })
  expect(crossed.categoryByLevel).toEqual(
    expect.arrayContaining([
      { across: 'high', down: 'other', count: 2 },
      { across: null, down: 'legal', count: 1 },
    ]),
  )
})
