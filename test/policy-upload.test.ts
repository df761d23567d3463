import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { chosenFiles } from '../web/pages/policies/upload/chosen-files.ts'
import { titleOf, typeOf } from '../web/pages/policies/upload/guess.ts'
import { readPolicyFile } from '../web/pages/policies/upload/read-file.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { startTestService, type TestService } from './support/service.ts'
import { zipOf } from './support/zip.ts'

/* Promise: a file of a policy becomes a policy with its text, its title and its type, or says why it does not. */

test.each([
  ['POL-003_access-control-policy_v1.2 (final).docx', 'Access control policy', 'policy'],
  ['AccessControlPolicy.md', 'Access control policy', 'policy'],
  ['ISMS-P-07 Incident Response Procedure 2024-05-01 DRAFT.pdf', 'Incident Response Procedure', 'procedure'],
  ['01 - Acceptable Use Policy (1).docx', 'Acceptable Use Policy', 'policy'],
  ['3.2 Password Standard rev. 4.txt', 'Password Standard', 'standard'],
  ['secure_coding_guidelines.md', 'Secure coding guidelines', 'guideline'],
  ['Business-Continuity-Plan.docx', 'Business Continuity Plan', 'plan'],
  ['Policy handbook.docx', 'Policy handbook', 'handbook'],
  ['Passwortrichtlinie Entwurf.docx', 'Passwortrichtlinie', 'policy'],
  ['Notfallplan_2025.docx', 'Notfallplan', 'plan'],
  ['Verfahrensanweisung Berechtigungen v2.docx', 'Verfahrensanweisung Berechtigungen', 'procedure'],
  ['Politique de sécurité.docx', 'Politique de sécurité', 'policy'],
  ['Procedimiento de respuesta a incidentes.docx', 'Procedimiento de respuesta a incidentes', 'procedure'],
  ['ISO27001.md', 'ISO27001', 'policy'],
  ['ISO 27001 Information security policy.md', 'ISO 27001 Information security policy', 'policy'],
  ['Non-disclosure agreement.md', 'Non-disclosure agreement', 'policy'],
  ['GDPR Policy.md', 'GDPR Policy', 'policy'],
  ['2024.md', '2024', 'policy'],
  ['.md', '.md', 'policy'],
  ['v1.md', 'V1', 'policy'],
  ['情報セキュリティ方針.md', '情報セキュリティ方針', 'policy'],
])('%s is called %s, a %s', (file, title, type) => {
  expect(titleOf(file)).toBe(title)
  expect(typeOf(titleOf(file))).toBe(type)
})

test('no name is without a title, or with one that is too long or cannot be seen', () => {
  for (const name of [...HOSTILE_TEXTS, 'x'.repeat(400), '\u202efdp.exe', '   ', '1'.repeat(50_000)]) {
    const title = titleOf(`${name}.md`)
    expect(title.length).toBeGreaterThan(0)
    expect(title.length).toBeLessThanOrEqual(200)
  }
})

const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name)

test.each([
  ['a.md', '# Clean desk\r\n\r\nClear it.\r\n', { title: 'Clean desk', content: 'Clear it.\n' }],
  ['clean-desk.md', 'Clear it.', { title: 'Clean desk', content: 'Clear it.' }],
  [
    'a.md',
    '---\ntitle: "Clean desk"\nid: 4\n---\n\n# Clean desk\n\nClear it.',
    { title: 'Clean desk', content: 'Clear it.', notes: ['Fields above the text were not imported: id.'] },
  ],
  [
    'a.md',
    '---\ntitle: Clean desk\n---\n# Purpose\n\nIt is.',
    { title: 'Clean desk', content: '# Purpose\n\nIt is.' },
  ],
  [
    'a.md',
    '# **Clean** `desk`\nClear {{company}} of {{organization.name}}.',
    { title: 'Clean desk', content: 'Clear \\{\\{company}} of {{organization.name}}.' },
  ],
  [
    'clean_desk.txt',
    '# 1. Clear *it*\nby six\n\n- and lock',
    { title: 'Clean desk', content: '\\# 1. Clear \\*it\\*  \nby six\n\n\\- and lock' },
  ],
  [
    'a.html',
    '<html><head><title>Clean desk</title><script>x</script></head><body><h2>Purpose</h2><p onclick=x>Clear <b>it</b>',
    { title: 'Clean desk', content: '## Purpose\n\nClear **it**' },
  ],
  ['Clean_desk.pdf', '%PDF-1.7', { title: 'Clean desk', content: null }],
  ['a.md', new Uint8Array([0xff, 0xfe, 0x5a, 0, 0xfc, 0]), { title: 'A', content: 'Zü' }],
  ['a.md', new Uint8Array([0x5a, 0xfc]), { title: 'A', content: 'Zü' }],
  ['a.md', new Uint8Array([0xef, 0xbb, 0xbf, 0x5a]), { title: 'A', content: 'Z' }],
])('%s is read: %j', async (name, content, read) => {
  expect(await readPolicyFile(file(name, content))).toEqual({ lost: [], ...read })
})

const FIELDS_LEFT = (names: string) => [`Fields above the text were not imported: ${names}.`]
const DESK = '# Clean desk\n\nClear it.'
const read = { title: 'Clean desk', content: 'Clear it.' }

test.each([
  // YAML whose first line is missing.
  [
    'a.md',
    'name: Clean desk\nacronym: CDP\nsatisfies:\n  TSC:\n    - CC6.1\n---\n# Purpose\n\nIt is.',
    { title: 'Clean desk', content: '# Purpose\n\nIt is.', notes: FIELDS_LEFT('acronym, satisfies') },
  ],
  // A title that says nothing.
  ['a.md', `---\ntitle: ''\nlabels: desk\n---\n\n${DESK}`, { ...read, notes: FIELDS_LEFT('labels') }],
  ['a.md', `---\ntitle:\n---\n\n${DESK}`, read],
  [
    'a.md',
    `---\nversion: 1.2\nowner: Ada\napproved: 2024-01-02\n---\n${DESK}`,
    { ...read, notes: FIELDS_LEFT('version, owner, approved') },
  ],
  // TOML, Docusaurus and Jekyll.
  [
    'a.md',
    `+++\ntitle = "Clean desk"\ndraft = true\n[params]\nx = 1\n+++\n${DESK}`,
    { ...read, notes: FIELDS_LEFT('draft, params') },
  ],
  [
    'a.md',
    `---\nid: desk\ntitle: >-\n  Clean\n  desk\nsidebar_position: 3\n---\n\n# Clean desk {#desk}\n\nClear it.`,
    { ...read, notes: FIELDS_LEFT('id, sidebar_position') },
  ],
  [
    'a.md',
    `---\nlayout: page\ntitle: "Clean {{ x }}" desk\n---\nClear it.`,
    { title: 'Clean {{ x }}" desk', content: 'Clear it.', notes: FIELDS_LEFT('layout') },
  ],
  // A mark of the order of bytes and the line ends of Windows.
  ['a.md', '\ufeff---\r\ntitle: Clean desk\r\n---\r\n\r\n# Clean desk\r\n\r\nClear it.', read],
  // Headings of other forms.
  ['a.md', 'Clean desk\n==========\n\nClear it.', read],
  [
    'a.md',
    'Clean desk\n----------\n\n### Purpose\n\nClear it.',
    { title: 'Clean desk', content: '### Purpose\n\nClear it.' },
  ],
  [
    'clean-desk.md',
    'Purpose\n-------\n\nClear it.\n\nScope\n-----\n\nAll.',
    { title: 'Clean desk', content: 'Purpose\n-------\n\nClear it.\n\nScope\n-----\n\nAll.' },
  ],
  ['clean-desk.md', '## Purpose\n\nClear it.', { title: 'Clean desk', content: '## Purpose\n\nClear it.' }],
  ['a.md', '# **Clean desk**\n\nClear it.', read],
  [
    'a.md',
    '**Clean desk**\n\n### Purpose\n\nIt is.',
    { title: 'Clean desk', content: '### Purpose\n\nIt is.' },
  ],
  ['clean-desk.md', '**Note**\n\nClear it.', { title: 'Clean desk', content: '**Note**\n\nClear it.' }],
  // Comments above, and a title that is the name of the file.
  [
    'a.md',
    `<!-- Licence: CC0\n-->\n\n${DESK}`,
    { ...read, notes: ['Comments above the text were not imported.'] },
  ],
  ['clean-desk.md', '---\ntitle: clean-desk\n---\nClear it.', read],
  ['clean_desk.md', `---\ntitle: clean_desk.md\n---\n${DESK}`, read],
  // Neither is a field: a heading, and two rules.
  [
    'a.md',
    'Clean desk: all\n---\n\n### Purpose\n\nIt is.',
    { title: 'Clean desk: all', content: '### Purpose\n\nIt is.' },
  ],
  [
    'clean-desk.md',
    '---\n\nClear it.\n\n---\n\nLock.',
    { title: 'Clean desk', content: '---\n\nClear it.\n\n---\n\nLock.' },
  ],
])('%s is read with what is above its text: %j', async (name, content, expected) => {
  expect(await readPolicyFile(file(name, content))).toEqual({ lost: [], ...expected })
})

test('hostile fields are read in time, and give no fault', async () => {
  const anchors = Array.from({ length: 30 }, (_, at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(at && 9)}]`)
  for (const content of [
    `---\n${anchors.join('\n')}\n---\n${DESK}`,
    `title: x\n${'   \n'.repeat(5_000)}`,
    `${'<!-- -->\n'.repeat(20_000)}${DESK}`,
    `${'<!--'.repeat(50_000)}`,
    `${'\n'.repeat(100_000)}x`,
    `---\n${'a:\n'.repeat(6_000)}---\n${DESK}`,
    `---\n__proto__: 1\nconstructor: 2\n---\n${DESK}`,
  ])
    expect((await readPolicyFile(file('a.md', content))).title.length).toBeGreaterThan(0)
})

test.each([
  ['a mail gateway', '\r\nX-Scanned: yes\r\n%PDF-1.7', true],
  ['white space and a mark of the order of bytes', '\ufeff \n%PDF-1.7', true],
  ['1,019 bytes', `${'x'.repeat(1_019)}%PDF-1.7`, true],
  ['1,020 bytes', `${'x'.repeat(1_020)}%PDF-1.7`, false],
  ['a picture', 'GIF89a%PDF-1.7', false],
  ['an archive', 'PK\u0003\u0004%PDF-1.7', false],
])('a PDF with bytes of %s before its header', async (_, content, isTaken) => {
  const reading = readPolicyFile(file('Clean_desk.pdf', content))
  if (isTaken) expect(await reading).toMatchObject({ title: 'Clean desk', content: null })
  else await expect(reading).rejects.toThrow(/no PDF/)
})

test.each([
  ['a.doc', 'PK', /save it as .docx/],
  ['a.docx', '', /empty/],
  ['a.pdf', 'Not one', /no PDF/],
  ['a.docx', '%PDF-1.7', /no Word document/],
  ['a.md', '', /empty/],
  ['a.md', '# Title alone', /empty/],
  ['a.md', 'a\0b', /no text in it/],
  ['a.md', 'x'.repeat(600_001), /longer than a policy/],
])('%s is refused', async (name, content, words) => {
  await expect(readPolicyFile(file(name, content))).rejects.toThrow(words)
})

const packed = (name: string, entries: Parameters<typeof zipOf>[0]) =>
  new File([new Uint8Array(zipOf(entries))], name)
const titled = (title: string) =>
  packed('POL-7_clean_desk_v2.docx', [
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'docProps/core.xml',
      content: `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
    },
  ])

test.each([
  ['Clean desk &amp; clear screen', 'Clean desk & clear screen'],
  ['  Sch&#252;tzen \u202e ', 'Schützen'],
  ...['Document1', 'Microsoft Word - x', 'Untitled', '', 'old name.docx', '...'].map((title) => [
    title,
    'Clean desk',
  ]),
])('a Word document whose properties say “%s” is called %s', async (title, called) => {
  expect((await readPolicyFile(titled(title!))).title).toBe(called)
})

test.each([
  ['Title', '<w:name w:val="Title"/>', 'Title', 'Clean desk &amp; screen'],
  ['Titel', '<w:name w:val="Title"/>', 'Titel', 'Clean desk &amp; screen'],
])(
  'a Word document is called as its first paragraph in the style %s',
  async (id, nameElement, used, words) => {
    const document = packed('POL-7_v2.docx', [
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'docProps/core.xml', content: '<cp:coreProperties><dc:title></dc:title></cp:coreProperties>' },
      {
        name: 'word/styles.xml',
        content: `<w:styles><w:style w:styleId="${id}" w:type="paragraph">${nameElement}</w:style></w:styles>`,
      },
      {
        name: 'word/document.xml',
        content: `<w:body><w:p><w:r><w:t>ACME</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="${used}"/></w:pPr><w:r><w:t xml:space="preserve">Clean </w:t></w:r><w:r><w:t>${words.slice(6)}</w:t></w:r></w:p></w:body>`,
      },
    ])
    expect((await readPolicyFile(document)).title).toBe('Clean desk & screen')
  },
)

test('an archive is the files in it, and what is no file of its own in it is none', async () => {
  const bomb = { name: 'bomb.md', deflated: deflateRawSync(Buffer.alloc(60 * 1024 * 1024)), bytes: 10 }
  const archive = packed('all.zip', [
    { name: 'policies/' },
    { name: 'policies/clean-desk.md', content: '# Clean desk\n\nClear it.' },
    { name: '../../etc/up.md', content: 'x', method: 0 },
    { name: '__MACOSX/._clean-desk.md', content: 'x' },
    { name: '.DS_Store', content: 'x' },
    { name: 'link.md', content: '/etc/passwd', mode: 0o120_777 },
    { name: 'secret.md', content: 'x', flags: 0x801 },
    { name: Buffer.from([0xfc, 0x2e, 0x6d, 0x64]), content: 'x' },
    bomb,
    { name: 'torn.md', deflated: Buffer.from([0xff, 0xff]), bytes: 2 },
  ])
  const files = await chosenFiles([archive, file('alone.md', 'x')], 40)
  expect(files.map(({ name }) => name)).toEqual([
    'clean-desk.md',
    'up.md',
    'ü.md',
    'bomb.md',
    'torn.md',
    'alone.md',
  ])
  expect(await readPolicyFile(files[0]!)).toMatchObject({ title: 'Clean desk', content: 'Clear it.' })
  for (const broken of files.slice(3, 5)) await expect(readPolicyFile(broken)).rejects.toThrow(/archive/)
  // Of those that are not needed the names are known, and no byte is read.
  expect((await chosenFiles([archive], 1)).map(({ size }) => size > 0)).toEqual([
    true,
    ...Array(4).fill(false),
  ])
  for (const none of [
    file('none.zip', 'PK'),
    packed('empty.zip', []),
    file('cut.zip', new Uint8Array(zipOf([bomb]).subarray(0, 900))),
  ]) {
    const [itself] = await chosenFiles([none], 40)
    await expect(readPolicyFile(itself!)).rejects.toThrow(/no ZIP archive/)
  }
})

test('a file is called what is seen of its name, and ends in what it ends in', async () => {
  const files = [
    file('a\u202efdp.docx', 'x'),
    file(`a/b\\c\u0000\u200b.pdf`, 'x'),
    file(`${'x'.repeat(300)}.pdf`, 'x'),
    packed('all.zip', [{ name: 'p/\u2066a\u2069.md', content: 'x' }]),
  ]
  const names = (await chosenFiles(files, 40)).map(({ name }) => name)
  expect(names).toEqual(['afdp.docx', 'a b c.pdf', `${'x'.repeat(251)}.pdf`, 'a.md'])
})

let one: TestService
beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one?.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of every form
const as = async (caller: Caller, name: string, input: object = {}): Promise<any> =>
  (await one.call(caller, name, input)).body

test('a policy from a file stands with its draft, and says where its text is from', async () => {
  const { admin, person } = await one.organization()
  const editor = await person('editor')
  const owner = { type: 'user', refId: editor.userId }
  const given = {
    fileName: 'desk "v2".md',
    name: 'Clean desk',
    documentType: 'standard',
    owner,
    content: 'Clear it.',
  }
  const policy = await as(editor, 'createPolicyFromFile', given)
  expect(policy).toMatchObject({
    ...{
      name: 'Clean desk',
      documentType: 'standard',
      origin: 'uploaded',
      status: 'draft',
      versionLabel: '1.0',
    },
    owner: { refId: editor.userId },
  })
  const { data } = await as(admin, 'listPolicyVersions', { policyId: [policy.id] })
  const version = await as(admin, 'getPolicyVersion', { id: data[0].id })
  expect(version).toMatchObject({
    ...{ id: policy.draftVersionId, title: 'Clean desk', content: 'Clear it.', status: 'draft' },
    ...{ changelog: 'From the file “desk "v2".md”', author: { id: editor.userId } },
  })
})

test('what is refused leaves neither a policy nor a text, and names the field', async () => {
  const { admin, person } = await one.organization()
  const refusal = async (more: object, by = admin) =>
    as(by, 'createPolicyFromFile', { fileName: 'a.md', name: 'A', content: 'A', ...more }).catch(
      (error: Refusal) => ({
        code: error.code,
        paths: (error.members?.errors as { path: string }[] | undefined)?.map(({ path }) => path),
      }),
    )
  const other = (await one.organization()).admin
  const stranger = { type: 'user', refId: other.userId }
  expect(await refusal({ content: 'For {{company}}' })).toMatchObject({ paths: ['content'] })
  expect(await refusal({ content: ' ' })).toMatchObject({ paths: ['content'] })
  expect(await refusal({ name: 'x'.repeat(201) })).toMatchObject({ paths: ['name'] })
  expect(await refusal({ owner: stranger })).toMatchObject({ code: 'principal_not_found' })
  expect(await refusal({}, await person('viewer'))).toMatchObject({ code: 'capability_required' })
  expect((await as(admin, 'listPolicies')).data).toEqual([])
})
