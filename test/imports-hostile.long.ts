import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { permissionsOf } from '../server/limited-process.ts'
import type { Refusal } from '../server/refusal.ts'
import { PROGRAM, readFile } from '../server/sheets/read-file.ts'

/*
 * Promise: a file may be anything. What is too much, damaged or made to harm is refused with what to do about it, by a
 * process that has little memory; what people and spreadsheets really write is read.
 */

const read = async (bytes: Buffer | string, sheet: string | null = null) => {
  const { stretches, ...file } = await readFile('org', Buffer.from(bytes), sheet)
  return { ...file, rows: stretches.flatMap((one) => (JSON.parse(one) as { rows: unknown[] }).rows) }
}
const refused = (bytes: Buffer | string, sheet: string | null = null): Promise<string> =>
  read(bytes, sheet).then(
    () => 'read',
    (error: Refusal) => error.message,
  )

test.each([
  ['a mark and commas', '\uFEFFa,b\r\n1,"x ""y"" , z"\r\n', [[2, ['1', 'x "y" , z']]]],
  ['semicolons', 'a;b\n1,5;2\n', [[2, ['1,5', '2']]]],
  ['tabs and an empty row', 'a\tb\n\n1\t2\n', [[3, ['1', '2']]]],
  ['lines within quotation marks', 'a,b\n"1\n2",3\n', [[2, ['1\n2', '3']]]],
  ['the mark of a text', `a,b\n'=1,'x\n`, [[2, ['=1', "'x"]]]],
])('CSV with %s is read', async (_, text, rows) => {
  expect((await read(text)).rows).toEqual(rows)
})

test('CSV is read in the encodings that spreadsheets write', async () => {
  const text = 'Größe,ß\nä,€\n'
  const windows = Buffer.from([...text].map((letter) => ({ '€': 0x80 })[letter] ?? letter.charCodeAt(0)))
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [Buffer.from(text), windows, little, Buffer.from(little).swap16()])
    expect(await read(bytes)).toMatchObject({ head: ['Größe', 'ß'], rows: [[2, ['ä', '€']]] })
})

test('what CSV cannot be is refused', async () => {
  expect(await refused('')).toMatch(/empty/)
  expect(await refused('a,b\n1,\u0000\n')).toMatch(/U\+0000/)
  expect(await refused(`a\n${'x'.repeat(9_000_000)}\n`)).toMatch(/more than 1000000 letters/)
  expect(await refused(`a\n${'x'.repeat(60_001)}\n`)).toMatch(/60000 letters/)
  expect(await refused(`${'a,'.repeat(400)}\n`)).toMatch(/a row|columns/i)
  expect(await refused(`a\n${'1\n'.repeat(50_001)}`)).toMatch(/50000 rows/)
  expect(await refused('{"a": 1}')).toMatch(/list of objects/)
  expect(await refused('[1]')).toMatch(/list of objects/)
})

test('what JSON holds that nothing can keep is refused by its place', async () => {
  const within = (labels: string) => refused(`[{"title": "a", "labels": ${labels}}]`)
  expect(await within(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toMatch(
    /column 2 has more than 20 lists/,
  )
  expect(await within('["\\u0000"]')).toMatch(/column 2 has a letter U\+0000/)
  expect(await within('[{"\\ud800": 1}]')).toMatch(/half a letter/)
  expect(await within(`["${'x'.repeat(300_000)}"]`)).toMatch(/more than 262144 letters/)
})

test('whoever reads a file reaches neither the data beside the code, nor the network, nor another program', () => {
  const may = (what: string, of = '') =>
    execFileSync(
      process.execPath,
      [...permissionsOf({ file: PROGRAM }), '-p', `process.permission.has('${what}', ${of})`],
      {
        env: {},
        encoding: 'utf8',
      },
    ).trim()
  expect(may('fs.read', JSON.stringify(join(process.cwd(), 'node_modules')))).toBe('true')
  for (const path of ['data', 'data/master-key', '.env', '.git/config', '..'])
    expect(may('fs.read', JSON.stringify(join(process.cwd(), path))), path).toBe('false')
  for (const what of ['fs.write', 'net', 'child', 'worker', 'addon']) expect(may(what), what).toBe('false')
})

test('whoever reads a file opens no SQLite database and signals no process', () => {
  const probe = `
    const tried = (work) => { try { return String(work()) } catch (error) { return error.code ?? error.name } }
    console.log(JSON.stringify([
      tried(() => require('node:sqlite')),
      tried(() => process.kill(process.ppid, 0)),
      tried(() => process._kill(process.ppid, 0)),
      tried(() => process._debugProcess(process.ppid)),
      tried(() => require('node:os').setPriority(process.ppid, 0)),
      tried(() => process.binding('spawn_sync')),
      tried(() => require('node:ffi').dlopen('libc.so.6')),
    ]))`
  const text = execFileSync(process.execPath, [...permissionsOf({ file: PROGRAM }), '-e', probe], {
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const unknown = 'ERR_UNKNOWN_BUILTIN_MODULE'
  const gone = Array.from({ length: 4 }, () => 'TypeError')
  expect(JSON.parse(text)).toEqual([unknown, ...gone, 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})

test('rows without anything in them count', async () => {
  const blank = (rows: number) => `a,b\n1,2\n${',\n'.repeat(rows)}`
  expect((await read(blank(50_000))).rows).toEqual([[2, ['1', '2']]])
  expect(await refused(blank(50_001))).toMatch(/more than 50000 rows without anything in them/)
})

test('who sends many files at once keeps others waiting for few of them', async () => {
  const send = (organization: string) => readFile(organization, Buffer.from('a\n1\n'), null)
  const asked = [...Array.from({ length: 5 }, () => send('greedy')), send('other')]
  const ended = await Promise.allSettled(asked)
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, false, true])
  await expect(send('greedy')).resolves.toMatchObject({ head: ['a'] })
})

test('a workbook is read with its dates, its formulas as they came out, and the sheet that is wanted', async () => {
  const day = new Date('2026-05-17T00:00:00Z')
  const sheets = [
    {
      name: 'One',
      rows: [
        ['a', 'b'],
        [day, 1.5],
        [true, 'x\ny'],
      ],
    },
    { name: 'Zwei & drei', rows: [['c'], ['d']] },
  ]
  for (const dateSystem of ['1900', '1904'] as const) {
    const bytes = Buffer.from(await writeXlsx({ sheets, dateSystem } as never))
    expect(await read(bytes)).toEqual({
      sheets: ['One', 'Zwei & drei'],
      sheet: 'One',
      head: ['a', 'b'],
      headRow: 1,
      rows: [
        [2, [{ date: '2026-05-17T00:00:00.000Z' }, 1.5]],
        [3, [true, 'x\ny']],
      ],
    })
    expect(await read(bytes, 'Zwei & drei')).toMatchObject({ head: ['c'], rows: [[2, ['d']]] })
    expect(await refused(bytes, 'Drei')).toMatch(/no sheet Drei/)
  }
})

test('a workbook made to harm is refused', async () => {
  expect(
    await refused(archive({ 'xl/workbook.xml': workbook(), 'bomb.xml': ' '.repeat(300_000_000) })),
  ).toMatch(/more than 120 MB/)
  const lies = archive({ 'xl/workbook.xml': workbook(), 'bomb.xml': ' '.repeat(200_000_000) }, 10)
  expect(await refused(lies)).toMatch(/damaged|more than/)
  const entities =
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>'
  expect(
    await refused(archive({ 'xl/workbook.xml': workbook(), 'xl/worksheets/sheet1.xml': entities })),
  ).toMatch(/entities/)
  const wide = Buffer.from(entities, 'utf16le')
  expect(await refused(archive({ 'xl/workbook.xml': workbook(), 'x.xml': wide }))).toMatch(/entities/)
  expect(await refused(Buffer.from('PK\u0003\u0004 and nothing else'))).toMatch(/damaged/)
  expect(await refused(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]))).toMatch(/old form/)
})

test('what inflates to three hundred times its size takes less than 250 MB to refuse', async () => {
  const bomb = archive({ 'xl/workbook.xml': workbook(), 'bomb.xml': ' '.repeat(300_000_000) })
  expect(bomb.length).toBeLessThan(1_000_000)
  let peak = 0
  const looking = setInterval(() => {
    peak = Math.max(peak, ...childrenOf(process.pid).filter(isReader).map(peakMb))
  }, 5)
  const message = await refused(bomb)
  clearInterval(looking)
  expect(message).toMatch(/more than 120 MB/)
  expect(peak).toBeGreaterThan(20)
  expect(peak).toBeLessThan(250)
})

/** By what Linux tells of a process. */
const childrenOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const read = whole(`/proc/${pid}/task/${task}/children`)
    return read.split(' ').filter(Boolean)
  })
/** Until it has become the program, a child is a copy of this process, with the memory of this process. */
const isReader = (pid: string): boolean => whole(`/proc/${pid}/cmdline`).includes(PROGRAM)
const peakMb = (pid: string): number =>
  Number(/VmHWM:\s+(\d+)/.exec(whole(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
/** It may have ended meanwhile. */
function whole(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

test('formulas are what they came to, merged cells are their first, and no other workbook is asked', async () => {
  const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`
  const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = [
    row(1, text('A1', 'a') + text('B1', 'b') + text('C1', 'c')),
    row(
      2,
      `<c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>"x"&amp;"y"</f><v>xy</v></c><c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>`,
    ),
    row(3, `<c r="A3"><f>[1]Other!A1</f><v>7</v></c>${text('B3', 'merged')}`),
  ]
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData><mergeCells count="1"><mergeCell ref="B3:C3"/></mergeCells></worksheet>`
  const linked = workbook().replace(
    '</workbook>',
    `<externalReferences><externalReference r:id="rId9"/></externalReferences></workbook>`,
  )
  const outside = `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/externalLinkPath" Target="http://127.0.0.1:9/other.xlsx" TargetMode="External"/></Relationships>`
  const file = await read(
    archive({
      'xl/workbook.xml': linked,
      ...REST,
      'xl/worksheets/sheet1.xml': sheet,
      'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${MAIN}"/>`,
      'xl/externalLinks/_rels/externalLink1.xml.rels': outside,
    }),
  )
  expect(file.rows).toEqual([
    [2, [2, 'xy', '#DIV/0!']],
    [3, [7, 'merged']],
  ])
})

test.each([
  ['twice', [1, 2, 2]],
  ['downwards', [3, 2, 1]],
  ['below one', [1, -5, 2]],
  ['by no whole number', [1, 'x', '2.5']],
  ['further than any sheet goes', [1, 2, 99_999_999_999]],
])('rows that are numbered %s are refused', async (_, numbers) => {
  const rows = numbers.map((at) => `<row r="${at}"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>`)
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData></worksheet>`
  expect(
    await refused(archive({ 'xl/workbook.xml': workbook(), ...REST, 'xl/worksheets/sheet1.xml': sheet })),
  ).toMatch(/numbered upwards/)
})

test('a million empty rows and fifty megabytes of shared strings end neither the service nor its reader', async () => {
  const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="A2"><v>1</v></c></row>${Array.from({ length: 1_000_000 }, (_, at) => `<row r="${at + 3}"/>`).join('')}`
  const file = { 'xl/workbook.xml': workbook(), ...REST }
  const sheet = (data: string) => `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`
  expect(await read(archive({ ...file, 'xl/worksheets/sheet1.xml': sheet(rows) }))).toMatchObject({
    head: ['a'],
    rows: [[2, [1]]],
  })
  const strings = `<sst xmlns="${MAIN}">${`<si><t>${'x'.repeat(1_000)}</t></si>`.repeat(50_000)}</sst>`
  const shared = { ...file, 'xl/sharedStrings.xml': strings }
  const one = '<row r="1"><c r="A1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c></row>'
  expect(await refused(archive({ ...shared, 'xl/worksheets/sheet1.xml': sheet(one) }))).toMatch(
    /^read$|memory/,
  )
})

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const workbook = () =>
  `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`
const REST = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
}

/** An archive by hand. @param said what it says of the size of each part, where that is a lie */
function archive(parts: Record<string, string | Buffer>, said?: number): Buffer {
  const out: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(parts)) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain, { level: 9 })
    const name = Buffer.from(path)
    const size = said !== undefined && plain.length > 1_000_000 ? said : plain.length
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(size, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    out.push(head, name, packed)
    central.push(entry, name)
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...out, directory, end])
}
