import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Refusal } from '../server/refusal.ts'
import { sendFile } from './support/files.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { type Packed, zipOf } from './support/zip.ts'

/*
 * Promise: what is taken as a Word document is one by what is in it, has no macros, shows nothing that is not in it, and
 * costs little to look at.
 */

let one: TestService
let acme: TestOrganization
let author: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  author = await acme.person('editor')
})
afterAll(() => one.close())

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const types = (parts: readonly [name: string, type: string][], quote = '"') =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${parts
    .map(([name, type]) => `<Override PartName=${quote}${name}${quote} ContentType=${quote}${type}${quote}/>`)
    .join('')}</Types>`
const listed = (content: string): Packed => ({ name: '[Content_Types].xml', content })
const text: Packed = { name: 'word/document.xml', content: '<w:document/>' }
const whole = [listed(types([['/word/document.xml', MAIN]])), text]
/** Such as scanned pages, which need not be packed. */
const large: Packed = { name: 'word/media/scan.png', content: Buffer.alloc(1_100_000, 7), method: 0 }
const zeros = deflateRawSync(Buffer.alloc(1_000_000))

const taken = async (name: string, entries: readonly Packed[] | Buffer): Promise<string | null> => {
  const bytes = Buffer.isBuffer(entries) ? entries : zipOf(entries)
  const { id } = await sendFile(one, author, name, bytes)
  return one.call(author, 'createPolicyFromFile', { fileName: name, name: `From ${name}`, fileId: id }).then(
    () => null,
    (error: Refusal) => {
      const { path, message } = (error.members.errors as { path: string; message: string }[])[0]!
      expect([error.code, path]).toEqual(['validation_failed', 'fileId'])
      return message
    },
  )
}

test('a Word document is taken, wherever its text stands', async () => {
  expect(await taken('plain.docx', whole)).toBeNull()
  expect(await taken('scans.docx', [...whole, large])).toBeNull()
  const elsewhere = types([['/word/document2.xml', MAIN]], "'")
  expect(await taken('online.docx', [listed(elsewhere), { ...text, name: 'word/document2.xml' }])).toBeNull()
})

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (name: string, ...tags: string[]): Packed => ({
  name: `word/_rels/${name}.xml.rels`,
  content: `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${tags.join('')}</Relationships>`,
})
const outside = (type: string, target: string) =>
  `<Relationship Id="r1" Type="${RELATIONS}/${type}" Target="${target}" TargetMode="External"/>`
const within = (type: string, target: string) =>
  `<Relationship Id="r2" Type="${RELATIONS}/${type}" Target="${target}"/>`

test('links, pictures of its own and the template that lay on a disk are parts of any document', async () => {
  const links = [
    'https://a.example/?a=1&amp;b=2',
    'mailto:a@a.example',
    'javascript:alert(1)',
    'data:text/html,x',
  ]
  const document = relations(
    ...(['document', within('image', 'media/a.png')] as const),
    ...links.map((target) => outside('hyperlink', target)),
    ...[within('customXml', '../customXml/item1.xml')],
  )
  const settings = (target: string) => relations('settings', outside('attachedTemplate', target))
  expect(await taken('links.docx', [...whole, document])).toBeNull()
  for (const place of ['file:///C:\\T\\Acme.dotm', 'file:///\\\\server\\Acme.dotx', 'Acme.dotx'])
    expect(await taken('template.docx', [...whole, document, settings(place)])).toBeNull()
})

/** The text of a document, in which programs write fields run by run. */
const saying = (inner: string, name = 'word/document.xml'): Packed => ({
  name,
  content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="a"><w:body>${inner}</w:body></w:document>`,
})
const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const instruction = (...pieces: string[]) =>
  pieces.map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`).join('')
const field = (...pieces: string[]) =>
  `${char('begin')}${instruction(...pieces)}${char('separate')}<w:r><w:t>INCLUDEPICTURE</w:t></w:r>${char('end')}`
const simple = (words: string) => `<w:p><w:fldSimple w:instr="${words}"/></w:p>`
const document = (inner: string, ...more: Packed[]) => [whole[0]!, saying(inner), ...more]

test('fields of its own, links and drawings are parts of any document', async () => {
  const inner = [
    field(' HYPER', 'LINK "https://a.example/', 'dde/import', ' link" \\o "Follow the link"'),
    `${char('begin')}${instruction(' TOC \\o "1-3"')}${char('separate')}${field(' PAGEREF _Toc1 \\h ')}${char('end')}`,
    `${char('begin')}${instruction('IF')}${field('PAGE')}${instruction(' = 1 "a" "b"')}${char('end')}`,
    `${simple(' DATE \\@ &quot;d&quot; ')}<w:t>DDEAUTO c:\\a</w:t><w:hyperlink r:id="r1"/><a:hlinkClick r:id="r1"/>`,
    '<a:blip r:embed="r2" r:link=""/><v:shape href="https://a.example"/><v:fill color="red"/>',
    '<v:imagedata r:id="r2" o:title="src=https://a.example" o:href="cid:image001.png@01"/>',
  ]
  const relation = relations('document', outside('hyperlink', 'https://a.example'), within('image', 'a.png'))
  expect(await taken('fields.docx', document(inner.join(''), relation, { name: 'word/a.png' }))).toBeNull()
  // Long, and in many pieces, with pictures between: it is read on as it comes.
  const pages = Array.from({ length: 150 }, (_, at) => [
    saying(`<w:t>${'Text. '.repeat(300)}</w:t>${field(' PAGE ')}`, `word/header${at}.xml`),
    { name: `word/media/${at}.bin`, content: Buffer.alloc(20_000, 7), method: 0 },
  ])
  expect(await taken('long.docx', document('', ...pages.flat(), large))).toBeNull()
})

const OTHER = 'is no Word document'
const ELSEWHERE = 'shows what is not in it'
const REFUSED: readonly [name: string, entries: readonly Packed[] | Buffer, why: string][] = [
  ['any-zip.docx', [{ name: 'a.txt', content: 'Text' }], OTHER],
  ['no-text.docx', whole.slice(0, 1), OTHER],
  ['no-types.docx', [text], OTHER],
  [
    'sheet.docx',
    [listed(types([['/word/document.xml', MAIN.replace('document.main', 'template.main')]])), text],
    OTHER,
  ],
  ['in-a-comment.docx', [listed(`<Types><!-- ${MAIN} /word/document.xml --></Types>`), text], OTHER],
  ['cut-off.docx', zipOf(whole).subarray(0, 120), OTHER],
  [
    'macros.docx',
    [
      listed(
        types([
          ['/word/document.xml', MAIN],
          ['/word/vbaProject.bin', 'application/vnd.ms-office.vbaProject'],
        ]),
      ),
      text,
    ],
    'has macros',
  ],
  [
    'linked-picture.docx',
    [...whole, relations('document', outside('image', 'https://e.example/p.png'))],
    ELSEWHERE,
  ],
  [
    'in-its-head.docx',
    [...whole, large, relations('header1', outside('image', '\\\\e.example\\p.png'))],
    ELSEWHERE,
  ],
  [
    'written-otherwise.docx',
    [
      ...whole,
      relations(
        'document',
        `<p:Relationship Id='a>b' TargetMode='&#69;xternal'\n Type='${RELATIONS}/image' Target='https://e.example'/>`,
      ),
    ],
    ELSEWHERE,
  ],
  [
    'linked-object.docx',
    [...whole, relations('document', outside('oleObject', 'https://e.example/a'))],
    ELSEWHERE,
  ],
  ['frame.docx', [...whole, relations('webSettings', outside('frame', 'https://e.example/a'))], ELSEWHERE],
  [
    'template-of-the-web.docx',
    [...whole, relations('settings', outside('attachedTemplate', 'https://e.example/a.dotm'))],
    'fetches a template',
  ],
  [
    'template-of-a-share.docx',
    [...whole, relations('settings', outside('attachedTemplate', '\\\\e.example@80\\a.dotm'))],
    'fetches a template',
  ],
  ['chunk.docx', [...whole, relations('document', within('aFChunk', 'a.html'))], 'of another format'],
  ['entity.docx', [...whole, relations('document', within('aFChu&#110;k', 'a.html'))], OTHER],
  [
    'other-encoding.docx',
    [
      ...whole,
      { ...relations('document'), content: Buffer.from(outside('image', 'https://e.example'), 'utf16le') },
    ],
    OTHER,
  ],
  ...(
    [
      [simple('INCLUDEPICTURE &quot;https://e.example/p.png&quot; \\d'), 'INCLUDEPICTURE'],
      [simple('&#73;ncludePicture &quot;p.png&quot;'), 'INCLUDEPICTURE'],
      [field(' INC', 'LUDE', 'PICTURE "https://e.example" \\d'), 'INCLUDEPICTURE'],
      [field(' INCLUDE<!-- - -->TE<![CDATA[XT]]> "https://e.example/a.docx" '), 'INCLUDETEXT'],
      [field('INC', 'passed over', 'LUDETEXT "https://e.example"'), 'INCLUDETEXT'],
      [field(' LINK Excel.Sheet.8 "https://e.example/a.xls" a \\a '), 'LINK'],
      [simple(' DDEAUTO c:\\\\a.exe &quot;b&quot;'), 'DDEAUTO'],
      [field('dde', ' excel "a" "b"'), 'DDE'],
      [`${char('begin')}${field('QUOTE 68 68 69')}${instruction(' a')}${char('end')}`, 'another one names'],
      ['<w:delInstrText>INCLUDETEXT "a"</w:delInstrText>', 'INCLUDETEXT'],
      ['<v:imagedata src="https://e.example/p.png"/>', 'imagedata'],
      [`<v:imagedata alt=" src='data:" o:href="\\\\e.example\\p.png" o:title="'"/>`, 'imagedata'],
      ['<v:fill r:id="r2" src="p.png"/>', 'fill'],
      ['<a:blip r:embed="r2" r:link="r1"/>', 'a linked picture'],
      ['<v:imagedata r:id="r1"/>', 'a link in place of'],
      ['<w:mailMerge/>', 'a mail merge'],
      ['<wp15:webVideoPr embeddedHtml="a"/>', 'a video'],
      ['<o:OLEObject Type="Link" r:id="r2"/>', 'a linked object'],
    ] as const
  ).map(([inner, what]): (typeof REFUSED)[number] => [
    'within.docx',
    document(
      '',
      saying(inner, 'word/footer1.xml'),
      relations('footer1', outside('hyperlink', 'https://e.example')),
    ),
    what,
  ]),
  ...(
    ['https://e.example/p.png', '\\\\e.example\\p.png', '//e.example/p', 'ht\ntps://e.example'] as const
  ).map((target): (typeof REFUSED)[number] => [
    'not-outside.docx',
    [...whole, relations('document', within('image', target))],
    'a relationship “image” to another place',
  ]),
  [
    'told-twice.docx',
    [
      ...whole,
      relations(
        'document',
        `<Relationship Id=" TargetMode='Internal' " Target="https://e.example/ Type='${RELATIONS}/hyperlink' " Type="${RELATIONS}/image" TargetMode="External"/>`,
      ),
    ],
    ELSEWHERE,
  ],
  ...['oleObject', 'control'].map((type): (typeof REFUSED)[number] => [
    'object.docx',
    [...whole, relations('document', within(type, 'embeddings/a.bin'))],
    `an object of another program (${type})`,
  ]),
  [
    'picture-that-is-text.docx',
    [
      ...whole,
      saying(simple('INCLUDETEXT a'), 'word/a.png'),
      relations('document', within('image', 'a.png'), within('header', './%61.png')),
    ],
    'INCLUDETEXT',
  ],
  [
    'vector-picture.docx',
    [
      ...whole,
      { name: 'word/a.svg', content: '<svg><image xlink:href="https://e.example/a.png"/></svg>' },
      relations('document', within('image', 'a.svg')),
    ],
    ELSEWHERE,
  ],
  ...(['utf16le', 'latin1'] as const).map((encoding): (typeof REFUSED)[number] => [
    'text-otherwise.docx',
    [
      ...whole,
      {
        name: 'word/header1.xml',
        content: Buffer.from(
          `<?xml version="1.0" encoding="utf-7"?>+ADw-w:instrText+AD4-DDE a+ADw-/w:instrText+AD4-`,
          encoding,
        ),
      },
    ],
    OTHER,
  ]),
  ['entities.docx', [whole[0]!, { ...text, content: '<!DOCTYPE w [<!ENTITY a "DDE">]><w/>' }], OTHER],
  ['cut-off-within.docx', [whole[0]!, { ...text, content: '<w:document><w:p' }], OTHER],
  ['endless.docx', [whole[0]!, { ...text, content: `<w:a b="${' <'.repeat(9_000_000)}` }], OTHER],
  ['hidden-macros.docx', [...whole, { name: 'word/vbaProject.bin', content: 'x' }], 'has macros'],
  ['locked.docx', [whole[0]!, { ...text, flags: 0x801 }], 'protected by a password'],
  [
    'many-relations.docx',
    [
      ...whole,
      ...Array.from({ length: 3 }, (_, at) => ({
        name: `word/_rels/a${at}.rels`,
        content: '<R/>'.repeat(200_000),
      })),
    ],
    OTHER,
  ],
  ['twice.docx', [...whole, whole[1]!], OTHER],
  ...['word/parts/_rels/a.rels', 'word/theme/_rels/theme1.xml.rels', 'doc/_rels/document.xml.rels'].map(
    (name): (typeof REFUSED)[number] => [
      'elsewhere.docx',
      [
        ...whole,
        {
          ...relations(
            'document',
            `<Relationship Id="a" Type="${RELATIONS}/image" Target="https://evil.example/x.png" TargetMode="External"/>`,
          ),
          name,
        },
      ],
      'shows',
    ],
  ),
  ['endless-tags.docx', [listed('<Override '.repeat(26_000)), text], OTHER],
  ['endless-words.docx', [listed(`<Override${' ContentType="'.repeat(18_000)}>`), text], OTHER],
  ['types-bomb.docx', [{ name: '[Content_Types].xml', deflated: zeros, bytes: 1_000_000 }, text], OTHER],
  [
    'types-that-lie.docx',
    [{ name: '[Content_Types].xml', deflated: zeros, bytes: 200, crc: 0 }, text],
    OTHER,
  ],
  ['bomb.docx', [...whole, { name: 'word/big.xml', deflated: zeros, bytes: 0x7fffffff }], 'taken apart'],
  ['many.docx', [...whole, ...Array.from({ length: 2_000 }, (_, at) => ({ name: `p${at}` }))], OTHER],
]

test.each(REFUSED)('%s is refused, and says why', async (name, entries, why) => {
  const message = await taken(name, entries)
  expect(message).toContain(name)
  expect(message).toContain(why)
})

test('nor does it take the place of a text', async () => {
  const { id: policyId } = (
    await one.call(author, 'createPolicy', {
      name: 'Passwords',
    })
  ).body as { id: string }
  const { id } = (await one.call(author, 'createPolicyVersion', { policyId, content: 'Text.' })).body as {
    id: string
  }
  const { id: fileId } = await sendFile(one, author, 'a.docx', zipOf([{ name: 'a.txt', content: 'x' }]))
  await expect(one.call(author, 'putPolicyVersionFile', { id, fileId })).rejects.toMatchObject({
    members: { errors: [{ path: 'fileId', message: expect.stringContaining(OTHER) }] },
  })
})
