import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import type { Block } from '../server/documents/document.ts'
import { markdownOnPaper } from '../server/policies/markdown-on-paper.ts'
import { docxParts } from './support/docx-parts.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { pdfText } from './support/pdf-text.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: a version is handed out on paper as it was approved, and nothing that somebody wrote does anything there. */

let one: TestService
let acme: TestOrganization
let author: Caller
let approver: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  ;[author, approver] = [await acme.person('editor'), await acme.person('editor')]
})
afterAll(() => one.close())

type Record = { id: string; contentSha256: string; [field: string]: unknown }
const as = async (caller: Caller, name: string, input: object) =>
  (await one.call(caller, name, input)).body as Record

async function submitted(policyId: string, given: object): Promise<Record> {
  const { id } = await as(author, 'createPolicyVersion', { policyId, ...given })
  return as(author, 'submitPolicyVersion', { id })
}
const addPolicy = (more: object = {}) =>
  as(author, 'createPolicy', {
    ...{ name: 'Access control policy', owner: { type: 'user', refId: author.userId } },
    ...{ approver: { type: 'user', refId: approver.userId }, ...more },
  })
async function publish({ id, contentSha256, round }: Record): Promise<void> {
  await as(approver, 'approvePolicyVersion', { id, contentSha256, round, comment: 'Read twice' })
  await as(author, 'publishPolicyVersion', { id })
}
async function fileOf(id: string, format = 'pdf') {
  const door = await one.listen()
  const { secret } = await acme.key(['read:policies'])
  const answer = await fetch(`${door.base}/v1/policy-versions/${id}/file?format=${format}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const TEXT = `## Purpose

Who may use **what** at {{organization.name}}, see [the rules](https://example.com/rules).

1. Ask the owner.
2. Give it back.

| System | Owner |
|---|---|
| Mail | Ada |`

test('a version has its cover, its text, those before it and who approved it', async () => {
  const policy = await addPolicy()
  await publish(await submitted(policy.id, { content: 'Nobody.', changelog: 'The first of them' }))
  const version = await submitted(policy.id, { content: TEXT, changelog: 'Somebody may' })
  await publish(version)
  const { answer, bytes } = await fileOf(version.id)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain('POL-1-2.0.pdf')
  const pages = pdfText(bytes)
  const lines = pages.flat()
  expect(pages[0]!.join(' ')).toContain('Access control policy')
  expect(pages.length).toBeGreaterThan(1)
  for (const told of [
    ...['Purpose', 'Ask the owner.', '2.', 'Mail', 'The first of them', 'Somebody may', 'Read twice'],
    ...['Versions', 'Approvals', version.contentSha256],
  ])
    expect(
      lines.some((line) => line.includes(told)),
      told,
    ).toBe(true)
  expect(lines.join(' ')).toContain('the rules (https://example.com/rules)')
  expect((await fileOf(version.id)).bytes.equals(bytes)).toBe(true)
})

test('a draft is on no paper, and neither is what another organization wrote', async () => {
  const { id } = await as(author, 'createPolicyVersion', { policyId: (await addPolicy()).id, content: TEXT })
  expect((await fileOf(id)).answer.status).toBe(409)
  const other = await one.organization()
  await expect(one.call(other.admin, 'exportPolicyVersion', { id })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('five hundred texts that mean harm are words on paper', async () => {
  expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(500)
  const allowed = ['form', 'level', 'text', 'mark', 'depth', 'columns', 'rows', 'cells', 'title', 'share']
  const looks = ['isBold', 'isItalic', 'isCode', 'url']
  for (const text of HOSTILE_TEXTS)
    for (const block of markdownOnPaper(text))
      expect(keysOf(block).filter((key) => ![...allowed, ...looks].includes(key))).toEqual([])
  // Braces that are no placeholder are refused when they are written.
  const content = HOSTILE_TEXTS.map((text) => text.replaceAll('{{', '{ {')).join('\n\n')
  const version = await submitted((await addPolicy({ name: '<script>alert(1)</script>' })).id, { content })
  expect(version.contentSha256).toBe(createHash('sha256').update(String(version.text)).digest('hex'))
  const { answer, bytes } = await fileOf(version.id)
  expect(answer.status).toBe(200)
  expect(bytes.toString('latin1')).not.toMatch(
    /\/(URI|JavaScript|JS|Launch|OpenAction|EmbeddedFile|Annots)\b/,
  )
  expect(pdfText(bytes).flat().join(' ')).toContain('<script>')

  const word = await fileOf(version.id, 'docx')
  expect(word.answer.status).toBe(200)
  const parts = await docxParts(word.bytes)
  const names = [...parts.keys()]
  expect(
    names.filter((name) => !/^(word|docProps|_rels)\/.*\.(xml|rels)$|^\[Content_Types]/.test(name)),
  ).toEqual([])
  // What Word fetches, runs or fills in by itself: a target outside is only what somebody may click.
  const relations = names.flatMap((name) => [...parts.get(name)!.matchAll(/<Relationship [^>]*>/g)])
  for (const [relation] of relations.filter(([one]) => one.includes('TargetMode="External"')))
    expect(relation).toMatch(
      /Type="[^"]*\/hyperlink".* Target="https?:\/\/|Target="https?:\/\/.*\/hyperlink"/,
    )
  const text = parts.get('word/document.xml')!
  expect(text).not.toMatch(/<w:(instrText|fldSimple|object|altChunk|control)\b|<o:|<v:|<script/)
  expect(text).toContain('&lt;script&gt;')
})

test('a version for Word has headings, lists that count by themselves, tables and links', async () => {
  const version = await submitted((await addPolicy()).id, {
    content: `${TEXT}\n\n## Again\n\n1. Of a list of its own.\n   - Deeper\n2. Last\n\n3) Third`,
  })
  const { answer, bytes } = await fileOf(version.id, 'docx')
  expect(answer.headers.get('content-type')).toContain('wordprocessingml.document')
  expect(answer.headers.get('content-disposition')).toMatch(/POL-\d+-1\.0\.docx/)
  const parts = await docxParts(bytes)
  const paragraphs = [...parts.get('word/document.xml')!.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([one]) => one)
  const withText = (text: string) => paragraphs.find((one) => wordsIn(one).includes(text))!
  expect(withText('Purpose')).toContain('w:val="Heading2"')
  expect(withText('Access control policy')).toContain('w:val="Title"')
  expect(withText('Who may use')).toMatch(/<w:b\/>.*what/s)
  expect(withText('Who may use')).toContain('<w:hyperlink')
  const listOf = (text: string) => {
    const [, level, id] = /<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d+)"\/>/.exec(withText(text))!
    return { level, id }
  }
  expect(listOf('Give it back.')).toEqual(listOf('Ask the owner.'))
  expect(listOf('Of a list of its own.').id).not.toBe(listOf('Ask the owner.').id)
  expect(listOf('Last')).toEqual(listOf('Of a list of its own.'))
  expect(listOf('Deeper')).toMatchObject({ level: '1' })
  expect(withText('Mail')).toBeDefined()
  expect([...parts.get('word/document.xml')!.matchAll(/<w:tblHeader\/>/g)].length).toBeGreaterThan(0)
  expect(wordsIn(parts.get('word/document.xml')!)).toContain(version.contentSha256)
})

const wordsIn = (xml: string): string =>
  [...xml.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text).join('')

const keysOf = (value: Block | object): string[] =>
  Object.entries(value).flatMap(([key, one]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...(typeof one === 'object' && one !== null ? keysOf(one) : []),
  ])
