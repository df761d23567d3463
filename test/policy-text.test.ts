import { expect, test } from 'vitest'
import { readMarkdown } from '../model/markdown.ts'
import { fillPlaceholders, placeholdersIn, unknownIn } from '../model/policy-text.ts'
import { iso27001of2022 } from '../server/frameworks/library/iso-27001-2022.ts'
import { nistCsf2 } from '../server/frameworks/library/nist-csf-2.ts'
import { soc2 } from '../server/frameworks/library/soc-2.ts'
import { policyTemplates } from '../server/policies/policy-templates.ts'
import { asRead, type ReadChange } from '../web/pages/policies/as-read.ts'
import { compareTexts } from '../web/pages/policies/compare.ts'
import { applied } from '../web/pages/policies/editing.ts'
import type { ReadWords } from '../web/pages/policies/words-as-read.ts'

/* Promise: what a policy's text says is filled, compared and edited as it is meant, and no name becomes more than words. */

const VALUES = {
  'organization.name': 'Acme *Ltd* [x](https://evil.example)\n# Heading',
  'policy.owner': 'Ada',
  'policy.approver': null,
  'policy.effectiveDate': '2026-05-17',
  'policy.versionLabel': '2.1',
}

test('placeholders are filled with words alone, and what has no value stays', () => {
  const text =
    '{{organization.name}}, {{ policy.owner }}: {{policy.approver}} \\{{policy.owner}} {{ not closed'
  const filled = fillPlaceholders(text, VALUES)
  expect(filled).toContain('Ada: {{policy.approver}} \\{{policy.owner}} {{ not closed')
  const [block, ...others] = readMarkdown(filled.split(',')[0]!)
  expect(others).toEqual([])
  expect(block).toEqual({
    type: 'paragraph',
    inline: [{ type: 'text', text: 'Acme *Ltd* [x](https://evil.example) # Heading' }],
  })
  expect(placeholdersIn(text)).toEqual(['organization.name', 'policy.owner', 'policy.approver'])
  for (const words of ['{{policy.owner}}. Anybody else', '{{policy.owner}}) x', '2{{policy.owner}}. x']) {
    const [only, ...more] = readMarkdown(fillPlaceholders(words, { ...VALUES, 'policy.owner': '1' }))
    expect([only!.type, more], words).toEqual(['paragraph', []])
    expect(JSON.stringify(only)).toContain(words.replace('{{policy.owner}}', '1'))
  }
  expect(fillPlaceholders('Since {{policy.owner}}.', { ...VALUES, 'policy.owner': '2026-05-17' })).toBe(
    'Since 2026-05-17.',
  )
  expect(unknownIn('{{policy.secret}} {{}} {{a\nb}} {{policy.owner}}')).toEqual(['policy.secret', ''])
})

test.each(['{{', '{', '{{a', '}}', '\\{{', '{{policy.owner}}', '`', '```\n', '`{{'])(
  '10,000 of %j are filled at once',
  (unit) => {
    const many = unit.repeat(10_000)
    expect(fillPlaceholders(many, { ...VALUES, 'policy.owner': 'A' }).length).toBeGreaterThan(0)
    expect(unknownIn(many).length).toBeLessThan(10)
  },
)

const typesOf = (changes: readonly { type: string }[] | null) => changes?.map(({ type }) => type)

test('two texts are compared passage by passage and word by word, and what has moved is told', () => {
  const before =
    '# Title\n\nPasswords have twelve letters.\n\nThis whole passage will stand elsewhere.\n\nLast words.'
  const after =
    '# Title\n\nPasswords have fourteen letters.\n\nLast words.\n\nThis whole passage will stand elsewhere.\n\nNew.'
  const changes = compareTexts(before, after)
  expect(typesOf(changes)).toEqual(['same', 'moved_away', 'changed', 'same', 'moved_here', 'added'])
  expect(changes![2]).toEqual({
    type: 'changed',
    words: [
      { type: 'same', text: 'Passwords have ' },
      { type: 'removed', text: 'twelve' },
      { type: 'added', text: 'fourteen' },
      { type: 'same', text: ' letters.' },
    ],
  })
  expect(typesOf(compareTexts(before, before))).toEqual(['same', 'same', 'same', 'same'])
  expect(typesOf(compareTexts('', 'One'))).toEqual(['added'])
})

test('what is compared is all there, in the words of both', () => {
  const texts = policyTemplates.map(({ content }) => content)
  texts.forEach((from, at) => {
    const to = texts[(at + 1) % texts.length]!
    const changes = compareTexts(from, to)
    const said = (side: 'added' | 'removed') =>
      changes
        .flatMap((change) => {
          if (change.type === 'changed')
            return change.words.filter(({ type }) => type === 'same' || type === side).map(({ text }) => text)
          const isThere =
            side === 'added' ? ['same', 'added', 'moved_here'] : ['same', 'removed', 'moved_away']
          return isThere.includes(change.type) ? [change.text] : []
        })
        .join('')
        .replace(/\s+/g, '')
    expect(said('added')).toBe(to.replace(/\s+/g, ''))
    expect([...said('removed')].sort().join('')).toBe([...from.replace(/\s+/g, '')].sort().join(''))
  })
})

test('changes are told as the texts are read, with no mark of Markdown, and where links lead', () => {
  const told = (from: string, to: string) => asRead(compareTexts(from, to))
  expect(told('## The *purpose* of it', '## The *scope* of it')).toEqual([
    {
      type: 'changed',
      passage: { look: 'heading', level: 2, text: 'The scope of it' },
      words: [
        { type: 'same', text: 'The ' },
        { type: 'removed', text: 'purpose', runs: [{ text: 'purpose', marks: ['emphasis'] }] },
        { type: 'added', text: 'scope', runs: [{ text: 'scope', marks: ['emphasis'] }] },
        { type: 'same', text: ' of it' },
      ],
    },
  ])
  expect(told('1. Lock the door.', '1. Lock **the** door.')).toEqual([
    { type: 'reformatted', text: '1. Lock **the** door.' },
  ])
  // An item that was put before others moves their numbers, and changes none of them.
  expect(
    typesOf(told('1. Lock the door.\n2. Close it.', '1. Knock.\n2. Lock the door.\n3. Close it.')),
  ).toEqual(['added', 'same', 'same'])
  // One that nothing before it has moved is another number.
  const [item, ...behind] = told('1. Lock it.\n2. Close it.\n\nEnd.', '7. Lock it.\n8. Close it.\n\nEnd.')
  expect(item).toEqual({
    type: 'changed',
    passage: { look: 'words', text: '7. Lock it.' },
    words: [
      { type: 'removed', text: '1.' },
      { type: 'added', text: '7.' },
      { type: 'same', text: ' Lock it.' },
    ],
  })
  expect(typesOf(behind)).toEqual(['same', 'same'])
  const two = '1. Lock it.\n2. Close it.\n\nThen:\n\n1. Leave it.'
  expect(typesOf(told(two, two.replace('1. Leave', '2. Leave')))).toEqual(['same', 'same', 'same', 'changed'])
  expect(typesOf(told(two, two.replace('2. Close it.\n', '').replace('1. Leave', '2. Leave')))).toEqual([
    ...['same', 'removed', 'same', 'changed'],
  ])
  // A number of a list within another stands in that list.
  const [, within] = told('1. Doors\n   1. Lock **it**.', '1. Doors\n   4. Lock **it**.')
  expect(within).toMatchObject({
    passage: { look: 'words', depth: 1 },
    words: [
      { type: 'removed', text: '1.' },
      { type: 'added', text: '4.' },
      {
        ...{ type: 'same', text: ' Lock it.' },
        runs: [
          { text: ' ', marks: [] },
          { text: 'Lock ', marks: [] },
          { text: 'it', marks: ['strong'] },
          { text: '.', marks: [] },
        ],
      },
    ],
  })
  // An item of a list within another stands in it, whatever it is set in by; moved further in, it is the same words.
  const nested = (word: string, indent: string) =>
    told(
      `- Doors\n${indent}- Of the ${word}\n- Windows`,
      `- Doors\n${indent}- Of the great ${word}\n- Windows`,
    )[1]
  for (const indent of ['  ', '    ', '\t'])
    expect(nested('hall', indent)).toMatchObject({ passage: { look: 'item', mark: '◦', depth: 1 } })
  expect(told('- Doors\n- Of the hall', '- Doors\n  - Of the hall')).toEqual([
    { type: 'same', text: '- Doors' },
    { type: 'reformatted', text: '  - Of the hall' },
  ])
  const [led] = told('See [the rules](https://a.example/x).', 'See [the rules](https://b.example/x).')
  expect(JSON.stringify(led)).toContain('b.example')
  expect(led!.type).toBe('changed')
})

test('words that stay keep their look where others of their passage, or of their cell, change', () => {
  const looksOf = (words: readonly ReadWords[]) =>
    words.flatMap(({ type, text, runs = [{ text, marks: [] }] }) =>
      runs.map(({ text, marks }) => [type, ...marks, text].join(' ')),
    )
  const [item] = asRead(
    compareTexts(
      '- **Every day**: run `copy`, and *look* at it.',
      '- **Every day**: run `copy --all`, and **look at _it_**.',
    ),
  )
  expect(item).toMatchObject({ type: 'changed', passage: { look: 'item' } })
  expect(looksOf((item as { words: readonly ReadWords[] }).words)).toEqual([
    'same strong Every day',
    'same : run ',
    'same code copy',
    'added code  --all',
    'same , and ',
    'same strong look at ',
    'same strong emphasis it',
    'same .',
  ])
  const rows = asRead(
    compareTexts(tableOf(' A | B ', ' one | **x** is y '), tableOf(' A | B ', ' one | **x** is *no* y ')),
  )
  const cell = rows.flatMap((row) => ('table' in row ? row.cells : [])).at(-1) as {
    words: readonly ReadWords[]
  }
  expect(looksOf(cell.words)).toEqual([
    'same strong x',
    'same  is ',
    'added emphasis no',
    'added  ',
    'same y',
  ])
})

/** The rows of the tables of a comparison, as people see them: what is new as +…+, what is gone as -…-. */
function rowsOf(changes: readonly ReadChange[]): string[] {
  const tables = [...new Set(changes.flatMap((one) => ('table' in one ? [one.table] : [])))]
  return changes.flatMap((one) => {
    if (!('table' in one)) return [one.type]
    const mark = { same: '', changed: '', reformatted: '', added: '+', removed: '-' }
    const cells = one.cells.map((cell) =>
      cell.type === 'changed'
        ? cell.words.map(({ type, text }) => `${mark[type]}${text}${mark[type]}`).join('')
        : cell.text && `${mark[cell.type]}${cell.text}${mark[cell.type]}`,
    )
    return [`${tables.indexOf(one.table)}${one.isHead ? '#' : ' '} ${one.type}: ${cells.join(' | ')}`]
  })
}

const tableOf = (...rows: string[]) =>
  [rows[0], rows[0]!.replace(/[^|]+/g, ' --- '), ...rows.slice(1)].map((row) => `|${row}|`).join('\n')

test.each<[what: string, from: string, to: string, rows: string[]]>([
  [
    'words within a cell, a row that is new and one that is gone',
    tableOf(' A | B ', ' one thing | x ', ' two | y y ', ' three | z '),
    tableOf(' A | B ', ' one thing | x ', ' two | y n ', ' four | f '),
    [
      '0# same: A | B',
      '0  same: one thing | x',
      '0  changed: two | y -y-+n+',
      '0  added: +four+ | +f+',
      '0  removed: -three- | -z-',
    ],
  ],
  [
    'a column that is new',
    tableOf(' Data | Kept ', ' Invoices | ten years ', ' Letters | a year '),
    tableOf(
      ' Data | By whom | Kept ',
      ' Invoices | accounting | ten years ',
      ' Letters | everybody | a year ',
    ),
    [
      '0# changed: Data | +By whom+ | Kept',
      '0  changed: Invoices | +accounting+ | ten years',
      '0  changed: Letters | +everybody+ | a year',
    ],
  ],
  [
    'a column that is gone, and a row that is new or gone beside it',
    tableOf(' Data | By whom | Kept ', ' Invoices | accounting | ten years ', ' Old | b | c '),
    tableOf(' Data | Kept ', ' Invoices | ten years ', ' New | never '),
    [
      '0# changed: Data | -By whom- | Kept',
      '0  changed: Invoices | -accounting- | ten years',
      '0  added: +New+ |  | +never+',
      '0  removed: -Old- | -b- | -c-',
    ],
  ],
  [
    'other names of its columns alone',
    tableOf(' Role | Task ', ' Owner | Decides ', ' User | Reads '),
    tableOf(' Who | What ', ' Owner | Decides ', ' User | Reads '),
    ['0# changed: -Role-+Who+ | -Task-+What+', '0  same: Owner | Decides', '0  same: User | Reads'],
  ],
  [
    'the row that its first cell names, and no other that reads alike',
    tableOf(
      ' Data | Class | Kept ',
      ' Customers | Confidential | 7 years ',
      ' Staff | Confidential | 7 years ',
    ),
    tableOf(
      ...[' Data | Class | Kept ', ' Suppliers | Confidential | 3 years '],
      ...[' Customers | Confidential | 8 years ', ' Staff | Secret | 7 years '],
    ),
    [
      '0# same: Data | Class | Kept',
      '0  added: +Suppliers+ | +Confidential+ | +3 years+',
      '0  changed: Customers | Confidential | -7-+8+ years',
      '0  changed: Staff | -Confidential-+Secret+ | 7 years',
    ],
  ],
  [
    'its width and its strokes, which nobody reads',
    '| A | B |\n| --- | --- |\n| one | x |',
    'A   | B\n:---- | ---:\none | x',
    ['0# same: A | B', '0  same: one | x'],
  ],
  [
    'its marks alone',
    tableOf(' A | B ', ' one | [x](https://a.example) '),
    tableOf(' A | B ', ' **one** | [x](https://a.example) '),
    ['0# same: A | B', '0  reformatted: **one** | [x](https://a.example)'],
  ],
  [
    'two tables, one behind the other',
    `${tableOf(' A | B ', ' one | x ')}\n\n${tableOf(' A | B ', ' two | x ')}\n\nEnd.`,
    `${tableOf(' A | B ', ' one | y ')}\n\n${tableOf(' C | D ', ' new | n ')}\n\n${tableOf(' A | B ', ' two | x ')}\n\nEnd.`,
    [
      ...['0# same: A | B', '0  changed: one | -x-+y+'],
      ...['1# added: +C+ | +D+', '1  added: +new+ | +n+'],
      ...['2# same: A | B', '2  same: two | x', 'same'],
    ],
  ],
  [
    'strokes that are no table',
    '```\n| a | b |\n\n| --- | --- |\n```\n\n| alone |',
    '```\n| a | c |\n\n| --- | --- |\n```\n\n| alone |',
    ['changed', 'same'],
  ],
])('a table stays one: %s', (_, from, to, rows) => {
  expect(rowsOf(asRead(compareTexts(from, to)))).toEqual(rows)
})

test('a table of short rows beneath a long head is compared at the size that it has', () => {
  const table = (cell: string) =>
    `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${`|${cell}|\n`.repeat(20_000)}|end ${cell}|`
  const rows = asRead(compareTexts(table('b'), table('c'))).filter((one) => 'table' in one)
  expect(rows.length).toBeGreaterThan(20_000)
  expect(rows.reduce((sum, { cells }) => sum + cells.length, 0)).toBeLessThan(50_000)
  expect(rows[1]!.table.columns).toHaveLength(100)
})

test('a heading moves with the passage under it', () => {
  const [one, two] = [
    '## Scope\n\nIt is about everybody who works here.',
    '## Aim\n\nNothing that is ours gets lost.',
  ]
  expect(typesOf(compareTexts(`${one}\n\n${two}`, `${two}\n\n${one}`))).toEqual([
    ...['moved_away', 'moved_away', 'same', 'same', 'moved_here', 'moved_here'],
  ])
})

test('braces in code are words, and what stands behind the code is filled', () => {
  const text =
    '```\n{{x}}\n```\n{{policy.owner}} `{{ a }}` {{policy.versionLabel}}\n\n> ```\n> {{y}}\n> ```\n\n{{z}}'
  expect(unknownIn(text)).toEqual(['z'])
  expect(fillPlaceholders(text, VALUES)).toBe(
    text.replace('{{policy.owner}}', 'Ada').replace('{{policy.versionLabel}}', '2.1'),
  )
})

test('two hundred pages are compared in the time of a blink', () => {
  const page = policyTemplates.map(({ content }) => content).join('\n\n')
  const pages = Array.from({ length: 5 }, (_, at) => page.replaceAll('. ', ` ${at}. `)).join('\n\n')
  const other = pages.replaceAll('incident', 'event').replaceAll('yearly', 'each year')
  expect(pages.length).toBeGreaterThan(350_000)
  const from = performance.now()
  expect(compareTexts(pages, other).some(({ type }) => type === 'changed')).toBe(true)
  expect(performance.now() - from).toBeLessThan(2_000)
})

test('the buttons of the editor do what they say, and undo it', () => {
  const bold = applied({ text: 'one two', from: 4, to: 7 }, { name: 'bold' })
  expect(bold).toEqual({ text: 'one **two**', from: 6, to: 9 })
  expect(applied(bold, { name: 'bold' })).toEqual({ text: 'one two', from: 4, to: 7 })
  const listed = applied({ text: 'a\nb\nc', from: 0, to: 3 }, { name: 'numbered' })
  expect(listed.text).toBe('1. a\n2. b\nc')
  expect(applied({ text: '- a\n- b', from: 0, to: 7 }, { name: 'list' }).text).toBe('a\nb')
  expect(applied({ text: 'a', from: 1, to: 1 }, { name: 'table' }).text).toContain('a\n\n| Column |')
  expect(applied({ text: 'the rules.', from: 4, to: 9 }, { name: 'link' })).toEqual({
    text: 'the [rules](https://).',
    from: 12,
    to: 20,
  })
  expect(applied({ text: 'ab', from: 1, to: 1 }, { name: 'insert', text: 'x' })).toEqual({
    text: 'axb',
    from: 2,
    to: 2,
  })
})

test('each template is long enough to be used, has its headings, and answers requirements that there are', () => {
  expect(policyTemplates).toHaveLength(20)
  const known = new Map(
    [iso27001of2022, soc2, nistCsf2].map(({ key, requirements }) => [
      key,
      new Set(requirements.map((one) => one.key)),
    ]),
  )
  for (const { key, content, answers } of policyTemplates) {
    expect(content.split(/\s+/).length, key).toBeGreaterThan(450)
    expect(unknownIn(content), key).toEqual([])
    const headings = readMarkdown(content).filter(({ type }) => type === 'heading')
    expect(headings.length, key).toBeGreaterThan(4)
    for (const { frameworkKey, requirementKeys } of answers)
      for (const one of requirementKeys)
        expect(known.get(frameworkKey)?.has(one) ?? true, `${key}: ${one} of ${frameworkKey}`).toBe(true)
  }
})

test.each([
  'https://evil.example/x',
  '- item',
  '+ item',
  '1. item',
  '12) item',
  '---',
  '===',
  '. item',
  ') item',
])('whoever is called %j is that in words, wherever they stand', (name) => {
  for (const [before, after] of [
    ['', ''],
    ['', ' approves this.'],
    ['Words before ', ''],
    ['- ', ''],
    ['> ', ''],
    ['12', ''],
    ['![x](', ')'],
    ['[x](', ')'],
  ]) {
    const blocks = readMarkdown(
      fillPlaceholders(`${before}{{policy.owner}}${after}`, { ...VALUES, 'policy.owner': name }),
    )
    const around = readMarkdown(`${before}Ada${after}`)
    const shape = JSON.stringify(blocks).replaceAll(/"text":"(?:[^"\\]|\\.)*"/g, '"text":""')
    expect(shape).toBe(JSON.stringify(around).replaceAll(/"text":"(?:[^"\\]|\\.)*"/g, '"text":""'))
    expect(JSON.stringify(blocks)).toContain(name)
  }
})

test('a table of short rows beneath a long head, and a run of spaces, are read at the size that they have', () => {
  const row = (cell: string, count: number) => `|${`${cell}|`.repeat(count)}\n`
  const wide = readMarkdown(row('a', 20_000) + row('-', 20_000) + row('a', 1).repeat(60_000))
  expect(wide.every(({ type }) => type === 'paragraph')).toBe(true)
  const [table] = readMarkdown(row('a', 100) + row('-', 100) + row('a', 1).repeat(100_000))
  expect(table).toMatchObject({ type: 'table', head: { length: 100 } })
  expect((table as unknown as { rows: unknown[][] }).rows.flat().length).toBe(100_000)
  expect(readMarkdown(`a${' '.repeat(590_000)}b`)).toHaveLength(1)
})

test('no word of a text is left out where it is read: cells beyond the head, and what stands beside a fence', () => {
  const [table] = readMarkdown('|Rule|\n|-|\n|Lock your desk|You waive your overtime|')
  expect(table).toMatchObject({ head: [[{ text: 'Rule' }], []] })
  expect(JSON.stringify(table)).toContain('You waive your overtime')
  const long = readMarkdown(`|a|b|\n|-|-|\n|${'c|'.repeat(150)}end|`)
  expect(long).toMatchObject([{ head: { length: 100 } }])
  expect(JSON.stringify(long)).toContain('c | end')
  const code = '``` and agree to be monitored\nshown\n``` always\nshown too\n```\nAfter.'
  expect(readMarkdown(code)).toEqual([
    { type: 'code', text: 'and agree to be monitored\nshown\n``` always\nshown too' },
    { type: 'paragraph', inline: [{ type: 'text', text: 'After.' }] },
  ])
  expect(JSON.stringify(readMarkdown('Before.\n\n|\nYou waive your overtime'))).toContain(
    'You waive your overtime',
  )
  expect(readMarkdown('```json\n{}\n```')).toEqual([{ type: 'code', text: '{}' }])
  const named = '```\n{{policy.owner}}\n``` {{policy.owner}}\n```\n{{policy.owner}}'
  expect(fillPlaceholders(named, VALUES)).toBe('```\n{{policy.owner}}\n``` {{policy.owner}}\n```\nAda')
})

test('cells beyond the head are compared as well', () => {
  const table = (row: string) => `|Rule|\n|-|\n${row}`
  const desk = '|Lock your desk|'
  for (const [from, to] of [
    [desk, `${desk}You waive your overtime|`],
    [`${desk}Leave at six|`, `${desk}You waive your overtime|`],
    [`${desk}You waive your overtime|`, desk],
  ] as const) {
    const read = JSON.stringify(asRead(compareTexts(table(from), table(to))))
    expect(read, to).toContain('waive')
    expect(read, to).toContain('"isChanged":true')
  }
})

test('a table of as many rows as a text can have is compared', () => {
  const rows = `|a|a|\n|-|-|\n${'|a\n'.repeat(190_000)}`
  expect(asRead(compareTexts('x', rows))?.length).toBeGreaterThan(0)
})
