import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { callsOf } from '../model/calls.ts'
import type { Form } from '../model/described-field.ts'
import { pathsOf } from '../model/family.ts'
import type { Kind } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { DEFAULT_MATRIX } from '../model/risk-matrix.ts'
import { ROLE_SCOPES } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { columnsOf, type SheetColumn } from '../server/sheets/columns.ts'
import { workbookOf } from '../server/sheets/files.ts'
import { readFile } from '../server/sheets/read-file.ts'
import { coveredKinds } from './support/coverage.ts'
import type { Door } from './support/door.ts'
import { sendFile, sha256 } from './support/files.ts'
import { makeUnder } from './support/makers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/*
 * Promise: what is taken out of a list, in any form, comes in again as what it was, for records of every kind; and a
 * cell that was changed is one change.
 */

const { isExhaustive } = inject('coverage')

let one: TestService
let door: Door
let acme: TestOrganization
let secret: string
let risk: { id: string; reference: string }
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  door = await one.listen()
  acme = await one.organization({ supplierRiskManagement: true })
  secret = (await acme.key([...ROLE_SCOPES.viewer])).secret
  await fill()
})
afterAll(() => one.close())

const ask = async <Body>(name: string, input: object): Promise<Body> =>
  (await one.call(acme.admin, name, input)).body as Body

/** Two of each kind, and a risk with what is hard to write in a cell. */
async function fill(): Promise<void> {
  for (const { path } of everyKind)
    for (let count = 0; count < 2; count++) await makeUnder(one, acme.admin, `/v1/${path}`)
  for (const [type, name] of [
    ['choices', 'regions'],
    ['number', 'seats'],
    ['date', 'signedOn'],
    ['boolean', 'isLocal'],
  ])
    await ask('createCustomField', {
      name,
      label: `The ${name}`,
      type,
      kinds: ['risk'],
      choices:
        type === 'choices'
          ? [
              { key: 'emea', label: 'Europe, Middle East' },
              { key: 'apac', label: 'Asia|Pacific' },
            ]
          : [],
    })
  const person = await ask<{ id: string }>('createPersonnel', {
    fullName: 'Ada Lovelace',
    workEmail: 'ada@example.com',
  })
  await ask('createPersonnel', { fullName: 'Ada Lovelace', workEmail: 'other.ada@example.com' })
  risk = await ask('createRisk', {
    title: '=1+1',
    description: `'+ a "quoted" line;\r\nand _x000D_ another, with\ta tab\u0007 and <tags> & 💣, \u2028 and \u2029`,
    externalId: '00123',
    labels: ['a|b', 'c\\d', '-1'],
    owner: { type: 'personnel', refId: person.id },
    impactAreas: ['confidentiality', 'legal'],
    likelihood: 'almost_certain',
    impact: 'severe',
    dueDate: '2026-05-17T10:00:00.123Z',
    reviewDate: '2026-05-17',
    quantification: { currency: 'EUR', annualFrequencyLikely: 0.1, lossLikely: 1234.56 },
    customFields: {
      regions: ['apac', 'emea'],
      seats: 0.5,
      signedOn: '1899-12-31'.replace('1899', '1901'),
      isLocal: false,
      nobody: { knows: ['it'] },
      'a.dot': '=x',
    },
  })
  const { data } = await ask<{ data: { id: string }[] }>('listControls', {})
  for (const { id } of data) await ask('linkRisk', { id: risk.id, targetKind: 'control', targetId: id })
}

async function exported(path: string, query: string): Promise<Buffer> {
  const response = await fetch(`${door.base}${path}/export?${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, ''])
  return Buffer.from(await response.arrayBuffer())
}

const FORMS = ['format=csv', 'format=csv&words=keys', 'format=json', 'format=xlsx&words=keys']

/** Others come in by no file. */
const added = coveredKinds.filter(({ access }) => access.create)

describe.each(added.map((kind, index) => ({ kind, index })))('$kind.name', ({ kind, index }) => {
  // A workbook of each kind, and what other forms there are by turns.
  const among = Math.min(added.length, FORMS.length)
  const others = FORMS.filter((_, at) => at % among === index % among)
  test.each(['format=xlsx', ...others])('as %s comes in unchanged', async (form) => {
    const sheets = sheetsOf(one, acme.admin)
    const planned = await sheets.bring(kind.name, await exported(pathsOf(kind).all, form))
    expect(await sheets.rows(planned.id, { planned: ['error', 'create', 'change'] })).toEqual([])
    expect(planned.planned).toEqual({ create: 0, change: 0, delete: 0, leave: planned.rowCount, error: 0 })
    expect(planned.rowCount).toBeGreaterThan(1)
    // Nor does an empty cell clear what has nothing in it.
    const clearing = await sheets.plan(planned, { clearsEmpty: true })
    expect(await sheets.rows(planned.id, { planned: ['error', 'create', 'change'] })).toEqual([])
    expect(clearing.planned!.leave).toBe(planned.rowCount)
  })

  test('what it brings in anew goes again, unless nothing of the kind is deleted', async () => {
    const sheets = sheetsOf(one, acme.admin)
    const given = (await exported(pathsOf(kind).all, 'format=csv')).toString().replaceAll('sample', 'fresh')
    const begun = await sheets.begin(kind.name, given)
    const needed = new Set([...kind.required, kind.named, kind.under?.field])
    const columns = begun.columns.map(({ key }) => (needed.has(key ?? '') ? key : null))
    const planned = await sheets.plan(begun, { columns, identity: 'none' })
    // Of some only one can be there at a time.
    if (planned.planned!.create === 0) return
    const { done } = await sheets.apply(planned.id)
    const undo = await ask<{ id: string }>('undoBulkChange', { id: planned.id })
    const undone = await sheets.planned(undo.id)
    const deletes = kind.access.delete ? done!.created : 0
    expect(undone.planned).toMatchObject({ delete: deletes, error: done!.created - deletes })
    if (deletes > 0) expect((await sheets.apply(undo.id)).done).toMatchObject({ deleted: deletes })
  })

  test.runIf(kind.access.update)(
    'a cell that was changed is one change, of one field of one record',
    async () => {
      const sheets = sheetsOf(one, acme.admin)
      const before = (await exported(pathsOf(kind).all, 'format=csv&words=keys')).toString()
      const { data } = await ask<{ data: Record<string, string>[] }>(callsOf(kind).list, {})
      const name = data.map((record) => record[kind.named]!).find((each) => each.startsWith('sample'))!
      const planned = await sheets.bring(kind.name, before.replace(`"${name}"`, '"Called otherwise"'))
      expect(planned.planned).toEqual({
        create: 0,
        change: 1,
        delete: 0,
        leave: planned.rowCount - 1,
        error: 0,
      })
      const [row] = await sheets.rows(planned.id, { planned: ['change'] })
      expect(row!.changes).toMatchObject([{ before: name, after: 'Called otherwise' }])
      const done = await sheets.apply(planned.id, 'all')
      expect(done.done).toEqual({ created: 0, changed: 1, deleted: 0, unchanged: 0, refused: 0 })
    },
  )

  test('a fault in any column is named by its sheet, row, column and value, with what would be right', async () => {
    const sheets = sheetsOf(one, acme.admin)
    const all = columnsOf(kind, { matrix: DEFAULT_MATRIX, custom: [], caller: acme.admin })
    const planted = faultsOf(kind, all)
    const rows = isExhaustive
      ? Array.from({ length: 200 }, (_, at) => planted[at % planted.length]!)
      : planted
    const keys = [...new Set(rows.map(({ key }) => key))]
    const file = await writeXlsx({
      sheets: [
        { name: 'First', rows: [['a']] },
        {
          name: 'Faults',
          rows: [keys, ...rows.map(({ key, value }) => keys.map((one) => (one === key ? value : null)))],
        },
      ],
    })
    const begun = await sheets.begin(kind.name, Buffer.from(file), { sheet: 'Faults' })
    expect(begun.columns.map(({ key }) => key)).toEqual(keys)
    const planned = await sheets.plan(begun)
    expect(planned).toMatchObject({ file: { sheet: 'Faults' }, planned: { create: 0, change: 0 } })
    const told = await sheets.rows(begun.id)
    for (const [at, { key, value, right }] of rows.entries()) {
      const { number, problems } = told[at]!
      expect(number).toBe(at + 2)
      const problem = problems.find(({ column }) => column === keys.indexOf(key))
      expect(problem, `${key} of row ${number}: ${JSON.stringify(problems)}`).toMatchObject({
        field: key,
        value: value.slice(0, 200),
        message: expect.stringMatching(right),
      })
    }
  })
})

/** What no cell of a form can be, and what would be right of it. */
const FAULTS: Readonly<Partial<Record<Form, readonly [value: string, right: RegExp]>>> = {
  line: ['x'.repeat(6_000), /at most \d+|such as/],
  text: ['x'.repeat(55_000), /at most \d+/],
  url: ['nothing', /http/],
  number: ['many', /such as 1234\.5/],
  flag: ['perhaps', /write yes or no/],
  day: ['soon', /such as 2026-/],
  instant: ['soon', /such as 2026-/],
  place: ['NOWHERE', /such as/],
  choice: ['No such choice', /: write \S/],
  choices: ['No such choice', /: write \S/],
  words: ['x'.repeat(6_000), /at most \d+|such as/],
  principal: ['Nobody at all', /give the e-mail or the name/],
  record: ['Nothing at all', /give a reference|give the e-mail/],
  objects: ['{', /is not JSON/],
  pairs: ['{', /is not JSON/],
  object: ['{', /is not JSON/],
}

interface Planted {
  readonly key: string
  readonly value: string
  readonly right: RegExp
}

function faultsOf(kind: Kind, columns: readonly SheetColumn[]): readonly Planted[] {
  const taken = columns.filter(({ isTaken, key }) => isTaken && key !== 'customFields')
  const planted = taken.flatMap(({ key, field, side }): Planted[] => {
    const fault = side ? (['Nothing at all', /give a reference, such as/] as const) : FAULTS[field.form]
    if (!fault) return []
    const [value, right] = fault
    // Said once more, it is the key of another row.
    return [{ key, value, right: key === 'externalId' ? /at most \d+|has the same external id/ : right }]
  })
  // A form that nothing is planted in would go unseen.
  expect(taken.filter(({ key }) => !planted.some((one) => one.key === key)).map(({ key }) => key)).toEqual([])
  const missing = /leave it empty where one is to be added/
  return [
    ...planted,
    { key: 'reference', value: `${kind.referencePrefix}-999999`, right: missing },
    { key: 'id', value: 'nothing', right: missing },
  ]
}

test('a cell that was changed is one change, with one signal, and the others stay as they are', async () => {
  const sheets = sheetsOf(one, acme.admin)
  const before = (await exported('/v1/risks', 'format=csv')).toString()
  expect(before).toContain(`"'=1+1"`)
  const after = before.replace('"Almost certain"', '"Rare"')
  expect(after).not.toBe(before)
  const planned = await sheets.bring('risk', after)
  expect(planned.planned).toMatchObject({ change: 1, create: 0, error: 0 })
  expect(await sheets.rows(planned.id, { planned: ['change'] })).toMatchObject([
    { record: { reference: risk.reference } },
  ])
  const done = await sheets.apply(planned.id, 'all')
  expect(done.done).toEqual({ created: 0, changed: 1, deleted: 0, unchanged: 0, refused: 0 })
  expect(await ask('getRisk', { id: risk.id })).toMatchObject({
    title: '=1+1',
    likelihood: 'rare',
    impact: 'severe',
    version: 2,
    customFields: { nobody: { knows: ['it'] }, 'a.dot': '=x' },
  })
})

test('a text that no cell of a workbook holds is cut there and says so, and is never taken for the whole', async () => {
  const long = `${'a🙂'.repeat(15_000)}.`
  const { id } = await ask<{ id: string }>('createEvidence', {
    title: 'A long one',
    kind: 'text',
    text: long,
  })
  const sheets = sheetsOf(one, acme.admin)
  const bytes = await exported('/v1/evidence', 'format=xlsx&q=A+long+one')
  const { head, stretches } = await readFile(acme.id, bytes, null)
  const [[, cells]] = (JSON.parse(stretches[0]!) as { rows: [[number, string[]]] }).rows
  const cut = cells[head.indexOf('Text')]!
  expect(cut).toMatch(/CSV and JSON have all of it\]$/)
  expect(cut.length).toBeLessThanOrEqual(32_767)
  expect((await sheets.bring('evidence', bytes)).planned).toEqual({
    create: 0,
    change: 0,
    delete: 0,
    leave: 1,
    error: 0,
  })
  expect((await exported('/v1/evidence', 'format=csv&q=A+long+one')).toString()).toContain(long)
  await ask('updateEvidence', { id, text: `b${long}` })
  const moved = await sheets.bring('evidence', `Id,Text\n${id},"${cut}"\n`)
  expect(await sheets.rows(moved.id)).toMatchObject([
    { planned: 'error', problems: [{ field: 'text', message: expect.stringMatching(/was cut/) }] },
  ])
})

test('files are told by their hashes beside their names, with that of what was last sent to a reviewer', async () => {
  const title = 'Two files'
  const [owner, reviewer] = [await acme.person('editor'), await acme.person('editor')]
  const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
  const people = { owner: user(owner), reviewer: user(reviewer) }
  const { id } = await ask<{ id: string }>('createEvidence', { title, ...people })
  const files = [
    await sendFile(one, owner, 'first.txt', Buffer.from('First')),
    await sendFile(one, owner, 'second.txt', Buffer.from('Second')),
  ]
  const call = async (name: string, input: object) =>
    (await one.call(owner, name, { id, ...input })).body as { revisionSha256: string | null }
  expect(await call('addEvidenceFiles', { fileIds: files.map((file) => file.id) })).toMatchObject({
    revisionSha256: null,
  })
  await call('submitEvidence', {})
  const { revisionSha256 } = await call('getEvidence', {})
  expect(await ask('listEvidenceRevisions', { id })).toMatchObject({ data: [{ sha256: revisionSha256 }] })
  const hashes = files.map(({ sha256 }) => sha256)
  expect(hashes).toEqual(['First', 'Second'].map((text) => sha256(Buffer.from(text))))
  const sheets = sheetsOf(one, acme.admin)
  for (const form of ['xlsx', 'csv', 'csv&words=keys']) {
    const bytes = await exported('/v1/evidence', `format=${form}&q=Two+files`)
    const { head, stretches } = await readFile(acme.id, bytes, null)
    const [[, cells]] = (JSON.parse(stretches[0]!) as { rows: [[number, string[]]] }).rows
    const said = Object.fromEntries(head.map((name, at) => [name, cells[at]]))
    const names = form.endsWith('keys')
      ? ['files.sha256', 'revisionSha256']
      : ['Files: SHA-256', 'SHA-256 of the revision']
    expect(names.map((name) => said[name])).toEqual([hashes.join('|'), revisionSha256])
    // They are the service's own: what comes back with them asks for nothing.
    const planned = await sheets.bring('evidence', bytes)
    expect(planned.planned).toEqual({ create: 0, change: 0, delete: 0, leave: 1, error: 0 })
    const left = planned.columns.flatMap(({ title, isSet }) => (isSet ? [title] : []))
    expect(left).toEqual(expect.arrayContaining([...names]))
  }
})

test('the sheets of a workbook are called as spreadsheets take it, each by a name of its own', async () => {
  const names = ['History', "'quoted'", 'a/b:c', 'A b c', 'x'.repeat(40), 'X'.repeat(40), "''", '']
  const sheet = (name: string) => ({ name, columns: [{ title: 'One', form: 'text' as const }] })
  const parts: Uint8Array[] = []
  for await (const part of workbookOf(names.map((name) => ({ sheet: sheet(name), rows: [['1']] }))))
    parts.push(part)
  const { sheets } = await readFile(acme.id, Buffer.concat(parts), null)
  expect(sheets).toEqual([
    ...['History 2', 'quoted', 'a b c', 'A b c 2'],
    ...['x'.repeat(31), `${'X'.repeat(28)} 2`, 'Sheet', 'Sheet 2'],
  ])
})

test('the filter and the order of the list are those of the file', async () => {
  const rows = async (query: string) => {
    const { records } = JSON.parse((await exported('/v1/risks', `format=json&${query}`)).toString()) as {
      records: { title: string }[]
    }
    return records.map(({ title }) => title)
  }
  const all = await rows('sort=title')
  expect(all).toEqual([...all].sort())
  expect(await rows('labels=-1')).toEqual(['=1+1'])
  const refused = await fetch(`${door.base}/v1/risks/export?staus=identified`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(refused.status).toBe(422)
})

test('whoever may not read the records, or what they are linked with, takes none of it out', async () => {
  const { secret: assetsOnly } = await acme.key(['read:assets'])
  const get = (path: string) =>
    fetch(`${door.base}${path}`, { headers: { authorization: `Bearer ${assetsOnly}` } })
  expect((await get('/v1/risks/export?format=csv')).status).toBe(403)
  const { secret: risksOnly } = await acme.key(['read:risks'])
  const csv = await fetch(`${door.base}/v1/risks/export?format=csv`, {
    headers: { authorization: `Bearer ${risksOnly}` },
  })
  expect(await csv.text()).not.toMatch(/CTL-|Controls/)
  const other = await one.organization()
  const { secret: theirs } = await other.key(['read:risks'])
  const empty = await fetch(`${door.base}/v1/risks/export?format=csv`, {
    headers: { authorization: `Bearer ${theirs}` },
  })
  expect((await empty.text()).trim().split('\r\n')).toHaveLength(1)
})
