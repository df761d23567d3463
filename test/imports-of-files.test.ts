import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from './support/door.ts'
import { refusal } from './support/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf, type TestBulkChange } from './support/sheets.ts'

/*
 * Promise: a file is understood as people write it, each row is planned before anything is written, what is wrong is
 * named by its place with what would be right, and what is carried out is written once.
 */

let one: TestService
let door: Door
let acme: TestOrganization
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  door = await one.listen()
  acme = await one.organization()
  sheets = sheetsOf(one, acme.admin)
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const keysOf = ({ columns }: TestBulkChange) => columns.map(({ key }) => key)
const aboveIn = ({ file }: TestBulkChange) =>
  file!.top.flatMap(({ row, text }) => (row < file!.headRow! ? [text] : []))
const workbook = async (rows: unknown[][], name = 'Sheet 1', others: object[] = []) =>
  Buffer.from(await writeXlsx({ sheets: [{ name, rows: rows as never }, ...(others as never[])] }))

test('columns are recognised by title or key, however they are written, and the next time by what was said', async () => {
  const first = await sheets.begin('risk', 'TITLE;due date;Kept by;Our number\nA;2026-05-17;;1\n')
  expect(keysOf(first)).toEqual(['title', 'dueDate', null, null])
  const planned = await sheets.plan(first, { columns: ['title', 'dueDate', 'owner', 'externalId'] })
  expect(planned.planned).toMatchObject({ create: 1 })
  const again = await sheets.begin('risk', 'Our Number,kept by\n1,\n')
  expect(keysOf(again)).toEqual(['externalId', 'owner'])
  expect(await refusal(sheets.plan(again, { columns: ['title', 'title'] }))).toMatchObject({
    members: { errors: [{ path: 'columns.1' }] },
  })
  expect(await refusal(sheets.plan(again, { columns: ['titel'] }))).toMatchObject({
    members: { errors: [{ path: 'columns.0' }] },
  })
})

test('what is usual for a field is suggested, and no two columns for the same', async () => {
  const head = 'Risk Name;Risk Owner;Tags;Prob.;Impact (1-5);Probability;Control;Colour'
  const keys = ['title', 'owner', 'labels', 'likelihood', 'impact', null, 'links.control', null]
  expect(keysOf(await sheets.begin('risk', `${head}\nA;;;;;;;\n`))).toEqual(keys)
  const vendor = await sheets.begin('vendor', 'Vendor;Homepage;Ext ID\nA;;\n')
  expect(keysOf(vendor)).toEqual(['name', 'website', 'externalId'])
  // A column of that very name comes first, wherever it stands; and what somebody has left out stays left out.
  const titled = await sheets.begin('risk', 'What could happen?;title\nA;B\n')
  expect(keysOf(titled)).toEqual([null, 'title'])
  const control = await sheets.begin('control', 'Title;Status\nA;\n')
  expect(keysOf(control)).toEqual(['title', 'implementationStatus'])
  await sheets.plan(control, { columns: ['title', null] })
  expect(keysOf(await sheets.begin('control', 'Title;Status\nA;\n'))).toEqual(['title', null])
})

test('what registers of people, vendors and assets are headed with is recognised, and an amount by the whole', async () => {
  const AS_IT_IS: readonly [type: string, head: string, keys: readonly (string | null)[]][] = [
    [
      'personnel',
      'Employee ID;First name;Last name;Name;E-Mail;Position;Manager email;Hire date',
      [
        'employeeNumber',
        'givenName',
        'familyName',
        'fullName',
        'workEmail',
        'jobTitle',
        'managerId',
        'startDate',
      ],
    ],
    [
      'vendor',
      'Supplier;Country;Annual spend;Currency;Owner email;Personal data?',
      [
        'name',
        'headquartersCountry',
        'annualSpend.amount',
        'annualSpend.currency',
        'owner',
        'processesPersonalData',
      ],
    ],
    [
      'asset',
      'Asset name;Serial no.;IP address;Assigned to',
      ['name', 'serialNumber', 'ipAddresses', 'owner'],
    ],
    // Of which of its parts a cost is, nobody can tell.
    ['control', 'Title;Cost', ['title', null]],
  ]
  for (const [type, head, keys] of AS_IT_IS)
    expect(keysOf(await sheets.begin(type, `${head}\n${keys.map(() => 'a').join(';')}\n`))).toEqual(keys)
})

test('ids and references that the service never gave are those of another register', async () => {
  const { id, reference } = await ask<{ id: string; reference: string }>('createRisk', { title: 'Ours' })
  const ownIds = await sheets.begin('risk', `ID,Title\n${id},Ours\nR-2,Theirs\n`)
  expect(keysOf(ownIds)).toEqual(['id', 'title'])
  const own = await sheets.begin('risk', `Reference,Title\n${reference},Ours\n,New\n`)
  expect(keysOf(own)).toEqual(['reference', 'title'])
  const theirs = 'ID,Title\nR-1,First of theirs\nR-2,Second of theirs\n'
  const begun = await sheets.begin('risk', theirs)
  expect(keysOf(begun)).toEqual(['externalId', 'title'])
  expect((await sheets.apply((await sheets.plan(begun)).id)).done).toMatchObject({ created: 2 })
  // So the same register comes in again, as it is by then.
  const again = await sheets.bring('risk', theirs.replace('Second of', 'Another of'))
  expect(again.planned).toMatchObject({ change: 1, leave: 1, error: 0 })
  expect(keysOf(await sheets.begin('control', 'ID,Title\nAC-1,Access\n'))).toEqual(['code', 'title'])
  const both = await sheets.begin('risk', 'External id,Reference,Title\nx-1,A/1,Both\n')
  expect(keysOf(both)).toEqual(['externalId', 'reference', 'title'])
})

test('a head is found beneath the lines that a register begins with, which are told as left out', async () => {
  const HEAD = 'Title;Likelihood;Impact;Owner'
  const AS_IT_IS: readonly [csv: string, headRow: number, above: readonly string[]][] = [
    [`Risk register, as of May\n\n${HEAD}`, 3, ['Risk register, as of May']],
    [`Risk register;;;\nKept by;Ada;;\n;;;\n${HEAD}`, 4, ['Risk register', 'Kept by · Ada']],
    // A title may be called as a column is.
    [`Title\nOurs\n${HEAD}`, 3, ['Title', 'Ours']],
    [`;Assessment;;\n${HEAD}`, 2, ['Assessment']],
    [HEAD, 1, []],
    [
      `"Title";Status;x;y;z\nOwner;Title;a;b;c\n${HEAD}`,
      3,
      ['Title · Status · x · y · z', 'Owner · Title · a · b · c'],
    ],
  ]
  for (const [csv, headRow, above] of AS_IT_IS) {
    const begun = await sheets.begin('risk', `${csv}\nFlood;rare;minor;\nFire;often;minor;\n`)
    expect(begun).toMatchObject({ rowCount: 2, file: { headRow } })
    expect(aboveIn(begun)).toEqual(above)
    expect(keysOf(begun)).toEqual(['title', 'likelihood', 'impact', 'owner'])
    // Rows are called as in the sheet.
    const planned = await sheets.plan(begun)
    const rows = await sheets.rows(planned.id)
    expect(rows.map(({ number, planned }) => [number, planned])).toEqual([
      [headRow + 1, 'create'],
      [headRow + 2, 'error'],
    ])
  }
  // Of a head in other words, the lines of one cell above it are told apart; and it may be said where it stands.
  const other = 'Liste\n\nBezeichnung;Bemerkung;Stand\nFlut;a;b\nFeuer;c;d\n'
  expect(await sheets.begin('risk', other)).toMatchObject({
    rowCount: 2,
    file: { headRow: 3, top: [{ row: 1, text: 'Liste' }, { row: 3 }, { row: 4 }, { row: 5 }] },
    columns: [{ title: 'Bezeichnung' }, { title: 'Bemerkung' }, { title: 'Stand' }],
  })
  expect(await sheets.begin('risk', other, { headRow: 4 })).toMatchObject({ rowCount: 1 })
  const refused = await refusal(sheets.begin('risk', other, { headRow: 2 }))
  expect(refused).toMatchObject({ members: { errors: [{ path: 'headRow' }] } })
  expect(await refusal(sheets.begin('risk', `Ours\n${HEAD}\n`))).toMatchObject({
    members: { errors: [{ path: 'content' }] },
  })
  // What was said of the values of a file without a head says nothing of where that of another stands.
  await sheets.plan(await sheets.begin('risk', 'Storm;Heavy\nHail;Light\n'), {
    columns: ['title', 'category'],
  })
  expect(await sheets.begin('risk', 'Fog;Dense\nStorm;Heavy\nIce;Thin\n')).toMatchObject({
    rowCount: 2,
    file: { headRow: 1 },
  })
  // A list of one column has no lines above it.
  expect(await sheets.begin('risk', 'Bezeichnung\nFlut\nFeuer\n')).toMatchObject({
    rowCount: 2,
    file: { headRow: 1 },
  })
})

test('what was said of a title is never in the way of what the service itself writes', async () => {
  const twice = await sheets.begin('asset', 'Name,Type,Name,Rack\nA,Server,b,1\n')
  expect(keysOf(twice)).toEqual(['name', 'type', null, null])
  await sheets.plan(twice)
  const head = 'Reference,External id,EXTERNAL ID,Category,Name,Rack\n'
  const begun = await sheets.begin('asset', `${head},1,,x,A,7\n`)
  await sheets.plan(begun, { columns: [null, null, null, 'description', 'location', 'name'] })
  // What was said stands for other titles, where no title of the service means the same.
  expect(keysOf(await sheets.begin('asset', 'rack,external ID\nA,2\n'))).toEqual(['name', 'externalId'])
  const again = await sheets.begin('asset', `Rack,${head},7,1,,x,A,7\n`)
  expect(keysOf(again)).toEqual([null, 'reference', 'externalId', null, 'description', 'name', null])
  expect(await refusal(sheets.plan(twice, { columns: ['customFields.', 'customFields. '] }))).toMatchObject({
    members: { errors: [{ path: 'columns.0' }, { path: 'columns.1' }] },
  })
})

test('people, links, choices, lists, dates and custom fields are taken as they are written', async () => {
  await ask('createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const control = await ask<{ reference: string }>('createControl', {
    code: 'P-1',
    title: 'Patch',
    externalId: 'c-1',
  })
  await ask('createControl', { code: 'B-1', title: 'Back up' })
  const rows = [
    ['Title', 'Owner', 'Controls', 'Likelihood', 'Labels', 'Review', 'customFields.team', 'Impact areas'],
    [
      'By name',
      'bo lind',
      `${control.reference} Patch|back up`,
      'ALMOST CERTAIN',
      'x|y',
      new Date('2026-05-17'),
      'Blue',
      'legal | Safety',
    ],
    ['By e-mail', 'BO@example.com', 'c-1', 'almost_certain', null, '17.5.2026', null, null],
    ['By nobody', 'Nobody', null, 'rare', null, '5/17/2026', null, null],
  ]
  const file = await workbook(rows)
  const head = rows[0] as string[]
  const begun = await sheets.begin('risk', file)
  expect(begun.columns.map(({ title }) => title)).toEqual(head)
  const columns = keysOf(begun).map((key, at) => (head[at] === 'Review' ? 'reviewDate' : key))
  const planned = await sheets.plan(begun, { columns })
  expect(await sheets.rows(begun.id, { planned: ['error'] })).toEqual([])
  expect(planned.planned).toMatchObject({ create: 3 })
  const done = await sheets.apply(begun.id, 'all')
  expect(done.done).toMatchObject({ created: 3, refused: 0 })
  const made = await sheets.rows(begun.id)
  const records = await Promise.all(
    made.map(({ record }) => ask<Record<string, unknown>>('getRisk', { id: record!.id })),
  )
  expect(records[0]).toMatchObject({
    owner: { displayName: 'Bo Lind' },
    likelihood: 'almost_certain',
    labels: ['x', 'y'],
    reviewDate: '2026-05-17',
    customFields: { team: 'Blue' },
    impactAreas: ['legal', 'safety'],
    source: 'import',
  })
  expect(records[1]).toMatchObject({ owner: { displayName: 'Bo Lind' }, reviewDate: '2026-05-17' })
  expect(records[2]).toMatchObject({ owner: null, reviewDate: '2026-05-17' })
  const links = await ask<{ counts: Record<string, number> }>('listRiskLinks', { id: made[0]!.record!.id })
  expect(links.counts.control).toBe(2)
})

test('a name is the same in whichever form its accents are written, and in any letter case', async () => {
  await ask('createPersonnel', { fullName: 'Zo\u00eb Ren\u00e9e', workEmail: 'zoe@example.com' })
  await ask('createPersonnel', { fullName: 'Jose\u0301 Lima', workEmail: 'jose@example.com' })
  await ask('createControl', { code: 'F-1', title: 'Cafe\u0301 closed' })
  await ask('createControl', { code: 'F-2', title: 'Bar\u00e9 closed', externalId: 'no-\u00e9' })
  const choice = { kinds: ['risk'], name: 'site', label: 'Site', type: 'choice' }
  await ask('createCustomField', {
    ...choice,
    choices: [{ key: 'zuerich', label: 'Z\u00fcrich' }],
  })
  const rows = [
    'Title,Owner,Controls,Labels,Site,External id',
    '\u00c9tage FORM,ZO\u00cb REN\u00c9E,bar\u00e9 closed|CAF\u00c9 CLOSED,caf\u00e9,Z\u00fcrich,\u00e9-FORM',
    // Two blanks look like one.
    '\u00c9gout, jos\u00e9  lima ,no-\u00e9,,,',
  ]
  for (const form of ['NFC', 'NFD']) {
    const file = rows.join('\n').replaceAll('FORM', form).normalize(form)
    const planned = await sheets.bring('risk', file)
    expect(await sheets.rows(planned.id, { planned: ['error'] })).toEqual([])
    expect((await sheets.apply(planned.id, 'all')).done).toMatchObject({ created: 2 })
    const [first, second] = await sheets.rows(planned.id)
    expect(await ask('getRisk', { id: first!.record!.id })).toMatchObject({
      owner: { displayName: 'Zo\u00eb Ren\u00e9e' },
      labels: ['caf\u00e9'],
      customFields: { site: 'zuerich' },
    })
    const { counts } = await ask<{ counts: Record<string, number> }>('listRiskLinks', {
      id: first!.record!.id,
    })
    expect(counts.control).toBe(2)
    expect(await ask('getRisk', { id: second!.record!.id })).toMatchObject({
      owner: { displayName: 'Jose\u0301 Lima' },
    })
    // What comes back in the other form asks for nothing, whichever says which record it is.
    const other = form === 'NFC' ? 'NFD' : 'NFC'
    const back = file.split('\n', 2).join('\n').normalize(other)
    for (const identity of ['known', 'title'])
      expect((await sheets.bring('risk', back, { identity })).planned).toMatchObject({ leave: 1, error: 0 })
  }
})

test('a name that lacks its accents is found where nobody is called just that', async () => {
  await ask('createPersonnel', { fullName: 'Rita K\u00f6hler', workEmail: 'rita@example.com' })
  await ask('createPersonnel', { fullName: 'J\u00f6rg Stein', workEmail: 'joerg.1@example.com' })
  await ask('createPersonnel', { fullName: 'J\u00f4rg Stein', workEmail: 'joerg.2@example.com' })
  const planned = await sheets.bring('risk', 'Title,Owner\nA,Rita Kohler\nB,Jorg Stein\nC,J\u00f6rg Stein\n')
  const told = await sheets.rows(planned.id)
  expect(told.map(({ planned }) => planned)).toEqual(['create', 'error', 'create'])
  expect(told[0]!.changes).toContainEqual({ field: 'owner', before: null, after: 'Rita K\u00f6hler' })
  expect(told[1]!.problems[0]!.message).toMatch(/^2 are called Jorg Stein: give an e-mail/)
})

test('a name is found with the family name before it, and what is said of it is as of any other', async () => {
  await ask('createPersonnel', { fullName: 'J\u00f6rg M\u00fcller', workEmail: 'jm@example.com' })
  await ask('createPersonnel', { fullName: 'Stein, Ina', workEmail: 'is.1@example.com' })
  await ask('createPersonnel', { fullName: 'Ina Stein', workEmail: 'is.2@example.com' })
  const names = ['"M\u00fcller, J\u00f6rg"', '"muller,jorg"', '"Stein, Ina"', '"M\u00fcller, J\u00f6rg, Dr."']
  const planned = await sheets.bring('risk', ['Title,Owner', ...names.map((name) => `A,${name}`)].join('\n'))
  const owners = (await sheets.rows(planned.id)).map(
    ({ changes }) => changes.find(({ field }) => field === 'owner')?.after,
  )
  expect(owners).toEqual(['J\u00f6rg M\u00fcller', 'J\u00f6rg M\u00fcller', 'Stein, Ina', undefined])
})

test('a person is found whichever name stands first in the directory, also as the manager and by e-mail', async () => {
  await ask('createPersonnel', { fullName: 'Gro\u00df, Zo\u00eb', workEmail: 'zg@example.com' })
  await ask('createPersonnel', { fullName: 'van Dam, Jan Piet', workEmail: 'vd@example.com' })
  const names = ['Zo\u00eb Gro\u00df', 'zoe GROSS', 'Jan Piet van Dam', 'Dam Jan']
  const planned = await sheets.bring('risk', ['Title,Owner', ...names.map((name) => `A,${name}`)].join('\n'))
  const owners = (await sheets.rows(planned.id)).map(
    ({ changes }) => changes.find(({ field }) => field === 'owner')?.after,
  )
  const zoes = 'Gro\u00df, Zo\u00eb'
  expect(owners).toEqual([zoes, zoes, 'van Dam, Jan Piet', undefined])
  // Whoever is named may be there already, or come in by the same file.
  const people = [
    'Full name;Work e-mail;Manager',
    'Boss, Ida;ida@example.com;',
    'First, Ann;ann@example.com;ida@example.com',
    'Second, Bea;bea@example.com;Ida Boss',
    'Third, Cas;cas@example.com;ZG@example.com',
    'Fourth, Dag;dag@example.com;Zo\u00eb Gro\u00df',
    'Fifth, Eve;eve@example.com;nobody@example.com',
  ]
  const directory = await sheets.bring('personnel', people.join('\n'))
  const managers = (await sheets.rows(directory.id)).map(
    ({ planned, changes }) => changes.find(({ field }) => field === 'managerId')?.after ?? planned,
  )
  const zoe = expect.stringMatching(/^PER-\d+ Gro\u00df, Zo\u00eb$/)
  expect(managers).toEqual(['create', 'ida@example.com', 'Ida Boss', zoe, zoe, 'error'])
  expect((await sheets.apply(directory.id)).done).toMatchObject({ created: 5, refused: 0 })
})

test('a month is taken by its name in the languages of registers, and a year of two digits is told as that', async () => {
  const dates = {
    '30. Juni 2026': '2026-06-30',
    '1. M\u00e4rz 2026': '2026-03-01',
    '1er ao\u00fbt 2026': '2026-08-01',
    '14 juil. 2026': '2026-07-14',
    '2 de mayo de 2026': '2026-05-02',
    '3 maggio 2026': '2026-05-03',
    '1 jui 2026': '"1 jui 2026" is not a day',
    '1/12/27': 'has a year of two digits',
    '1.12.27': 'has a year of two digits',
  }
  const file = ['Title;Review date', ...Object.keys(dates).map((day) => `A;${day}`)].join('\n')
  const { id } = await sheets.plan(await sheets.begin('risk', file), { dates: 'day_first' })
  const told = (await sheets.rows(id)).map(
    ({ changes, problems }) =>
      changes.find(({ field }) => field === 'reviewDate')?.after ?? problems[0]?.message.split(':')[0],
  )
  expect(told).toEqual(Object.values(dates))
})

test('a month is taken by its name, and whether the day comes first can be said of a file', async () => {
  const days = ['1 April 2027', 'Sep 3, 2027', '3-Dec-2027', '03/04/2027', '25/04/2027']
  const begun = await sheets.begin('risk', ['Title;Review date', ...days.map((day) => `A;${day}`)].join('\n'))
  const taken = async (more: object) => {
    const { dates, id } = await sheets.plan(begun, more)
    const rows = await sheets.rows(id)
    const days = rows.map(({ changes }) => changes.find(({ field }) => field === 'reviewDate')?.after)
    return [dates, ...days]
  }
  const named = ['2027-04-01', '2027-09-03', '2027-12-03']
  expect(await taken({})).toEqual([null, ...named, undefined, '2027-04-25'])
  expect(await taken({ dates: 'day_first' })).toEqual(['day_first', ...named, '2027-04-03', '2027-04-25'])
  expect(await taken({ dates: 'month_first' })).toEqual(['month_first', ...named, '2027-03-04', '2027-04-25'])
})

test('a day until which something is to be done is that day in the plan and in the file that comes of it', async () => {
  for (const timezone of ['UTC', 'Europe/Berlin', 'America/New_York']) {
    const there = await one.organization()
    await one.call(there.admin, 'updateOrganization', { timezone })
    const theirs = sheetsOf(one, there.admin)
    const rows = [
      ['Title', 'Due'],
      ['By a date', new Date('2026-12-31')],
      ['By a text', '31.12.2026'],
      ['At an hour', '2027-01-01T05:00:00.000Z'],
    ]
    const planned = await theirs.bring('risk', await workbook(rows))
    const told = await theirs.rows(planned.id)
    const dueOf = ({ changes }: (typeof told)[number]) => changes.find(({ field }) => field === 'dueDate')
    const [day, moment] = ['2026-12-31', '2027-01-01T05:00:00.000Z']
    expect(told.map(dueOf)).toEqual([day, day, moment].map((after) => expect.objectContaining({ after })))
    await theirs.apply(planned.id, 'all')
    const { secret } = await there.key(['read:risks'])
    const response = await fetch(`${door.base}/v1/risks/export?format=xlsx&sort=createdAt`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const file = Buffer.from(await response.arrayBuffer())
    const { sheets: read } = await readXlsx(file)
    const at = read[0]!.rows[0]!.indexOf('Due')
    expect(read[0]!.rows.slice(1).map((cells) => cells[at])).toEqual(
      [day, day, moment].map((one) => new Date(one)),
    )
    expect((await theirs.bring('risk', file)).planned).toMatchObject({ leave: 3, change: 0, error: 0 })
  }
})

test('what the service sets itself is left out, but for a word that could be none of it', async () => {
  const planned = await sheets.bring('risk', 'Title,Source\nA,Import\nB,bogus\nC,inbound_hook\nD,\n')
  expect(planned.planned).toMatchObject({ create: 3, error: 1 })
  const [wrong] = await sheets.rows(planned.id, { planned: ['error'] })
  expect(wrong!.problems).toEqual([
    {
      column: 1,
      field: 'source',
      value: 'bogus',
      message: expect.stringMatching(/Person, Import, Discovery/),
    },
  ])
})

test('what is wrong is named with its row, column and value, and with what would be right', async () => {
  await ask('createPersonnel', { fullName: 'Twin', workEmail: 'twin.1@example.com' })
  await ask('createPersonnel', { fullName: 'Twin', workEmail: 'twin.2@example.com' })
  const FAULTS: readonly [column: string, value: string, right: RegExp][] = [
    ['Likelihood', 'often', /Rare, Unlikely/],
    ['Review date', '1/2/2026', /2026-12-31, or say at the columns/],
    ['Review date', '1/2/26', /2026-12-31$/],
    ['Review date', '31 June 2027', /^is no date/],
    ['Review date', 'soon', /./],
    ['Review date', '2026-02-30', /./],
    ['Review date', '13/13/2027', /^is no date/],
    ['Status', 'Nope', /: write Identified, Assessed, In treatment, Monitored, Closed$/],
    ['Due date', 'soon', /^is no date: write one such as 2026-12-31$/],
    ['Due date', '07/05/2026', /two dates: write it as 2026-12-31, or say/],
    ['Owner', 'Nemo', /e-mail/],
    ['Owner', 'Twin', /twin\.1@example\.com/],
    ['Controls', 'CTL-999', /reference, such as CTL-12/],
    ['Quantification: currency', 'EURO', /ISO 4217/],
    ['Quantification: loss min', '-5', /./],
    ['Likelihood', '#REF!', /formula/],
    ['Impact areas', 'legal|cost|fun', /^cost and fun are none of the choices: .*Confidentiality/],
    ['Reference', 'RSK-9999', /leave it empty/],
  ]
  const head = ['Title', ...new Set(FAULTS.map(([column]) => column))]
  const rows = Array.from({ length: 200 }, (_, at) => {
    const [column, value] = FAULTS[at % FAULTS.length]!
    return head.map((title) => (title === column ? value : title === 'Title' ? `Row ${at}` : ''))
  })
  const csv = [head, ...rows].map((row) => row.join(';')).join('\n')
  const begun = await sheets.begin('risk', csv)
  expect(keysOf(begun)).not.toContain(null)
  const planned = await sheets.plan(begun)
  expect(planned.planned).toEqual({ create: 0, change: 0, delete: 0, leave: 0, error: 200 })
  const told = await sheets.rows(begun.id)
  expect(told).toHaveLength(200)
  for (const [at, { number, problems }] of told.entries()) {
    const [column, value, right] = FAULTS[at % FAULTS.length]!
    expect(number).toBe(at + 2)
    const problem = problems.find((one) => one.column === head.indexOf(column))
    expect(problem, `${column} ${value}: ${JSON.stringify(problems)}`).toMatchObject({ value })
    expect(problem!.message).toMatch(right)
  }
  expect(await refusal(sheets.apply(begun.id, 'good'))).toMatchObject({ code: 'conflict' })
})

test('an amount may say its currency, where the row says no other', async () => {
  const rows = [
    'Title;Quantification: cost once, likely;Quantification: currency',
    'A;€ 120.000,00;',
    'B;1,500.00 EUR;EUR',
    "C;CHF 1'500;",
    'D;£20;EUR',
    'E;$20;',
  ]
  const begun = await sheets.begin('risk', rows.join('\n'))
  const columns = ['title', 'quantification.lossLikely', 'quantification.currency']
  const { id } = await sheets.plan(begun, { columns })
  const told = (await sheets.rows(id)).map(({ changes, problems }) =>
    problems.length > 0
      ? problems[0]!.message.split(':')[0]
      : columns.slice(1).map((key) => changes.find(({ field }) => field === key)?.after),
  )
  expect(told).toEqual([
    ['120000', 'EUR'],
    ['1500', 'EUR'],
    ['1500', 'CHF'],
    'is in GBP, and the currency of the row is EUR',
    'is no number',
  ])
})

test('amounts of several currencies come in together, and those that say none in what was said of the file', async () => {
  const rows = [
    'Supplier;Annual spend;Currency',
    'Own column;1.200,50;CHF',
    'Small letters;9,000;usd',
    'In the cell;€ 500;',
    'Dollars of the column;$1,000.00;CAD',
    'None of its own;1.200.000;',
    'Two currencies;£ 5;USD',
    'Two amounts;12.500;EUR',
    'No amount;;',
  ]
  const begun = await sheets.begin('vendor', rows.join('\n'))
  const amount = async (id: string) =>
    (await sheets.rows(id)).map(({ changes, problems }) => {
      const of = (part: string) => changes.find(({ field }) => field === `annualSpend.${part}`)?.after
      return problems[0]?.message ?? [of('amount'), of('currency')]
    })
  const expected = [
    ['1200.5', 'CHF'],
    ['9000', 'USD'],
    ['500', 'EUR'],
    ['1000', 'CAD'],
    ['1200000', 'GBP'],
    'is in GBP, and the currency of the row is USD: make the two the same',
    'could be two amounts: write 12500, or 12.50',
    [undefined, undefined],
  ]
  const said = await sheets.plan(begun, { currency: 'GBP' })
  expect(await amount(said.id)).toEqual(expected)
  expect(await ask('getBulkChange', { id: said.id })).toMatchObject({ currency: 'GBP' })
  const unsaid = await sheets.plan(begun)
  expect(await amount(unsaid.id)).toEqual(
    expected.map((one, at) => (at === 4 ? expect.stringMatching(/^required: name the currency/) : one)),
  )
  const dollars = await sheets.begin('vendor', 'Supplier;Annual spend\nA;$20\nB;CHF 20\n')
  expect(await amount((await sheets.plan(dollars, { currency: 'USD' })).id)).toEqual([
    ['20', 'USD'],
    ['20', 'CHF'],
  ])
  expect((await amount((await sheets.plan(dollars, { currency: 'EUR' })).id))[0]).toMatch(
    /^is no number: a dollar/,
  )
})

test('countries are found by their names, in the languages of registers', async () => {
  const names = ['Ireland', 'de', 'Österreich', 'Pays-Bas', 'USA', 'Czech Republic', 'Nowhere']
  const planned = await sheets.bring(
    'vendor',
    ['Name,Headquarters', ...names.map((one) => `A,${one}`)].join('\n'),
  )
  const told = (await sheets.rows(planned.id)).map(
    ({ changes, problems }) =>
      problems[0]?.value ?? changes.find(({ field }) => field === 'headquartersCountry')?.after,
  )
  expect(told).toEqual(['IE', 'DE', 'AT', 'NL', 'US', 'CZ', 'Nowhere'])
  const listed = await sheets.bring('vendor', 'Name,Countries\nA,Germany|FR|Schweiz\n')
  const [{ changes } = { changes: [] }] = await sheets.rows(listed.id)
  expect(changes).toContainEqual({ field: 'countries', before: null, after: 'DE|FR|CH' })
})

test('a choice is found beside its place on a scale, and as people say it', async () => {
  const risks = ['4 - Major', '4: major', 'Major (4)', '4', 'Major - 4 of 5']
  const planned = await sheets.bring('risk', ['Title,Impact', ...risks.map((one) => `A,${one}`)].join('\n'))
  const impacts = (await sheets.rows(planned.id)).map(
    ({ changes, problems }) => problems[0]?.value ?? changes.find(({ field }) => field === 'impact')?.after,
  )
  expect(impacts).toEqual(['Major', 'Major', 'Major', 'Major', 'Major'])
  const reviews = await sheets.bring(
    'risk',
    'Title,Review frequency\nA,Yearly\nB,half-yearly\nC,every month\n',
  )
  const often = (await sheets.rows(reviews.id)).map(
    ({ changes }) => changes.find(({ field }) => field === 'reviewFrequency')?.after,
  )
  expect(often).toEqual(['Annually', 'Semiannually', 'Monthly'])
})

test('an address without its scheme is taken for one by https, as the plan tells', async () => {
  const hosts = ['aws.amazon.com', 'payfast.example/de?q=1', 'www.datev.example', 'datev.example:8443']
  const wrong = ['not one', 'info@datev.example', 'ftp://datev.example', 'n.a.', 'javascript:alert(1).com']
  const planned = await sheets.bring(
    'vendor',
    ['Name,Website', ...[...hosts, ...wrong].map((host, at) => `Vendor ${at},${host}`)].join('\n'),
  )
  const taken = await sheets.rows(planned.id, { planned: ['create'] })
  expect(taken.map(({ changes }) => changes.find(({ field }) => field === 'website')?.after)).toEqual(
    hosts.map((host) => `https://${host}`),
  )
  const told = await sheets.rows(planned.id, { planned: ['error'] })
  expect(told.map(({ problems }) => problems[0]!.message)).toEqual(
    wrong.map(() => expect.stringContaining('https://example.com')),
  )
  // What programs send says its scheme.
  expect(await refusal(ask('createVendor', { name: 'Cloud', website: hosts[0] }))).toMatchObject({
    members: { errors: [{ path: 'website' }] },
  })
})

test('rows that are about the same, or break a rule of their kind, are told at the plan', async () => {
  const csv = [
    'Full name,Work e-mail,External id,Status',
    'A,a.1@example.com,1,Active',
    'B,b.1@example.com,1,Active',
    'C,not an address,2,Active',
    ',d.1@example.com,3,Active',
  ].join('\n')
  const planned = await sheets.bring('personnel', csv)
  expect(planned.planned).toMatchObject({ create: 1, error: 3 })
  const errors = await sheets.rows(planned.id, { planned: ['error'] })
  expect(errors.map(({ problems }) => [problems[0]!.field, problems[0]!.message])).toEqual([
    ['externalId', 'row 2 has the same external id, 1: leave one of them out, or correct it'],
    ['workEmail', expect.any(String)],
    ['fullName', expect.any(String)],
  ])
  expect(await refusal(sheets.apply(planned.id, 'all'))).toMatchObject({ code: 'conflict' })
  const done = await sheets.apply(planned.id, 'good')
  expect(done.done).toMatchObject({ created: 1, refused: 0 })
})

test('a value that only one record can have is told at the plan: where another record has it, or another row', async () => {
  const add = (workEmail: string) => ask('createPersonnel', { fullName: 'There', workEmail })
  await add('there@example.com')
  const csv = (from: number, ...more: string[]) =>
    ['Full name,Work e-mail', ...[0, 1, 2].map((at) => `P,p${from + at}@example.com`), ...more].join('\n')
  const planned = await sheets.bring(
    'personnel',
    csv(0, 'Again,THERE@example.com', 'Twice,P1@Example.com', 'No mail,'),
  )
  expect(planned.planned).toMatchObject({ create: 3, error: 3 })
  const field = { column: 1, field: 'workEmail' }
  expect((await sheets.rows(planned.id, { planned: ['error'] })).slice(0, 2)).toMatchObject([
    {
      number: 5,
      problems: [
        {
          ...field,
          value: 'THERE@example.com',
          message: expect.stringMatching(/^PER-\d+ has the same work e-mail already: use another/),
        },
      ],
    },
    {
      number: 6,
      problems: [
        {
          ...field,
          value: 'P1@Example.com',
          message: 'row 3 has the same work e-mail: leave one of them out, or correct it',
        },
      ],
    },
  ])
  // Planned anew, no row is in the way of itself.
  expect((await sheets.plan(planned)).planned).toMatchObject({ create: 3, error: 3 })

  // What somebody else takes meanwhile: all or nothing is a plan again, and what is good is all but that row.
  const all = await sheets.bring('personnel', csv(10))
  await add('p11@example.com')
  const words = /^Row 3 could not be written, so nothing was: workEmail: PER-\d+ has the same work e-mail/
  expect(await refusal(sheets.apply(all.id, 'all'))).toMatchObject({ message: expect.stringMatching(words) })
  const refused = [{ number: 3, problems: [{ ...field, value: 'p11@example.com' }] }]
  expect(await sheets.rows(all.id, { planned: ['error'] })).toMatchObject(refused)
  const good = await sheets.bring('personnel', csv(20))
  await add('p21@example.com')
  expect((await sheets.apply(good.id, 'good')).done).toMatchObject({ created: 2, refused: 1 })
  expect(await sheets.rows(good.id, { done: ['refused'] })).toMatchObject([
    { number: 3, problems: [{ ...field, value: 'p21@example.com' }] },
  ])
  expect(await ask('listPersonnel', { q: 'p10@example.com' })).toMatchObject({ data: [] })
  expect((await sheets.apply(all.id, 'good')).done).toMatchObject({ created: 2, refused: 0 })
})

test('records do not change their external ids with each other, nor is one risk accepted twice', async () => {
  const vendor = (externalId: string) =>
    ask<{ reference: string }>('createVendor', { name: 'Swapped', externalId })
  const [one, other] = [await vendor('swap-1'), await vendor('swap-2')]
  const csv = `Reference,External id\n${one.reference},swap-2\n${other.reference},swap-1\n`
  const swapped = await sheets.bring('vendor', csv)
  expect(await sheets.rows(swapped.id, { planned: ['error'] })).toMatchObject([
    { problems: [{ column: 1, message: expect.stringContaining(`${other.reference} has the same`) }] },
    { problems: [{ column: 1, message: expect.stringContaining(`${one.reference} has the same`) }] },
  ])
  const risk = await ask<{ reference: string }>('createRisk', {
    ...{ title: 'Accepted', likelihood: 'likely', impact: 'major', status: 'assessed' },
  })
  const { accountId } = await acme.person('admin')
  const row = `${risk.reference},Cheap,${accountId}@example.com,2090-01-01`
  const twice = await sheets.bring(
    'risk_acceptance',
    `riskId,justification,approver,expiresAt\n${row}\n${row}\n`,
  )
  expect(twice.planned).toMatchObject({ create: 1, error: 1 })
  expect(await sheets.rows(twice.id, { planned: ['error'] })).toMatchObject([
    { number: 3, problems: [{ column: 0, message: expect.stringMatching(/^row 2 has the same risk/) }] },
  ])
})

test('rows are known by a column that is said to be the key, and a record that moved on is left', async () => {
  const { id } = await ask<{ id: string }>('createAsset', { name: 'Payroll', type: 'database' })
  const csv = 'Name,Type,Location\nPayroll,Database,Vienna\nNew one,Server,Graz\n'
  const begun = await sheets.begin('asset', csv)
  const planned = await sheets.plan(begun, { identity: 'name' })
  expect(planned.planned).toMatchObject({ change: 1, create: 1 })
  await ask('updateAsset', { id, location: 'Linz' })
  const done = await sheets.apply(begun.id, 'good')
  expect(done.done).toMatchObject({ created: 1, refused: 1 })
  expect(await ask('getAsset', { id })).toMatchObject({ location: 'Linz' })
  const again = await sheets.bring('asset', csv)
  expect(again.planned).toMatchObject({ create: 2 })
  expect(await refusal(sheets.apply(again.id, 'good'))).toMatchObject({ code: 'confirm_required' })
})

test('a plan that is begun anew takes the place of the one before', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `Risk ${at},Rare`)
  const begun = await sheets.begin('risk', ['Title,Likelihood', ...rows].join('\n'))
  const columns = keysOf(begun)
  await ask('planImport', { id: begun.id, columns })
  await ask('planImport', { id: begun.id, columns: [columns[0]!, null] })
  const planned = await sheets.planned(begun.id)
  expect(planned.planned).toEqual({ create: 1_000, change: 0, delete: 0, leave: 0, error: 0 })
  expect(planned.columns[1]).toMatchObject({ key: null })
  await sheets.apply(begun.id, 'all')
  const made = await sheets.rows(begun.id)
  expect(await ask('getRisk', { id: made[0]!.record!.id })).toMatchObject({ likelihood: null })
})

test('a row that is none is left out of the plan, and what it was in the way of is planned again', async () => {
  const planned = await sheets.bring('risk', 'Title,External id\nA,o-1\nB,o-1\nSee page 2,\n')
  expect(planned.planned).toMatchObject({ create: 2, error: 1 })
  const leave = (rows: number[]) => ask<TestBulkChange>('leaveOutImportRows', { id: planned.id, rows })
  expect(await refusal(leave([2, 9]))).toMatchObject({ members: { errors: [{ path: 'rows' }] } })
  expect(await leave([4, 2])).toMatchObject({ rowCount: 1, planned: { create: 1, error: 0 } })
  // They are told, and come back in when they are wanted, or with the file.
  const restore = (rows: number[]) => ask<TestBulkChange>('restoreImportRows', { id: planned.id, rows })
  const leftOut = [
    { number: 2, text: 'A · o-1', isTotal: false },
    { number: 4, text: 'See page 2', isTotal: false },
  ]
  const told = await ask<TestBulkChange>('getBulkChange', { id: planned.id })
  expect(told.leftOut).toEqual({ count: 2, rows: leftOut })
  expect(await refusal(restore([2, 3]))).toMatchObject({ members: { errors: [{ path: 'rows' }] } })
  expect(await restore([2])).toMatchObject({
    ...{ rowCount: 2, planned: { create: 1, error: 1 } },
    leftOut: { count: 1, rows: leftOut.slice(1) },
  })
  expect((await sheets.plan(planned)).leftOut.count).toBe(1)
  await leave([2])
  const done = await sheets.apply(planned.id, 'all')
  expect(done.done).toMatchObject({ created: 1 })
  expect((await sheets.rows(planned.id))[0]!.record).toMatchObject({ title: 'B' })
  expect(await refusal(leave([3]))).toMatchObject({ code: 'conflict' })
  // Also once the others are written.
  expect(await restore([4])).toMatchObject({
    stage: 'planned',
    planned: { create: 1 },
    leftOut: { count: 1 },
  })
  expect((await sheets.apply(planned.id, 'all')).done).toMatchObject({ created: 2 })
})

test('an import is seen by who began it and by admins, and asks for what its records take', async () => {
  const editor = await acme.person('editor')
  const other = await acme.person('editor')
  const viewer = await acme.person('viewer')
  const begun = await sheetsOf(one, editor).begin('risk', 'Title\nA\n')
  const read = (caller: typeof editor) => refusal(one.call(caller, 'getBulkChange', { id: begun.id }))
  expect(await read(acme.admin)).toBeNull()
  expect(await read(other)).toMatchObject({ code: 'not_found' })
  expect(await read(viewer)).toMatchObject({ status: 403 })
  expect(await refusal(one.call(viewer, 'startImport', { type: 'risk', name: 'x' }))).toMatchObject({
    status: 403,
  })
  const elsewhere = await one.organization()
  expect(await read(elsewhere.admin)).toMatchObject({ code: 'not_found' })
})

test('what was planned of one record is not done to another that its words have come to mean', async () => {
  const add = (name: string) =>
    ask<{ id: string }>('createAsset', { name, type: 'server', externalId: 'rack-1' })
  const { id } = await add('Planned')
  const planned = await sheets.bring('asset', 'External id,Name,Location\nrack-1,Planned,Vienna\n')
  expect(planned.planned).toMatchObject({ change: 1 })
  await ask('updateAsset', { id, externalId: 'rack-2' })
  const other = await add('Another')
  expect((await sheets.apply(planned.id)).done).toMatchObject({ changed: 0, refused: 1 })
  expect(await ask('getAsset', { id: other.id })).toMatchObject({ version: 1, name: 'Another' })
})

test('what could not be carried out is planned again, and what was written stays written once', async () => {
  const { id } = await ask<{ id: string }>('createRisk', { title: 'Old', externalId: 'again-1' })
  const move = (description: string) => ask('updateRisk', { id, description })
  const planned = await sheets.bring('risk', 'External id,Title\nagain-1,New\n,Added\n,Added\n')
  await move('before all or nothing')
  expect(await refusal(sheets.apply(planned.id, 'all'))).toMatchObject({
    message: expect.stringContaining('plan it again'),
  })
  expect((await sheets.plan(planned)).planned).toMatchObject({ create: 2, change: 1 })
  await move('before what is good')
  expect(await sheets.apply(planned.id)).toMatchObject({
    done: { created: 2, changed: 0, refused: 1 },
    doneBefore: null,
  })
  expect(await sheets.plan(planned)).toMatchObject({
    planned: { create: 0, change: 1 },
    doneBefore: { created: 2, changed: 0 },
  })
  expect(await sheets.apply(planned.id, 'all')).toMatchObject({
    done: { created: 2, changed: 1, refused: 0 },
    doneBefore: { created: 2, changed: 0 },
  })
  expect(await refusal(sheets.plan(planned))).toMatchObject({ code: 'conflict' })
  const { data } = await ask<{ data: unknown[] }>('listRisks', { q: 'Added' })
  expect(data).toHaveLength(2)
})

test('one file that is carried out twice at once asks whether it is meant', async () => {
  const csv = 'Title\nTwice at once\n'
  const both = [await sheets.bring('risk', csv), await sheets.bring('risk', csv)]
  const ended = await Promise.all(both.map(({ id }) => refusal(sheets.apply(id))))
  expect(ended.map((one) => one?.code ?? null).toSorted()).toEqual(['confirm_required', null])
})

test('a head of many letters is remembered as well', async () => {
  const letters = Array.from({ length: 30_000 }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
  )
  const head = `Title,${letters.join('')}\n`
  const planned = await sheets.plan(await sheets.begin('risk', `${head}A,B\n`), {
    columns: ['title', 'description'],
  })
  expect(planned.planned).toMatchObject({ create: 1 })
  expect(keysOf(await sheets.begin('risk', `${head}C,D\n`))).toEqual(['title', 'description'])
})

test('the template is a workbook that imports, without its example where that stands as it was', async () => {
  for (const type of ['vendor', 'evidence', 'control']) {
    const { body } = await one.call(acme.admin, 'getImportTemplate', { type })
    const { url, name } = body as { url: string; name: string }
    expect(name).toMatch(/-template\.xlsx$/)
    const response = await fetch(new URL(new URL(url).pathname, door.base))
    const bytes = Buffer.from(await response.arrayBuffer())
    const [sheet] = await readXlsx(bytes).then(({ sheets }) => sheets)
    const [head, example] = sheet!.rows
    const about = { name: 'About the columns', rows: [['Column']] }
    const filled = (rows: unknown[][]) => workbook(rows, 'Rows', [about])
    const titled = head!.findIndex((cell) => cell === 'Title' || cell === 'Name')
    const own = example!.with(titled, 'Ours')
    const planned = await sheets.bring(type, await filled([head!, example!, own]))
    expect(planned).toMatchObject({ rowCount: 1, planned: { create: 1 } })
    expect(planned.file!.top[1]).toMatchObject({ row: 2, isExample: true })
    // Written over, or in a file of anybody's, it is a row as any other.
    expect((await sheets.begin(type, await filled([head!, own]))).rowCount).toBe(1)
    expect((await sheets.begin(type, await workbook([head!, example!]))).rowCount).toBe(1)
    // The workbook as it comes has nothing to bring in yet.
    expect(await refusal(sheets.begin(type, bytes))).toMatchObject({ code: 'validation_failed' })
  }
})

test('of links that are made at their other end it is told where', async () => {
  const { fields } = await sheets.begin('control', 'Title,Risks\nA,\n')
  const told = new Map(fields.map(({ key, linkedFrom }) => [key, linkedFrom]))
  expect(told.get('links.risk')).toEqual({ one: 'risk', many: 'risks', column: 'Controls' })
  expect(told.get('title')).toBeNull()
})

test('a cell that names more than one may be linked with is told so, and none of them is looked for', async () => {
  const words = Array.from({ length: 9_000 }, (_, at) => `w${at}`).join('|')
  const planned = await sheets.bring('risk', `Title,links.control\nMany,${words}`)
  const [row] = await sheets.rows(planned.id)
  expect(row!.problems).toMatchObject([
    { column: 1, message: expect.stringMatching(/^names 9000, and one may be/) },
  ])
})
