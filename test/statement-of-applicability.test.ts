import { createHash } from 'node:crypto'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleResults } from '../server/frameworks/settle-results.ts'
import type { StatementRow } from '../server/frameworks/statement-row.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { pdfText } from './support/pdf-text.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

// What applies, why, and how far it is met: now, on a day of the past, and as it was approved.

const DAY = 86_400_000

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
})
afterAll(() => one.close())

type Row = Readonly<Record<string, never>> & { readonly id: string }
const call = async (name: string, input: object) => {
  const { body } = await one.call(acme.admin, name, input)
  await settleResults(one.service)
  return body as Row
}

async function framework(key: string) {
  const { id } = await call('createFramework', { key, edition: '1', name: 'Our own' })
  const require = (given: object) =>
    call('createRequirement', { frameworkId: id, title: 'Is asked', ...given })
  const head = await require({ key: 'A', kind: 'group', assessable: false, sortOrder: 1 })
  const [first, second] = [
    await require({ key: 'A.1', parentId: head.id, sortOrder: 2 }),
    await require({ key: 'A.2', parentId: head.id, sortOrder: 3 }),
  ]
  await call('activateFramework', { id })
  return { id, first, second }
}
const link = (id: string, targetId: string) =>
  call('linkRequirement', { id, targetKind: 'control', targetId })
const rowsOf = async (id: string, which: object = {}) => {
  const { rows } = (await call('getStatementOfApplicability', { id, ...which })) as unknown as {
    rows: StatementRow[]
  }
  return rows
}
/** Statements as of a day leave evidence out. */
const withoutEvidence = (rows: readonly StatementRow[]) => rows.map(({ evidence: _, ...row }) => row)
const today = async () => {
  const { rows } = await one.administrator.query('select clock_now()::date::text as day')
  return rows[0].day as string
}

test('what it is met by through a mapping is told with its controls, and kept with what is approved', async () => {
  const [mine, other] = [await framework('through'), await framework('through-other')]
  const { id: control } = await call('createControl', { code: 'T-1', title: 'Elsewhere' })
  await call('updateControl', { id: control, implementationStatus: 'in_progress' })
  await link(other.first.id, control)
  const map = (from: string, to: string, relationship: string) =>
    call('linkRequirement', { id: from, targetKind: 'mapping_target', targetId: to, relationship })
  await map(other.first.id, mine.first.id, 'equal')
  await map(other.first.id, mine.second.id, 'subset_of')
  await call('updateRequirement', { id: other.second.id, result: 'compliant', resultReason: 'Audited' })
  await map(other.second.id, mine.second.id, 'subset_of')
  const there = { framework: 'Our own 1', coversWhole: false }
  const brought = [{ id: control, code: 'T-1', title: 'Elsewhere', implementationStatus: 'in_progress' }]
  const rows = await rowsOf(mine.id)
  expect(rows.map(({ through }) => through)).toEqual([
    undefined,
    [{ ...there, coversWhole: true, id: other.first.id, key: 'A.1', resultPinned: false, controls: brought }],
    [
      { ...there, id: other.first.id, key: 'A.1', resultPinned: false, controls: brought },
      { ...there, id: other.second.id, key: 'A.2', resultPinned: true, controls: [] },
    ],
  ])
  const approved = await call('approveStatementOfApplicability', { id: mine.id })
  await call('updateFramework', { id: other.id, status: 'retired' })
  expect((await rowsOf(mine.id)).map(({ through }) => through)).toEqual([undefined, undefined, undefined])
  const kept = (await call('getStatementOfApplicability', { id: mine.id, version: 1 })) as never as {
    framework: object
    rows: StatementRow[]
  }
  expect(kept.rows).toEqual(rows)
  const { framework: said, rows: keptRows } = kept
  expect(
    createHash('sha256')
      .update(JSON.stringify({ framework: said, rows: keptRows }))
      .digest('hex'),
  ).toBe((approved.statement as unknown as { sha256: string }).sha256)
  const door = await one.listen()
  const { secret } = await acme.key(['read:frameworks'])
  const file = await fetch(
    `${door.base}/v1/frameworks/${mine.id}/statement-of-applicability/file?format=csv&version=1`,
    { headers: { authorization: `Bearer ${secret}` } },
  )
  const csv = await file.text()
  expect(csv).toContain('T-1 Elsewhere (In progress), through Our own 1 A.1"')
  expect(csv).toContain(
    'T-1 Elsewhere (In progress), through Our own 1 A.1, a part of it\nResult given, through Our own 1 A.2, a part of it',
  )
  expect(file.headers.get('content-disposition')).toContain(
    'statement-of-applicability-through-1-version-1.csv',
  )
})

test('as of a day it is what it was then, however much has moved since', async () => {
  const { id, first, second } = await framework('moves')
  const { id: control } = await call('createControl', { code: 'NET-1', title: 'Gateways are patched' })
  await call('updateControl', { id: control, implementationStatus: 'in_progress' })
  await link(first.id, control)
  await call('updateRequirement', {
    id: second.id,
    applicability: 'not_applicable',
    justification: 'No network.',
  })
  const before = await rowsOf(id)
  const day = await today()
  expect(before).toMatchObject([
    { key: 'A', assessable: false },
    {
      key: 'A.1',
      result: 'partially_compliant',
      controls: [{ code: 'NET-1', implementationStatus: 'in_progress' }],
    },
    { key: 'A.2', applicability: 'not_applicable', justification: 'No network.', result: 'not_applicable' },
  ])
  await one.moveClock(2 * DAY)
  const owner = { type: 'user', refId: acme.admin.userId }
  await call('updateControl', { id: control, implementationStatus: 'implemented', code: 'NET-9' })
  await call('unlinkRequirement', { id: first.id, targetKind: 'control', targetId: control })
  const { id: other } = await call('createControl', { code: 'NET-2', title: 'Another' })
  await link(first.id, other)
  await call('updateRequirement', { id: first.id, result: 'compliant', resultReason: 'Seen.', owner })
  await call('updateRequirement', { id: second.id, applicability: 'applicable', justification: null })
  await call('createRequirement', { frameworkId: id, key: 'A.3', title: 'Added since' })
  const after = await rowsOf(id)
  expect(after).toHaveLength(4)
  expect(after[1]).toMatchObject({ resultPinned: true, controls: [{ code: 'NET-2' }] })
  const { id: added } = await call('createRequirement', {
    frameworkId: id,
    key: 'Z',
    title: 'Other',
    sortOrder: 0,
  })
  await call('updateRequirement', { id: second.id, parentId: added, sortOrder: 1 })
  await call('updateFramework', { id, name: 'Renamed since' })
  expect(await rowsOf(id, { asOf: day })).toEqual(withoutEvidence(before))
  expect(await call('getStatementOfApplicability', { id, asOf: day })).toMatchObject({
    framework: { name: 'Our own' },
  })
  const refused = async (which: object) =>
    expect(await refusal(call('getStatementOfApplicability', { id, ...which }))).toMatchObject({
      status: 422,
    })
  await refused({ asOf: '2090-01-01' })
  await refused({ asOf: '2001-01-01' })
  await refused({ asOf: day, version: 1 })
  expect(await rowsOf(id, { asOf: await today() })).toEqual(withoutEvidence(await rowsOf(id)))
})

test('as of a day it names its owner as they were called then, and no approval that came later', async () => {
  const { id, first, second } = await framework('people')
  const [kept, gone] = [
    await call('createPersonnel', { fullName: 'Ada Born', workEmail: 'ada@example.com' }),
    await call('createPersonnel', { fullName: 'Bob Gone', workEmail: 'bob@example.com' }),
  ]
  const own = (requirement: Row, { id: refId }: Row) =>
    call('updateRequirement', { id: requirement.id, owner: { type: 'personnel', refId } })
  await own(first, kept)
  await own(second, gone)
  await call('approveStatementOfApplicability', { id })
  const before = await rowsOf(id)
  const day = await today()
  await one.moveClock(2 * DAY)
  await call('updatePersonnel', { id: kept.id, fullName: 'Ada Married' })
  await call('updatePersonnel', { id: gone.id, fullName: 'Bob Left' })
  await call('updateRequirement', { id: second.id, owner: null })
  await call('deletePersonnel', { id: gone.id })
  await call('approveStatementOfApplicability', { id })
  expect((await rowsOf(id)).map(({ owner }) => owner)).toEqual([null, 'Ada Married', null])
  const then = await call('getStatementOfApplicability', { id, asOf: day })
  expect(then).toMatchObject({ rows: withoutEvidence(before), approval: { version: 1 } })
  expect(before.map(({ owner }) => owner)).toEqual([null, 'Ada Born', 'Bob Gone'])
  expect(await call('getStatementOfApplicability', { id })).toMatchObject({ approval: { version: 2 } })
})

test('what is approved stays to the letter, under its number and with its hash', async () => {
  const { id, first } = await framework('approved')
  const approved = await call('approveStatementOfApplicability', { id })
  expect(approved.statement).toMatchObject({ version: 1, approvedBy: { id: acme.admin.userId } })
  const then = (await call('getStatementOfApplicability', { id, version: 1 })) as never as {
    framework: object
    rows: StatementRow[]
    approval: { sha256: string }
  }
  await call('updateRequirement', { id: first.id, applicability: 'inherited' })
  const again = await call('approveStatementOfApplicability', { id })
  expect(again.statement).toMatchObject({ version: 2 })
  expect(await call('getStatementOfApplicability', { id, version: 1 })).toEqual(then)
  const { framework: said, rows } = then
  const hash = createHash('sha256')
    .update(JSON.stringify({ framework: said, rows }))
    .digest('hex')
  expect(then.approval.sha256).toBe(hash)
  expect(await call('listStatementsOfApplicability', { id })).toMatchObject({
    data: [{ version: 2 }, { version: 1, sha256: hash }],
  })
  const none = await refusal(call('getStatementOfApplicability', { id, version: 3 }))
  expect(none).toMatchObject({ status: 422 })
  const editor = await acme.person('editor')
  expect(await refusal(one.call(editor, 'approveStatementOfApplicability', { id }))).toMatchObject({
    status: 403,
  })
  await one.administrator.query(
    `update applicability_statements set content = replace(content, 'A.1', 'A.9') where framework_id = $1 and version = 1`,
    [id],
  )
  for (const name of ['getStatementOfApplicability', 'exportStatementOfApplicability'])
    expect(await refusal(call(name, { id, version: 1 }))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('changed in the database'),
    })
})

test('what is approved says what stands at that moment, and no framework is deleted from under it', async () => {
  const { id, first } = await framework('at-once')
  const { id: control } = await call('createControl', { code: 'NOW-1', title: 'Gateways are patched' })
  await link(first.id, control)
  // Nobody has brought up what is kept.
  await one.call(acme.admin, 'updateControl', { id: control, implementationStatus: 'in_progress' })
  await one.call(acme.admin, 'approveStatementOfApplicability', { id })
  const [, row] = await rowsOf(id, { version: 1 })
  expect(row).toMatchObject({
    result: 'partially_compliant',
    controls: [{ implementationStatus: 'in_progress' }],
  })
  const refused = await refusal(call('deleteFramework', { id, force: 'unlink' }))
  expect(refused).toMatchObject({
    status: 409,
    message: expect.stringContaining('retire the framework instead'),
  })
})

test('it is a sheet that auditors read, and no formula', async () => {
  const { id, second } = await framework('sheet')
  const { id: control } = await call('createControl', { code: '=1+1', title: 'Odd, "quoted"' })
  await link(second.id, control)
  const door = await one.listen()
  const { secret } = await acme.key(['read:frameworks'])
  const file = (format: string) =>
    fetch(`${door.base}/v1/frameworks/${id}/statement-of-applicability/file?format=${format}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
  const csv = await (await file('csv')).text()
  expect(csv.split('\n')[0]).toContain('"Key","Control","Applicable","Reasons for inclusion","Justification"')
  expect(csv).toContain(`'=1+1 Odd, ""quoted"" (Not started)`)
  const xlsx = Buffer.from(await (await file('xlsx')).arrayBuffer())
  expect(xlsx.subarray(0, 2).toString()).toBe('PK')
})

test('a note that no sheet is large enough for goes on over the next', async () => {
  const { id } = await framework('long')
  const note = Array.from({ length: 300 }, (_, at) => `l${at}`).join('\n')
  await call('approveStatementOfApplicability', { id, note })
  const door = await one.listen()
  const { secret } = await acme.key(['read:frameworks'])
  const path = `/v1/frameworks/${id}/statement-of-applicability/file?format=pdf&version=1`
  const answer = await fetch(door.base + path, { headers: { authorization: `Bearer ${secret}` } })
  const shown = pdfText(Buffer.from(await answer.arrayBuffer())).flat()
  expect(shown).toEqual(expect.arrayContaining(note.split('\n')))
})

test('a PDF of it says the same on every sheet, and of an approved version to the byte', async () => {
  const { id, first, second } = await framework('paper')
  const hostile = '</script>(a) Tj ET <</S /JavaScript /JS (app.alert(1))>> \u202egnol'
  const { id: control } = await call('createControl', { code: 'ΕΛ-1', title: hostile })
  await link(first.id, control)
  const justification = `Наша причина: ${'so it goes on '.repeat(300)}`
  await call('updateRequirement', { id: second.id, applicability: 'not_applicable', justification })
  const approved = await call('approveStatementOfApplicability', { id, note: 'For the audit in May' })
  const { sha256, version, approvedBy } = approved.statement as unknown as {
    sha256: string
    version: number
    approvedBy: { displayName: string }
  }
  const { organization } = await call('getStatementOfApplicability', { id, version: 1 })
  const door = await one.listen()
  const { secret } = await acme.key(['read:frameworks'])
  const pdf = async (query: string) => {
    const path = `/v1/frameworks/${id}/statement-of-applicability/file?format=pdf${query}`
    const answer = await fetch(door.base + path, { headers: { authorization: `Bearer ${secret}` } })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    return Buffer.from(await answer.arrayBuffer())
  }
  const bytes = await pdf('&version=1')
  await call('updateRequirement', { id: first.id, result: 'compliant', resultReason: 'Seen.' })
  await one.moveClock(2 * DAY)
  expect((await pdf('&version=1')).equals(bytes)).toBe(true)
  const pages = pdfText(bytes)
  expect(pages.length).toBeGreaterThan(1)
  const shown = [
    organization,
    'Our own',
    String(version),
    sha256,
    approvedBy.displayName,
    'For the audit in May',
  ]
  for (const [index, lines] of pages.entries()) {
    if (index === 0) expect(lines).toEqual(expect.arrayContaining(['A Is asked', ...shown]))
    expect(lines).toEqual(
      expect.arrayContaining(['Key', 'Implemented', `Page ${index + 1} of ${pages.length}`]),
    )
    expect(lines.join(' ')).toContain(sha256)
  }
  const whole = pages.flat().join(' ')
  expect(whole).toContain('Наша причина:')
  expect(whole.match(/so it goes on/g)!.length).toBeGreaterThan(250)
  expect(whole.replaceAll(' ', '')).toContain(
    `ΕΛ-1${hostile.replace('\u202e', '').replaceAll(' ', '')}(Notstarted)`,
  )
  // What it says is no part of the file.
  expect(bytes.toString('latin1')).not.toMatch(/JavaScript|\/JS|\/Annots|\/URI/)
  expect(pdfText(await pdf('')).flat()).toEqual(expect.arrayContaining(['Draft: not approved']))
})

test('clauses of a management system are no part of it and cannot be excluded', async () => {
  const { frameworkId } = await frameworkImportsOf(one, acme.admin).fromLibrary('iso_27001_2022')
  const id = frameworkId!
  await call('activateFramework', { id, scopeStatement: 'Hosting in Vienna' })
  const rows = await rowsOf(id)
  expect(rows.filter(({ assessable }) => assessable)).toHaveLength(93)
  expect(rows.map(({ key }) => key)).not.toContain('9.2.1')
  const { data } = (await call('listRequirements', { frameworkId: [id], q: '9.2.1' })) as unknown as {
    data: Row[]
  }
  const clause = data.find((row) => (row.key as unknown as string) === '9.2.1')!
  const exclude = { applicability: 'not_applicable', justification: 'We have no internal audits.' }
  expect(await refusal(call('updateRequirement', { id: clause.id, ...exclude }))).toMatchObject({
    status: 422,
    message: expect.stringContaining(
      'applicability: clauses 4 to 10 of a management system standard cannot be excluded',
    ),
  })
  const control = rows.find(({ key }) => key === 'A.7.4')!
  await call('updateRequirement', { id: control.id, ...exclude })
  expect(await call('getStatementOfApplicability', { id })).toMatchObject({
    framework: { scopeStatement: 'Hosting in Vienna' },
  })
})

test('it says whether each control is implemented, and by which evidence', async () => {
  const { id, first, second } = await framework('implemented')
  const answers = async () =>
    (await rowsOf(id)).map(({ implemented, evidence }) => [implemented, evidence?.length])
  expect(await answers()).toEqual([
    [null, 0],
    ['no', 0],
    ['no', 0],
  ])
  const { id: control } = await call('createControl', { code: 'IMP-1', title: 'Visitors are registered' })
  const { id: other } = await call('createControl', { code: 'IMP-2', title: 'Doors are locked' })
  for (const one of [control, other]) {
    await link(first.id, one)
    await call('updateControl', { id: one, implementationStatus: 'in_progress' })
  }
  await call('updateControl', { id: control, implementationStatus: 'implemented' })
  await call('updateRequirement', {
    id: second.id,
    applicability: 'not_applicable',
    justification: 'No premises.',
  })
  expect(await answers()).toEqual([
    [null, 0],
    ['partly', 0],
    [null, 0],
  ])
  await call('updateControl', { id: other, implementationStatus: 'implemented' })
  const proof = await call('createEvidence', {
    title: 'Visitor log',
    kind: 'document',
    text: 'The log of May.',
    collectedAt: '2026-01-01T00:00:00Z',
  })
  await call('linkEvidence', { id: proof.id, targetKind: 'control', targetId: control })
  expect((await answers())[1]).toEqual(['yes', 0])
  await one.administrator.query(`update evidence set status = 'approved' where id = $1`, [proof.id])
  const [, row] = await rowsOf(id)
  expect(row).toMatchObject({ implemented: 'yes', evidence: [proof.reference] })
  const door = await one.listen()
  const { secret } = await acme.key(['read:frameworks'])
  const { body } = await door.send(secret, 'GET', `/v1/frameworks/${id}/statement-of-applicability`)
  expect((body as { rows: StatementRow[] }).rows[1]).not.toHaveProperty('evidence')
})

test('the workbook has a sheet on the version, with wrapped text', async () => {
  const { id } = await framework('workbook')
  await call('updateFramework', { id, scopeStatement: 'All sites' })
  const { statement } = await call('approveStatementOfApplicability', { id, note: 'For the audit' })
  const { sha256 } = statement as unknown as { sha256: string }
  const door = await one.listen()
  const { secret } = await acme.key(['read:frameworks'])
  const path = `/v1/frameworks/${id}/statement-of-applicability/file?format=xlsx&version=1`
  const answer = await fetch(door.base + path, { headers: { authorization: `Bearer ${secret}` } })
  const { sheets } = await readXlsx(Buffer.from(await answer.arrayBuffer()))
  const [main, about] = sheets
  expect(main!.rows[0]).toEqual([
    'Key',
    'Control',
    'Applicable',
    'Reasons for inclusion',
    'Justification',
    'Implemented',
    'Implemented by',
    'Evidence',
    'Responsible',
  ])
  expect(Object.fromEntries(about!.rows as [string, string][])).toMatchObject({
    Scope: 'All sites',
    Version: '1',
    'Approved by': acme.admin.credential.name,
    'SHA-256 of the approved content': sha256,
    Note: 'For the audit',
  })
})
