import { createHash } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PaperDocument } from '../server/documents/document.ts'
import { writeDocx, writePdf } from '../server/documents/write-document.ts'
import { docxParts } from './support/docx-parts.ts'
import { formsOf, pdfText } from './support/pdf-text.ts'

/* Promise: documents show the scripts that the fonts of the service have, as these are written, and can be searched. */

const MISSING = '\ufffd'
const documentWith = (...texts: string[]): PaperDocument => ({
  title: 'Policy',
  subtitle: 'Version 1.0',
  author: 'Acme',
  language: 'en',
  madeAt: new Date(0),
  orientation: 'portrait',
  facts: [],
  hasCover: false,
  footer: 'Acme',
  blocks: texts.map((text) => ({ form: 'paragraph', text })),
})
const pdfOf = (texts: readonly string[], fontsFolder: string | null = null) =>
  writePdf({ config: { fontsFolder } }, 'org', documentWith(...texts))
const textOf = (bytes: Buffer) => pdfText(bytes).flat().join('\n')
const reversed = (text: string) => Array.from(text).toReversed().join('')

test('arrows, comparisons, boxes and check marks are shown', async () => {
  const signs = '→ ← ↔ ⇒ ≤ ≥ ≠ ≈ ± × ÷ ∞ √ ☐ ☑ ☒ ✓ ✔ ✗ ✘ • … — – ■ □ ● ○ ◆ ★ ⚠ ┌─┬┐ │ └┴┘ █ ① € £ ₹ § © ™'
  const text = textOf(await pdfOf([signs, `Doors → locked; keys ≤ 3; locks ≥ 2; ☐ checked.`]))
  expect(text).not.toContain(MISSING)
  expect(text).toContain(signs)
})

test('Arabic letters are joined, and written from right to left at the right', async () => {
  const bytes = await pdfOf(['ع عين معنى بيع', 'الأمن (السرية) ISO 27001'])
  const text = textOf(bytes)
  expect(text).not.toContain(MISSING)
  // Isolated, at the beginning, within and at the end of a word.
  expect(formsOf(bytes, 'ع')).toBe(4)
  expect(text).toContain(reversed('ع عين معنى بيع'))
  expect(text).toContain(`ISO 27001 ${reversed('الأمن (السرية)')}`)
  // The lam and alef of one syllable have forms that neither has next to other letters.
  const plain = formsOf(await pdfOf(['لل ل با']), 'ا')
  expect(formsOf(await pdfOf(['لل ل با لا']), 'ا')).toBeGreaterThan(plain)
})

test('Hebrew is written from right to left, with its points', async () => {
  const bytes = await pdfOf(['מדיניות אבטחת מידע (סודיות)', 'שלום עולם, וגם ISO 27001 כאן'])
  expect(textOf(bytes)).toContain(reversed('מדיניות אבטחת מידע (סודיות)'))
  expect(textOf(bytes)).toContain(`${reversed('כאן')} ISO 27001 `.split(' ').slice(1).join(' ').trim())
  const pointed = textOf(await pdfOf(['בְּרֵאשִׁית בָּרָא']))
  expect(pointed).not.toContain(MISSING)
  expect(pointed).toContain(reversed('בְּרֵאשִׁית בָּרָא'.normalize('NFC')))
})

test('Devanagari has its conjuncts and the order of its vowels, and Thai its marks', async () => {
  const bytes = await pdfOf(['क् ष', 'क्ष', 'कि', 'ที่ น้ำ ปั๊ม'])
  const text = textOf(bytes)
  expect(text).not.toContain(MISSING)
  expect(text).toContain('कि')
  expect(text).toContain('ที่ น้ำ ปั๊ม')
  // One glyph for three characters.
  expect(formsOf(bytes, 'क्ष')).toBe(1)
})

test('Thai lines end between words, which no spaces part', async () => {
  const words = ['พนักงาน', 'ทุกคน', 'ต้อง', 'ปกป้อง', 'ข้อมูล', 'ของ', 'องค์กร']
  const lines = pdfText(await pdfOf([words.join('').repeat(8)]))
    .flat()
    .filter((line) => /\p{Script=Thai}/u.test(line))
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) {
    expect(words.some((word) => line.startsWith(word))).toBe(true)
    expect(words.some((word) => line.endsWith(word))).toBe(true)
  }
})

test('the same document is the same file', async () => {
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const texts = ['سياسة أمن المعلومات', 'नीति', 'นโยบาย', '→ ☐']
  expect(hash(await pdfOf(texts))).toBe(hash(await pdfOf(texts)))
})

test('characters that no font has are named on the cover, with what to do', async () => {
  const text = textOf(await pdfOf(['日本語 and 日本', '\u{1f3e2}'])).replaceAll('\n', ' ')
  expect(text).toContain('Characters that are not shown')
  expect(text).toContain('6, each shown as')
  expect(text).toContain('U+65E5 (Han), U+672C (Han), U+8A9E (Han), U+1F3E2')
  expect(text).toContain('FONTS')
  expect(text).not.toContain('日')
})

test('a folder of further fonts is read, files that are no fonts are passed over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fonts-'))
  try {
    // Characters that DejaVu Sans has are not looked for in the folder; these are in no font that comes with the service.
    expect(textOf(await pdfOf(['日'], folder))).toContain('U+65E5')
    await symlink(join(import.meta.dirname, 'document-scripts.test.ts'), join(folder, 'broken.ttf'))
    expect(textOf(await pdfOf(['日'], folder))).toContain('U+65E5')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('hostile text is set in time and without a fault', async () => {
  const texts = [
    'ع'.repeat(20_000),
    'أمن '.repeat(40_000),
    'क्'.repeat(5_000),
    `a${'\u0301'.repeat(20_000)}`,
    '(א['.repeat(5_000),
    'ที่'.repeat(10_000),
    '\u0600\u06dd\u200d\u200c\u180b\ufe0f\u{e0100}',
    '\u202e\u2067\u2066evil\u2069',
  ]
  expect(pdfText(await pdfOf(texts)).flat().length).toBeGreaterThan(100)
})

test('a Word document says which text is written from right to left, and in which fonts and languages', async () => {
  const bytes = await writeDocx(
    { config: { fontsFolder: null } },
    'org',
    documentWith('سياسة الأمن ISO 27001.', 'Policy for שלום עולם.', '情報セキュリティ方針'),
  )
  const parts = await docxParts(bytes)
  const paragraphs = [...parts.get('word/document.xml')!.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([one]) => one)
  const arabic = paragraphs.find((one) => one.includes('سياسة'))!
  expect(arabic).toContain('<w:bidi/>')
  expect(arabic).toMatch(/<w:rtl\/><\/w:rPr><w:t[^>]*>سياسة الأمن </)
  expect(arabic).toMatch(/<w:r><w:t[^>]*>ISO 27001</)
  const mixed = paragraphs.find((one) => one.includes('Policy for'))!
  expect(mixed).not.toContain('<w:bidi/>')
  expect(mixed).toMatch(/<w:rtl\/><\/w:rPr><w:t[^>]*>שלום עולם</)
  const styles = parts.get('word/styles.xml')!
  expect(styles).toMatch(/<w:rFonts (?=[^>]*w:eastAsia="Yu Gothic")(?=[^>]*w:cs="Arial")/)
  expect(styles).toMatch(/<w:lang (?=[^>]*w:val="en")(?=[^>]*w:eastAsia="ja-JP")(?=[^>]*w:bidi="ar-SA")/)
})
