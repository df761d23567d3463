import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readCatalog } from '../server/frameworks/read-catalog.ts'
import type { LibraryReading } from '../server/frameworks/reading/faults.ts'
import { readOscal } from '../server/frameworks/reading/oscal.ts'
import { smallOscal } from './support/catalog-samples.ts'

/* Promise: OSCAL in JSON, YAML and XML is the same catalog, and a fault names its line in each of them. */

const catalogOf = (reading: LibraryReading) => {
  if (!('catalog' in reading)) throw new Error(JSON.stringify(reading))
  const { requirements, ...about } = reading.catalog
  return { ...about, requirements: requirements.map(({ place: _, ...rest }) => rest) }
}
const read = (text: string) => readOscal(Buffer.from(text))

/** The sample as XML, written by hand from the names that OSCAL has there. */
function xmlOf({ catalog }: ReturnType<typeof smallOscal>): string {
  // biome-ignore lint/suspicious/noExplicitAny: it walks the sample
  type Any = any
  const all = (list: Any[] | undefined, write: (one: Any) => string) => (list ?? []).map(write).join('\n')
  const prose = (text: string | undefined) =>
    text === undefined
      ? ''
      : `<p>${text
          .replace(/\{\{ insert: param, (\S+?) \}\}/, '<insert type="param" id-ref="$1"/>')
          .replace(/\[(.+?)\]\((.+?)\)/, '<a href="$2">$1</a>')}</p>`
  const props = (one: Any) => all(one.props, ({ name, value }) => `<prop name="${name}" value="${value}"/>`)
  const part = (one: Any): string =>
    `<part name="${one.name}">${props(one)}${prose(one.prose)}${all(one.parts, part)}</part>`
  const control = (one: Any): string => `<control id="${one.id}">
      <title>${one.title}</title>
      ${all(one.params, ({ id, label }) => `<param id="${id}"><label>${label}</label></param>`)}
      ${props(one)}${all(one.parts, part)}${all(one.controls, control)}
    </control>`
  const group = (one: Any) =>
    `<group id="${one.id}"><title>${one.title}</title>${all(one.controls, control)}</group>`
  const { metadata } = catalog
  return `<?xml version="1.0" encoding="UTF-8"?>
<catalog xmlns="http://csrc.nist.gov/ns/oscal/1.0" uuid="${catalog.uuid}">
  <metadata>
    <title>${metadata.title}</title><last-modified>${metadata['last-modified']}</last-modified>
    <version>${metadata.version}</version><oscal-version>${metadata['oscal-version']}</oscal-version>
  </metadata>
  ${all(catalog.groups, group)}
</catalog>`
}

test('JSON, YAML and XML say the same', async () => {
  const expected = catalogOf(read(JSON.stringify(smallOscal())))
  expect(catalogOf(read(stringify(smallOscal())))).toEqual(expected)
  expect(catalogOf(read(xmlOf(smallOscal())))).toEqual(expected)
  for (const text of [stringify(smallOscal()), `\uFEFF${xmlOf(smallOscal())}`])
    expect(catalogOf(await readCatalog('org_1', Buffer.from(text)))).toEqual(expected)
})

const inXml = (prose: string) =>
  `<catalog uuid="x"><metadata><title>T</title><version>1</version></metadata>
  <control id="a"><title>A</title><part name="statement">${prose}</part></control></catalog>`

test.each([
  [
    '<p>Some <em>words</em>,\n    <strong>others</strong>\n and <code>code</code></p>',
    'Some *words*, **others** and `code`',
  ],
  ['<p>One</p><p>Two &amp; three &#65;</p>', 'One\n\nTwo & three A'],
  ['<ul><li>one</li><li><p>two</p><ol><li>three</li></ol></li></ul>', '- one\n- two\n  1. three'],
  ['<h2>Head</h2><pre>a\n  b</pre><blockquote><p>q</p></blockquote>', '## Head\n\n```\na\n  b\n```\n\n> q'],
  [
    '<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |',
  ],
])('prose of XML becomes Markdown: %s', (prose, text) => {
  expect(catalogOf(read(inXml(prose))).requirements[0]!.text).toBe(text)
})

test.each([
  [
    'a tag that is not closed',
    '<catalog><metadata></catalog>',
    /^line 1, column \d+$/,
    /^is no XML from here on/,
  ],
  [
    'a document type',
    '<!DOCTYPE a [<!ENTITY b "c">]>\n<catalog/>',
    'line 1, column 1',
    /^declares a document type/,
  ],
  ['an entity', '<catalog>\n&b;</catalog>', /^line 2, column \d+$/, /^is no XML from here on/],
  [
    'a control without a title',
    inXml('<p>x</p>').replace('<title>A</title>', ''),
    'line 2, column 3',
    /^is missing/,
  ],
  ['deep elements', `${'<catalog>'.repeat(50_000)}${'</catalog>'.repeat(50_000)}`, '', /nested/],
  ['another document', '<svg/>', '', /^The file is no OSCAL catalog or profile/],
  ['YAML with an alias', 'catalog: &a\n  x: *a\n', 'line 2, column 6', /^is an alias/],
])('refuses %s', async (_, text, place, message) => {
  const fault = {
    place: typeof place === 'string' ? place : expect.stringMatching(place),
    message: expect.stringMatching(message),
  }
  expect(read(text)).toMatchObject({ faults: [fault] })
  expect(await readCatalog('org_1', Buffer.from(text))).toMatchObject({ faults: [fault] })
})
