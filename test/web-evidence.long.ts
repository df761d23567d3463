import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'
import { sendFile } from './support/files.ts'
import { png } from './support/pictures.ts'
import { zipOf } from './support/zip.ts'

/*
 * Evidence in the app: files uploaded to a record and dropped on the list, a line that breaks meanwhile, a request as
 * the person sees it who is asked, a review, and what is unproven.
 */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const nameOf = ({ credential }: Caller) => (credential as { name: string }).name
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const read = async (admin: Caller, input: object = {}) =>
  ((await site.call(admin, 'listEvidence', { limit: 200, ...input })).body as { data: Evidence[] }).data

interface Evidence {
  id: string
  title: string
  status: string
  files: { name: string }[] | null
}

/** Files in a folder of their own. */
function filesOf(contents: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-upload-'))
  return Object.entries(contents).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  })
}

test('whoever is asked for evidence uploads it and sends it to review', async () => {
  const { admin, person } = await site.organization()
  const asked = await person('editor')
  const { body } = await site.call(admin, 'createEvidence', {
    title: 'Access review',
    status: 'requested',
    requestedFrom: user(asked),
    requestDueDate: '2099-03-31',
    reviewer: user(admin),
  })
  const { id } = body as { id: string }
  const page = await site.open('/', { as: asked })
  const needsYou = page.getByRole('region', { name: 'Your tasks' })
  await needsYou.getByRole('link', { name: 'Access review' }).waitFor()
  await needsYou.getByRole('link', { name: '1 to decide' }).click()
  await page.getByRole('link', { name: '1 evidence to hand in' }).click()
  await page.getByRole('link', { name: 'Yours to hand in', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Access review' }).waitFor()
  await page.visit('/evidence/hub')
  await page
    .getByRole('region', { name: 'Asked of you' })
    .getByRole('link', { name: 'Access review' })
    .click()
  await page.getByText('You are asked for this').waitFor()
  const files = page.getByRole('region', { name: 'Files' })
  const choosing = page.waitForEvent('filechooser')
  await files.getByRole('button', { name: 'Upload files' }).click()
  await (await choosing).setFiles(
    filesOf({ 'first quarter.txt': 'All were reviewed.', 'notes.md': '# Notes' }),
  )
  await files.getByRole('button', { name: 'first quarter.txt', exact: true }).waitFor()
  await files.getByRole('button', { name: 'notes.md', exact: true }).waitFor()
  await files.getByText('2 of 2 files uploaded').waitFor()
  await page.picture('evidence-request')
  await files.getByRole('button', { name: 'Remove notes.md' }).click()
  await expect.poll(async () => (await read(admin))[0]!.files?.length).toBe(1)
  await page.getByRole('tab', { name: 'History' }).click()
  const entries = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await entries.filter({ hasText: 'Removed' }).getByText('notes.md').waitFor()
  await page.picture('evidence-history')
  await page.getByRole('tab', { name: 'Details' }).click()
  const saved = page.waitForEvent('download')
  await files.getByRole('button', { name: 'first quarter.txt', exact: true }).click()
  expect((await saved).suggestedFilename()).toBe('first quarter.txt')
  await page.getByRole('button', { name: 'Send to review' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send to review' }).click()
  await page.getByText('Files are not changed in this state, nor what else it says.').waitFor()
  // What would be refused is not offered.
  const edits = await page
    .getByRole('button', { name: /^Edit / })
    .evaluateAll((all) => all.map((one) => (one as unknown as { ariaLabel: string }).ariaLabel))
  expect(edits).toContain('Edit reviewer')
  expect(edits.filter((name) => /title|kind|description|owner|requested from/i.test(name))).toEqual([])
  expect(await read(admin, { status: ['in_review'] })).toMatchObject([{ id }])
  const reviewing = await site.open('/', { as: admin })
  await reviewing
    .getByRole('region', { name: 'Your tasks' })
    .getByRole('link', { name: '1 to decide' })
    .click()
  await reviewing.getByRole('link', { name: '1 evidence to decide on' }).click()
  await reviewing.locator('[aria-current=page]', { hasText: 'Yours to decide' }).waitFor()
  await reviewing.getByRole('link', { name: 'Access review' }).click()
  await reviewing.getByText('Nobody has decided on it').waitFor()
  await reviewing.getByRole('button', { name: 'Approve' }).click()
  await reviewing.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await reviewing.getByText(/^Approved by/).waitFor()
  await reviewing.visit('/evidence/hub')
  await reviewing.getByText('No control is implemented yet.').waitFor()
})

test('what a state asks for stands behind it, and is not left out', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/evidence?add=true', { as: admin })
  const drawer = page.getByRole('dialog', { name: 'Add evidence' })
  await drawer.getByLabel('Title').fill('Access review')
  const due = drawer.getByLabel('Request due')
  expect(await due.isVisible()).toBe(false)
  await drawer.getByLabel('Status').selectOption('requested')
  await due.waitFor()
  await drawer.getByRole('button', { name: 'Add evidence' }).click()
  await drawer.getByText('Fill this in.').first().waitFor()
  expect(await read(admin)).toEqual([])
})

test('whoever may only read is not offered where somebody is asked, and the reason is', async () => {
  const { admin, person } = await site.organization()
  const [editor] = await Promise.all([person('editor'), person('viewer')])
  const request = { status: 'requested', requestedFrom: user(editor), requestDueDate: '2099-03-31' }
  const { body } = await site.call(admin, 'createEvidence', { title: 'Access review', ...request })
  const page = await site.open(`/evidence/${(body as { id: string }).id}`, { as: admin })
  await page.getByRole('button', { name: 'Edit requested from' }).click()
  const search = page.getByRole('textbox', { name: 'Search people' })
  await page.getByRole('option', { name: /^editor / }).waitFor()
  await search.fill('viewer')
  await page.getByText('No match. It takes the role of editor to do what this asks.').waitFor()
  await page.picture('evidence-asked')
})

test('twelve files that are dropped anywhere on the page of the list are twelve drafts', async () => {
  const { admin, person } = await site.organization()
  const reviewer = await person('editor')
  const page = await site.open('/evidence', { as: admin })
  const words = page.getByText(
    'Drop files to add evidence: a draft for each, also of those in a ZIP archive.',
  )
  await words.waitFor()
  const drop = async (place: Locator, from: number, to: number) => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      for (let number = ${from}; number <= ${to}; number++)
        data.items.add(new File(['Log ' + number], 'Log ' + number + '.txt', { type: 'text/plain' }))
      return data
    })()`)
    await place.dispatchEvent('dragover', { dataTransfer })
    await expect.poll(() => words.count()).toBe(2)
    if (from === 1) await page.picture('evidence-drop')
    await place.dispatchEvent('drop', { dataTransfer })
    await expect.poll(() => words.count()).toBe(1)
  }
  await drop(page.getByRole('heading', { name: 'Evidence', exact: true }), 1, 6)
  const row = page.getByRole('row').filter({ hasText: 'Log 1' }).first()
  await row.waitFor()
  await drop(row, 7, 12)
  await page.getByText('12 of 12 files uploaded').waitFor({ timeout: 60_000 })
  await page.getByText('12 records of evidence').waitFor()
  const made = await read(admin)
  expect(new Set(made.map(({ title }) => title)).size).toBe(12)
  expect(made.every(({ status, files }) => status === 'draft' && files?.length === 1)).toBe(true)
  await page.picture('evidence-drafts')
  // All of them go to a reviewer at once.
  await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).click()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Send to review' }).getByText('12').click()
  const asking = page.getByRole('dialog')
  await asking.getByLabel('Reviewer').click()
  await page.getByRole('textbox', { name: 'Search people' }).fill(nameOf(reviewer))
  await page.getByRole('option', { name: nameOf(reviewer) }).click()
  await page.picture('evidence-send-many')
  await asking.getByRole('button', { name: /^Set to in review/ }).click()
  await page.getByRole('dialog').getByText('12 to change').waitFor()
  await page.picture('evidence-send-plan')
  await page.getByRole('button', { name: 'Change 12' }).click()
  await bar.getByText('12 changed').waitFor()
  expect(await read(reviewer, { status: ['in_review'], reviewerId: [reviewer.userId] })).toHaveLength(12)
  await bar.getByRole('button', { name: 'Undo 12' }).click()
  await bar.getByText('12 undone').waitFor()
  expect(await read(admin, { status: ['draft'] })).toHaveLength(12)
  // Elsewhere nothing takes them, and the browser does not open them in place of the app.
  const isLeftToBrowser = await page.evaluate(`['dragover', 'drop'].some((name) => {
    const data = new DataTransfer()
    data.items.add(new File(['x'], 'x.txt'))
    const event = new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true })
    return document.querySelector('nav').dispatchEvent(event)
  })`)
  expect(isLeftToBrowser).toBe(false)
})

test('a picture that is uploaded to the list is a screenshot', async () => {
  const { admin } = await site.organization()
  const page = await site.open('/evidence', { as: admin })
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload files' }).click()
  await (await choosing).setFiles([{ name: 'Settings.png', mimeType: 'image/png', buffer: png([4, 4]) }])
  await page.getByRole('row').filter({ hasText: 'Settings' }).getByText('screenshot').waitFor()
})

test('whoever leaves during an upload is asked first, and the file goes on from its parts when chosen again', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createEvidence', { title: 'Long log' })
  const { id } = body as { id: string }
  const page = await site.open(`/evidence/${id}`, { as: admin, expected: [/ERR_|net::|Failed to load/] })
  const path = filesOf({ 'long.log': 'A line of a log.\n'.repeat(200_000) })
  let sent: (string | null)[] = []
  await page.route('**/web/putFilePart*', (route) => {
    const number = new URL(route.request().url()).searchParams.get('number')
    sent.push(number)
    return sent.length === 3 ? undefined : route.continue()
  })
  const files = page.getByRole('region', { name: 'Files' })
  const choose = async () => {
    const choosing = page.waitForEvent('filechooser')
    await files.getByRole('button', { name: 'Upload files' }).click()
    await (await choosing).setFiles(path)
  }
  await choose()
  await expect.poll(() => sent).toEqual(['1', '2', '3'])
  const asked = page.waitForEvent('dialog')
  const reloading = page.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloading
  await page.unrouteAll()
  sent = []
  await page.route('**/web/putFilePart*', (route) => {
    sent.push(new URL(route.request().url()).searchParams.get('number'))
    return route.continue()
  })
  await choose()
  await files.getByRole('button', { name: 'long.log', exact: true }).waitFor()
  expect(sent).toEqual(['3', '4'])
  // Nothing is on its way any more: nobody is asked.
  await page.reload()
  await files.getByRole('button', { name: 'long.log', exact: true }).waitFor()
})

test('an upload waits where the line breaks, and goes on by itself', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createEvidence', { title: 'Long log' })
  const page = await site.open(`/evidence/${(body as { id: string }).id}`, {
    as: admin,
    expected: [/ERR_FAILED|net::|Failed to load resource/],
  })
  let broken = 2
  await page.route('**/web/putFilePart*', (route) => (broken-- > 0 ? route.abort() : route.continue()))
  const files = page.getByRole('region', { name: 'Files' })
  const choosing = page.waitForEvent('filechooser')
  await files.getByRole('button', { name: 'Upload files' }).click()
  await (await choosing).setFiles(filesOf({ 'long.log': 'A line of a log.\n'.repeat(150_000) }))
  await files.getByText('Waiting for the connection').waitFor()
  await page.picture('evidence-waiting')
  await files.getByRole('button', { name: 'long.log', exact: true }).waitFor({ timeout: 60_000 })
  expect(broken).toBeLessThan(0)
})

test('what is refused is told at the file', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createEvidence', { title: 'Pictures' })
  const page = await site.open(`/evidence/${(body as { id: string }).id}`, {
    as: admin,
    expected: [/Failed to load resource/],
  })
  const files = page.getByRole('region', { name: 'Files' })
  const choosing = page.waitForEvent('filechooser')
  await files.getByRole('button', { name: 'Upload files' }).click()
  await (await choosing).setFiles(filesOf({ 'report.pdf': '<html><script>alert(1)</script></html>' }))
  await files.getByText('The file is not what its name says').waitFor()
})

test('a control says that it is unproven wherever its status is shown, until evidence is approved', async () => {
  const { admin, person } = await site.organization()
  const owner = await person('editor')
  const control = (
    await site.call(admin, 'createControl', {
      code: 'NET-4',
      title: 'Gateways are patched',
      implementationStatus: 'implemented',
    })
  ).body as { id: string }
  const page = await site.open('/controls', { as: admin })
  const row = page.getByRole('row').filter({ hasText: 'Gateways are patched' })
  const mark = row.getByTitle('Unproven: no evidence is mapped to it').filter({ hasText: /^Unproven/ })
  await mark.waitFor()
  await page.picture('evidence-unproven-list')
  // Where nothing can be pointed at it, the reason stands above what may follow.
  await mark.click()
  await page.getByRole('menu').getByText('Unproven: no evidence is mapped to it').waitFor()
  await page.keyboard.press('Escape')
  await seenEverywhere(admin, page, control.id)
  const file = await sendFile(site, owner)
  const made = (
    await site.call(owner, 'createEvidence', {
      title: 'Patch log',
      owner: user(owner),
      reviewer: user(admin),
    })
  ).body as { id: string }
  await site.call(owner, 'addEvidenceFiles', { id: made.id, fileIds: [file.id] })
  await site.call(owner, 'linkEvidence', { id: made.id, targetKind: 'control', targetId: control.id })
  await site.call(owner, 'submitEvidence', { id: made.id })
  const hub = await site.open('/evidence/hub', { as: admin })
  await hub.getByRole('region', { name: 'By control' }).getByText('Not approved').waitFor()
  const held = hub.getByRole('region', { name: 'On legal hold' })
  await held.getByText('No file is on legal hold.').waitFor()
  await site.call(admin, 'updateFile', { id: file.id, legalHold: true })
  await hub.reload()
  await held.getByRole('link', { name: 'Patch log' }).waitFor()
  await hub.picture('evidence-hub')
  await held.getByRole('button', { name: 'Release review.txt from legal hold' }).click()
  await held.getByText('No file is on legal hold.').waitFor()
  await hub
    .getByRole('region', { name: 'For you to review' })
    .getByRole('link', { name: 'Patch log' })
    .click()
  const lacking = hub.getByRole('list', { name: 'Controls' }).getByTitle(/^Unproven/)
  await lacking.waitFor()
  await hub.getByRole('button', { name: 'Approve' }).click()
  await hub.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect.poll(async () => (await read(admin))[0]!.status).toBe('approved')
  await lacking.waitFor({ state: 'detached' })
  await page.goto(`${site.url}/controls/${control.id}`)
  await page.getByRole('heading', { level: 1, name: 'Gateways are patched' }).waitFor()
  expect(await page.getByTitle('Unproven').count()).toBe(0)
})

test('on the page of a control evidence is linked and added, and it says until when that proves it', async () => {
  const { admin, person } = await site.organization()
  const owner = await person('editor')
  const make = async (name: string, input: object, by = admin) =>
    (await site.call(by, name, input)).body as { id: string }
  const control = await make('createControl', {
    ...{ code: 'NET-4', title: 'Gateways are patched', implementationStatus: 'implemented' },
  })
  const patched = { title: 'Patch log', text: 'All are patched.', expiryDate: '2099-12-31' }
  const people = { owner: user(owner), reviewer: user(admin) }
  const log = await make('createEvidence', { ...patched, ...people }, owner)
  await site.call(owner, 'submitEvidence', { id: log.id })
  await site.call(admin, 'approveEvidence', { id: log.id })
  const page = await site.open(`/controls/${control.id}`, { as: admin })
  const section = page.getByRole('region', { name: 'Evidence' })
  const linked = section.getByRole('listitem')
  await section.getByRole('button', { name: 'Add evidence' }).click()
  const drawer = page.getByRole('dialog', { name: 'Add evidence' })
  await drawer.getByLabel('Title').fill('Access review')
  await drawer.getByRole('button', { name: 'Add evidence' }).click()
  await linked.filter({ hasText: 'Access review' }).waitFor()
  await section.getByRole('button', { name: 'Link evidence', exact: true }).click()
  await page.getByRole('menuitem', { name: /Partial/ }).click()
  await page.getByRole('option', { name: /Patch log/ }).click()
  await page.getByText('Unproven: Its approved evidence covers a part of it only').first().waitFor()
  await linked
    .filter({ hasText: 'Patch log' })
    .getByRole('button', { name: /Partial/ })
    .click()
  await page.getByRole('menuitem', { name: /Full/ }).click()
  await page.getByText(/^Proven by its evidence until/).waitFor()
  await page.picture('control-evidence')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.picture('control-evidence-390')
  await linked
    .filter({ hasText: 'Access review' })
    .getByRole('button', { name: /^Unlink/ })
    .click()
  await section.getByText(/is unlinked/).waitFor()
  const { data } = (await site.call(admin, 'listControlLinks', { id: control.id })).body as {
    data: { title: string }[]
  }
  expect(data.map(({ title }) => title)).toEqual(['Patch log'])
  // What proves it is not put away, nor made a draft, before somebody was told what that leads to.
  await page.setViewportSize({ width: 1280, height: 720 })
  const dialog = page.getByRole('dialog')
  const lead = async (to: string) => {
    await page.getByRole('button', { name: 'Status: Approved' }).click()
    await page.getByRole('menuitem', { name: to }).click()
    await dialog.getByText('Unproven then, unless other evidence proves all of it:').waitFor()
    await dialog.getByRole('link', { name: /Gateways are patched/ }).waitFor()
  }
  await page.visit(`/evidence/${log.id}`)
  await lead('Draft')
  await page.picture('evidence-leaving')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await read(admin, { status: ['approved'] })).toHaveLength(1)
  await lead('Archived')
  await dialog.getByRole('button', { name: 'Archive evidence' }).click()
  await page.getByText(/^Archived by /).waitFor()
  // Whoever may only read links nothing.
  const reading = await site.open(`/controls/${control.id}`, { as: await person('viewer') })
  await reading.getByRole('link', { name: /Patch log/ }).waitFor()
  expect(await reading.getByRole('button', { name: /^(Add|Link) evidence/ }).count()).toBe(0)
})

/** Among the links of a risk, in the picker that links it, where it is found, and in the overview. */
async function seenEverywhere(admin: Caller, page: TestPage, controlId: string): Promise<void> {
  const unproven = (place: Locator | Page) => place.getByTitle('Unproven: no evidence is mapped to it')
  const { body } = await site.call(admin, 'createRisk', { title: 'Gateways are taken over' })
  await page.visit(`/risks/${(body as { id: string }).id}`)
  await page.getByRole('button', { name: 'Link a control' }).click()
  await page.getByRole('menuitem', { name: /Existing/ }).click()
  const option = page.getByRole('option', { name: /Gateways are patched/ })
  await unproven(option).waitFor()
  await page.picture('evidence-unproven-picker')
  await option.click()
  const links = page.getByRole('list', { name: 'Controls' })
  await unproven(links)
    .filter({ hasText: /^Unproven: no evidence is mapped to it$/ })
    .waitFor()
  await page.reload()
  await unproven(links).waitFor()
  await page.picture('evidence-unproven-link')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Gateways are patched')
  await unproven(page.getByRole('option', { name: /Gateways are patched/ })).waitFor()
  await page.picture('evidence-unproven-found')
  await page.goto(site.url)
  await page
    .getByRole('table', { name: 'Controls by status' })
    .getByRole('link', { name: '1 unproven' })
    .click()
  await page.getByRole('row').filter({ hasText: 'Gateways are patched' }).waitFor()
  await page.visit(`/controls/${controlId}`)
  await unproven(page).waitFor()
}

test('a rejection is read first, and each revision stays to be seen and downloaded', async () => {
  const { admin, person } = await site.organization()
  const owner = await person('editor')
  const call = async (who: Caller, name: string, input: object) =>
    (await site.call(who, name, input)).body as { id: string }
  const file = await sendFile(site, owner, 'first quarter.txt')
  const { id } = await call(owner, 'createEvidence', {
    title: 'Access review',
    text: 'All accounts were reviewed.',
    owner: user(owner),
    reviewer: user(admin),
  })
  await call(owner, 'addEvidenceFiles', { id, fileIds: [file.id] })
  await call(owner, 'submitEvidence', { id })
  await call(admin, 'rejectEvidence', { id, rejectionReason: 'March is missing.' })
  const page = await site.open(`/evidence/${id}`, { as: owner })
  const reason = page.getByRole('alert').filter({ hasText: 'March is missing.' })
  await reason.getByText('Reason for the rejection').waitFor()
  expect(await page.getByRole('complementary').getByText('March is missing.').count()).toBe(0)
  await page.picture('evidence-rejected')
  await call(owner, 'updateEvidence', { id, status: 'draft', text: 'With March.' })
  await call(owner, 'removeEvidenceFile', { id, fileId: file.id })
  await call(owner, 'submitEvidence', { id })
  await page.reload()
  const revisions = page.getByRole('region', { name: 'Revisions' })
  await revisions.getByText('With March.').waitFor()
  await revisions.getByText('Revision 1').click()
  await revisions.getByText('All accounts were reviewed.').waitFor()
  const saved = page.waitForEvent('download')
  await revisions
    .getByRole('list', { name: 'Files of revision 1' })
    .getByRole('button', { name: 'first quarter.txt', exact: true })
    .click()
  expect((await saved).suggestedFilename()).toBe('first quarter.txt')
  await page.picture('evidence-revisions')
  // Who may hold nothing is not offered it.
  await revisions.getByRole('button', { name: 'About first quarter.txt' }).click()
  await page.getByRole('dialog').getByText(file.sha256).waitFor()
  expect(await page.getByRole('button', { name: 'Put on legal hold' }).count()).toBe(0)
  const ofAdmin = await site.open(`/evidence/${id}`, { as: admin })
  await ofAdmin.getByText('Revision 1').click()
  await ofAdmin.getByRole('button', { name: 'About first quarter.txt' }).click()
  await ofAdmin.picture('evidence-file')
  await ofAdmin.getByRole('button', { name: 'Put on legal hold' }).click()
  await ofAdmin.getByText('Legal hold').waitFor()
  expect((await site.call(admin, 'getFile', { id: file.id })).body).toMatchObject({ legalHold: true })
})

test('an archive that is dropped on the list is taken apart', async () => {
  const { admin } = await site.organization()
  await site.service.jobs.start()
  const page = await site.open('/evidence', { as: admin })
  const archive = zipOf([
    { name: 'Q1/Access review.txt', content: 'All were reviewed.' },
    { name: 'Q1/Backups.txt', content: 'All were restored.' },
    { name: 'setup.exe', content: 'MZ' },
  ])
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-upload-'))
  writeFileSync(join(folder, 'quarter.zip'), archive)
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload files' }).click()
  await (await choosing).setFiles([join(folder, 'quarter.zip')])
  await page.getByText('1 file was left out:').waitFor()
  await page.getByText(/^setup.exe: Files of this type/).waitFor()
  await page.getByRole('link', { name: 'Backups' }).waitFor()
  await page.picture('evidence-archive')
  expect((await read(admin)).map(({ title, status }) => [title, status]).toSorted()).toEqual([
    ['Access review', 'draft'],
    ['Backups', 'draft'],
  ])
})
