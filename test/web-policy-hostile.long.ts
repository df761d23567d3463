import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { type Policies, startPolicies, userOf } from './support/policies.ts'
import { zipOf } from './support/zip.ts'

/*
 * Promise: 500 texts that mean harm, as the text and the name of a policy, are words wherever somebody reads, writes,
 * compares or acknowledges it, is mailed of it or brings it in as files: nothing runs, and no page asks anybody else for
 * anything.
 */

let policies: Policies<Site>
let { as, acme, author, approver, server } = {} as Policies<Site>
let site: Site
beforeAll(async () => {
  policies = await startPolicies(startSite)
  ;({ as, acme, author, approver, server } = policies)
  site = policies.one
})
afterAll(() => policies?.close())

/** Braces that are no placeholder are refused when they are written. */
const TEXTS = HOSTILE_TEXTS.map((text) => text.replaceAll('{{', '{ {').toWellFormed())
const CONTENT = TEXTS.join('\n\n')
const NAME = `<img src=x onerror="document.title='owned'"> \u202epolicy`

async function isHarmless(page: TestPage, foreign: readonly string[]): Promise<void> {
  expect(await page.title()).not.toBe('owned')
  expect(await page.locator('#planted, iframe, main svg[onload], base').count()).toBe(0)
  const leading = 'a[href^="javascript:" i], a[href^="data:" i], img[src^="http"], [onerror], [onmouseover]'
  expect(await page.locator(leading).count()).toBe(0)
  expect(page.complaints).toEqual([])
  expect(foreign).toEqual([])
}

/** The addresses of others that the page asks for anything. */
function foreignOf(page: TestPage): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !/^(data|blob|about):/.test(request.url()))
      asked.push(request.url())
  })
  page.on('dialog', (dialog) => {
    asked.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return asked
}

test('a policy of 500 texts that mean harm is words on each of its pages', { timeout: 300_000 }, async () => {
  const address = 'reader@acme.example'
  await as(acme.admin, 'createPersonnel', { fullName: NAME, workEmail: address })
  const policy = await as(author, 'createPolicy', {
    ...{
      name: NAME,
      owner: userOf(author),
      approver: userOf(approver),
      description: CONTENT.slice(0, 19_000),
    },
    ...{ audience: 'everyone', requiresAttestation: true },
  })
  const publish = async (content: string) => {
    const { id } = await as(author, 'createPolicyVersion', { policyId: policy.id, content, changelog: NAME })
    const { contentSha256, round } = await as(author, 'submitPolicyVersion', { id })
    await as(approver, 'approvePolicyVersion', { id, contentSha256, round, comment: TEXTS[7]! })
    return as(author, 'publishPolicyVersion', { id })
  }
  await publish(TEXTS.toReversed().join('\n\n'))
  await publish(CONTENT)
  const page = await site.open(`/policies/${policy.id}`, { as: author })
  const foreign = foreignOf(page)
  await page.getByRole('article', { name: 'Text of the policy' }).waitFor()
  await isHarmless(page, foreign)

  await page.getByLabel('Compare with').selectOption({ index: 1 })
  await page.getByRole('article', { name: /Changes from version/ }).waitFor()
  await isHarmless(page, foreign)

  await page.visit(`/policies/${policy.id}`)
  await page.getByRole('button', { name: 'Begin the next version' }).click()
  const area = page.getByRole('textbox', { name: 'Text of the version' })
  await area.fill(`${CONTENT}\n\n${NAME}`)
  await expect
    .poll(() => page.getByRole('region', { name: 'Preview' }).getByText('policy').count())
    .toBeGreaterThan(0)
  await isHarmless(page, foreign)
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  for (const tab of ['details', 'log', 'attestations', 'history']) {
    await page.visit(`/policies/${policy.id}?tab=${tab}`)
    // The text of the tab before has one of its own, and may still stand.
    await page.locator('header').getByRole('heading', { level: 1 }).waitFor()
    await isHarmless(page, foreign)
  }

  await remindReaders(site.service)
  const mail = await server.next(address)
  expect(mail.subject).not.toMatch(/[\r\n]/)
  const guest = await site.open('/sign-in')
  const others = foreignOf(guest)
  await guest.goto(`data:text/html;base64,${Buffer.from(mail.html).toString('base64')}`)
  await isHarmless(guest, others)
  expect(await guest.locator('a').count()).toBe(1)
  expect(await guest.locator('a').getAttribute('href')).toBe(mail.link)
  await guest.goto(mail.link)
  await guest.getByRole('button', { name: 'Open' }).click()
  await guest.getByText('Planted').first().waitFor()
  await isHarmless(guest, others)
})

const escaped = (text: string) =>
  text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')

/** Each text as words, as an address, as what a field says, and in what programs keep beside the text. */
function wordDocument(): Buffer {
  const [types, main] = [
    'http://schemas.openxmlformats.org/package/2006',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  ]
  const link = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
  const paragraphs = TEXTS.map(
    (text, at) =>
      `<w:p><w:hyperlink r:id="l${at}"><w:r><w:t>${escaped(text)}</w:t></w:r></w:hyperlink></w:p>` +
      ['INCLUDEPICTURE', 'DDEAUTO', 'HYPERLINK']
        .map((field) =>
          `<w:p><w:fldSimple w:instr='${field} "${escaped(text)}"'/></w:p>`.replaceAll("'", '&apos;'),
        )
        .join('')
        .replaceAll('&apos;', '&quot;'),
  )
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${types}/content-types"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    },
    {
      name: 'word/document.xml',
      content: `<w:document><w:body>${paragraphs.join('')}</w:body></w:document>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships xmlns="${types}/relationships">${TEXTS.map(
        (text, at) =>
          `<Relationship Id="l${at}" Type="${link}" Target="${escaped(text)}" TargetMode="External"/>`,
      ).join('')}</Relationships>`,
    },
    { name: 'customXml/item1.xml', content: `<x>${TEXTS.map(escaped).join('</x><x>')}</x>` },
    {
      name: 'docProps/core.xml',
      content: `<cp:coreProperties><dc:title>${escaped(NAME)} of Word</dc:title></cp:coreProperties>`,
    },
  ])
}

test('files of 500 texts that mean harm are brought in, and are words and files', {
  timeout: 300_000,
}, async () => {
  const page = await site.open('/policies/upload', { as: author })
  const foreign = foreignOf(page)
  const html = TEXTS.join('<p>')
  const named = (name: string, content: Buffer | string) => ({
    ...{ name: `${NAME} ${name}`, mimeType: '' },
    buffer: Buffer.from(content),
  })
  const document = wordDocument()
  await page
    .locator('input[type=file]')
    .setInputFiles([
      named('x.docx', document),
      named('m.md', CONTENT),
      named('t.txt', CONTENT),
      named(
        'h.html',
        `<!--[if gte mso 9]><xml>${html}</xml><![endif]--><title>${NAME} page</title><p><o:p>${html}`,
      ),
      named('scan.pdf', '%PDF-1.7\n1 0 obj'),
    ])
  await page.getByRole('button', { name: 'Add 5 policies' }).click()
  await page.getByText('5 of 5 added').waitFor()
  await isHarmless(page, foreign)
  const { data } = await as(author, 'listPolicies', { origin: ['uploaded'] })
  expect(data).toHaveLength(5)
  for (const { id, draftVersionId } of data) {
    await page.visit(`/policies/${id}`)
    await page.getByRole('article', { name: 'Text of the policy' }).waitFor()
    await expect.poll(() => page.url()).toContain(id)
    await isHarmless(page, foreign)
    const { file } = (await as(author, 'getPolicyVersion', { id: draftVersionId })) as unknown as {
      file: { name: string } | null
    }
    if (!file?.name.endsWith('.docx')) continue
    const bytes = await policies.bytesOf(author, 'downloadPolicyVersionFile', { id: draftVersionId })
    expect(bytes.equals(document)).toBe(true)
  }
})
