import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writePdf } from '../server/documents/write-document.ts'

/* Promise: other programs take the text of a PDF out as it was written, in the order of its language. */

const TEXTS = {
  arabic: 'يجب على جميع الموظفين حماية المعلومات (السرية) والالتزام بمعيار وفقًا للسياسة',
  persian: 'می‌خواهم گزارش‌های امنیتی را ببینم',
  hebrew: 'כל העובדים חייבים להגן על המידע (סודיות) לפי הנוהל',
  pointed: 'בְּרֵאשִׁית בָּרָא אֱלֹהִים',
  thai: 'รายงานเหตุการณ์ด้านความมั่นคงปลอดภัยภายในยี่สิบสี่ชั่วโมง น้ำ ปั๊ม',
  devanagari: 'क्षत्रिय ज्ञान श्री हिन्दी राष्ट्रीय विद्वान किंकर्तव्यविमूढ़ की चाहिए।',
  signs: '→ ≤ ≥ ☐ ☑ ✓ ✗ ┌─┐',
  latin: 'office ﬁne é naïve',
}
const EAST_ASIAN = {
  chinese: '所有员工必须保护信息，并在二十四小时内报告事件。（保密性、完整性、可用性）',
  japanese: 'すべての従業員は情報を保護し、「機密性」を維持する。',
  korean: '모든 직원은 정보를 보호해야 합니다.',
}
const CJK_FONTS = '/usr/share/fonts/opentype/noto'

const withoutMarks = (text: string) => text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\s]/g, '')

async function extracted(texts: readonly string[], fontsFolder: string | null): Promise<string> {
  const bytes = await writePdf({ config: { fontsFolder } }, 'org', {
    ...{ title: 'Policy', subtitle: 'Version 1.0', author: 'Acme', language: 'en', madeAt: new Date(0) },
    ...{ orientation: 'portrait', facts: [], hasCover: false, footer: 'Acme' },
    blocks: texts.map((text) => ({ form: 'paragraph', text })),
  })
  const { stdout, status } = spawnSync('pdftotext', ['-', '-'], { input: bytes })
  expect(status).toBe(0)
  return withoutMarks(stdout.toString())
}

const hasPdftotext = spawnSync('pdftotext', ['-v']).status === 0
if (!hasPdftotext) console.log('skipped: pdftotext (poppler-utils) is not installed')
const hasFonts = existsSync(CJK_FONTS)
if (!hasFonts) console.log(`skipped: ${CJK_FONTS} (fonts-noto-cjk) is not installed`)

test.runIf(hasPdftotext)('Poppler reads each script as it was written', async () => {
  for (const [name, one] of Object.entries(TEXTS))
    expect(await extracted([one], null), name).toContain(withoutMarks(one.normalize('NFC')))
})

test.runIf(hasPdftotext && hasFonts)('fonts of a folder show Chinese, Japanese and Korean', async () => {
  const text = await extracted(Object.values(EAST_ASIAN), CJK_FONTS)
  for (const [name, one] of Object.entries(EAST_ASIAN)) expect(text, name).toContain(withoutMarks(one))
  expect(text).not.toContain('notshown')
})
