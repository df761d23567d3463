import { expect, test } from 'vitest'
import { type Block, type Inline, readMarkdown } from '../model/markdown.ts'
import { unknownIn } from '../model/policy-text.ts'
import { markdownOf, readHtml } from '../web/pages/policies/paste/markdown-of.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'

/* Promise: what is pasted from Word or a page becomes Markdown that says the same, and everything else falls away. */

const WORD_ITEM = (mark: string, level: number, text: string) =>
  `<p class=MsoListParagraph style='margin-left:${level * 18}pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'>` +
  `<![if !supportLists]><span style='font-family:Symbol'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`

test('what falls away of the words is told', () => {
  expect(readHtml('<p>Keep <s>gone</s> this</p>')).toEqual({ text: 'Keep this', lost: ['struck'] })
  expect(readHtml('<p>Keep <span style="text-decoration: line-through">gone</span></p>').lost).toEqual([
    'struck',
  ])
  expect(readHtml('<table><tr><th>A<th>B<tr><td>1<td><p>2</p><p>3</p></table>').lost).toEqual(['cellLines'])
  expect(readHtml('<table><tr><th>A<th>B<tr><td>1<td><p>2</p></table><s> </s>').lost).toEqual([])
})

test.each([
  ['<h2>Purpose</h2><p>Who <b>may</b> use <i>what</i>.</p>', '## Purpose\n\nWho **may** use _what_.'],
  ['<p>Access is <del>denied</del><ins>granted</ins> to <s>all</s>members', 'Access is granted to members'],
  ['<ul><li>One<ul><li>Two</ul><li><p>Three</p></ul>', '- One\n  - Two\n- Three'],
  ['<ol start=3><li>c<li>d</ol>', '3. c\n4. d'],
  [
    '<p>See <a href="https://a.example/x?a=1&amp;b=(2)">the rules</a>',
    'See [the rules](https://a.example/x?a=1&b=%282%29)',
  ],
  ['<a href="javascript:alert(1)">x</a><a href="data:text/html,x">y</a>', 'xy'],
  [
    '<table><tr><th>A<th>B|C<tr><td>1<td><p>2</p><p>3</p></table>',
    '| A | B\\|C |\n| --- | --- |\n| 1 | 2 3 |',
  ],
  [
    '<table><tr><th>A<th>B<th>C<tr><td rowspan=2>1<td colspan="2">2<tr><td>y<td>z</table>',
    '| A | B | C |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | y | z |',
  ],
  [
    `<p>Lock it<a style='mso-footnote-id:ftn1' href="#_ftn1"><span class=MsoFootnoteReference><![if !supportFootnotes]>[1]<![endif]></span></a>.</p><div style='mso-element:footnote-list'><hr><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>[1] Each night.</p></div></div>`,
    'Lock it\\[1\\].\n\n---\n\n\\[1\\] Each night.',
  ],
  ['<table><tr><td><p>Only for layout</p></td></tr></table>', 'Only for layout'],
  ['<blockquote><p>Said</p></blockquote>', '> Said'],
  ['<pre>a\n  b</pre>', '```\na\n  b\n```'],
  ['<p>one<br>two</p><hr>', 'one  \ntwo\n\n---'],
  [
    '<b style="font-weight:normal" id="docs-internal-guid"><p><span style="font-weight:700">Bold</span> not</p></b>',
    '**Bold** not',
  ],
  [
    '<style>p{}</style><script>x</script><svg><text>t</text></svg><img src="https://evil.example/p.png" onerror=x>Text',
    'Text',
  ],
  [
    '<p># no heading</p><p>1. no item</p><p>- none</p><p>2 * 3 * 4 snake_case [x] {{policy.secret}} {{policy.owner}}',
    '\\# no heading\n\n1\\. no item\n\n\\- none\n\n2 \\* 3 \\* 4 snake_case \\[x\\] \\{\\{policy.secret}} {{policy.owner}}',
  ],
  [
    `<p class=MsoTitle>Title</p>${WORD_ITEM('·', 1, 'One')}${WORD_ITEM('o', 2, 'Two')}${WORD_ITEM('·', 1, 'Three')}<p>End`,
    '# Title\n\n- One\n  - Two\n- Three\n\nEnd',
  ],
  [
    `${WORD_ITEM('1.', 1, 'One')}${WORD_ITEM('a.', 2, 'Two')}${WORD_ITEM('2.', 1, 'Three')}`,
    '1. One\n   1. Two\n2. Three',
  ],
  [
    `<html xmlns:v="urn:schemas-microsoft-com:vml"><head><!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]--><meta name=Generator content="Microsoft Word 15"><link rel=File-List href="file:///C:/filelist.xml"></head><body><!--StartFragment--><p class=MsoNormal>One<o:p></o:p></p><!--EndFragment-->`,
    'One',
  ],
  [
    `<p><!--[if gte vml 1]><v:shape><v:imagedata src="file:///C:/p.png" o:title="p"/></v:shape><![endif]--><![if !vml]><img src="file:///C:/p.png" v:shapes="p"><![endif]>Shown`,
    'Shown',
  ],
  [
    `<p><!--[if supportFields]><span style='mso-element:field-begin'></span> HYPERLINK "javascript:x" <span style='mso-element:field-separator'></span><![endif]-->led<!--[if supportFields]><span style='mso-element:field-end'></span><![endif]-->`,
    'led',
  ],
])('%j', (html, markdown) => {
  expect(markdownOf(html)).toBe(markdown)
})

const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const plain = (inline: readonly Inline[]): string =>
  inline
    .map((one) => ('inline' in one ? plain(one.inline) : 'text' in one ? one.text : `@${one.name}`))
    .join('')
const told = (text: string) =>
  text
    .toWellFormed()
    .replace(/(?![\n\t])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

test('words that look like Markdown or markup stay words, to the letter', () => {
  for (const text of HOSTILE_TEXTS) {
    const blocks = readMarkdown(markdownOf(`<p>${asHtml(text)}</p>`))
    expect(
      blocks.every(({ type }) => type === 'paragraph'),
      text,
    ).toBe(true)
    const words = blocks.flatMap((block) => ('inline' in block ? [plain(block.inline)] : [])).join(' ')
    expect(decodeURIComponentOrNot(told(words)), text).toBe(decodeURIComponentOrNot(told(text)))
  }
})

/** Signs of Markdown within an address are written as that address has them. */
const decodeURIComponentOrNot = (text: string) =>
  text.replace(/%(?:5C|60|2A|5B|5D|7C|7B|7D)/gi, (code) => decodeURIComponent(code))

test('of five hundred texts that mean harm nothing is left but words and addresses of the web', () => {
  const wrappers = [
    (text: string) => text,
    (text: string) => `<a href="${text}">x</a>`,
    (text: string) => `<table><tr><td>${text}<td>${text}<tr><td>${text}</table>`,
    (text: string) => `<li>${text}<p style='${text}'>${text}`,
    // As Word writes it.
    (text: string) =>
      `<!--[if gte mso 9]><xml><o:Title>${text}</o:Title></xml><![endif]--><p><o:p>${text}</o:p>`,
    (text: string) =>
      `<!--[if gte vml 1]><v:shape><v:imagedata src="file:///C:/p.png" o:title="${text}"/></v:shape><![endif]--><![if !vml]><img src="file:///C:/p.png" alt="${text}"><![endif]>`,
    (text: string) =>
      WORD_ITEM(text, 1, `<a href='${text}' style='mso-comment-reference:${text}'>${text}</a>`),
  ]
  const partsIn = (blocks: readonly unknown[]): { type: string; url?: string }[] =>
    blocks.flatMap((one) =>
      typeof one === 'object' && one !== null
        ? [...('type' in one ? [one as { type: string }] : []), ...partsIn(Object.values(one))]
        : [],
    )
  for (const text of HOSTILE_TEXTS)
    for (const wrap of wrappers) {
      const markdown = markdownOf(wrap(text))
      const parts = partsIn(readMarkdown(markdown) as readonly Block[])
      expect(
        parts.filter(({ type }) => type === 'image' || type === 'mention'),
        text,
      ).toEqual([])
      expect(
        parts.filter(({ url }) => url !== undefined && !/^https?:\/\//.test(url)),
        text,
      ).toEqual([])
      expect(unknownIn(markdown), text).toEqual([])
    }
})

test.each([
  '<',
  '<a',
  '<a "',
  "<p style='",
  '<!--',
  '<li>',
  '<ul><li>',
  '<table><tr><td>',
  '<script>',
  '&#',
  '<b>x',
  '</p>',
  '<blockquote>',
  '{{',
  '_',
  'https://a',
])('20,000 of %j are read at once', (unit) => {
  expect(typeof markdownOf(unit.repeat(20_000))).toBe('string')
})
