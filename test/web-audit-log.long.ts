import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Verifier } from '../client/audit-log/verifier.ts'
import { recordAction } from '../model/audit-actions.ts'
import { kinds } from '../model/kinds/index.ts'
import { entry, insertEntry } from '../server/journal/audit.ts'
import { settleDenied } from '../server/journal/denied.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* An admin finds out who did what, and takes it along. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const entries = (page: TestPage) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
const counted = (page: TestPage, count: number) => expect.poll(() => entries(page).count()).toBe(count)
const search = (page: TestPage) => Object.fromEntries(new URL(page.url()).searchParams)

test('an entry tells who, through what, when, and from what to what', async () => {
  const acme = await site.organization()
  const { secret } = await acme.key(['write:risks', 'read:risks'])
  const { body: risk } = await site.door.send(secret, 'POST', '/v1/risks', { body: { title: 'Fire' } })
  const title = '<img src=x onerror=alert(1)>'
  const headers = { 'user-agent': 'probe/1' }
  await site.door.send(secret, 'PATCH', `/v1/risks/${risk.id}`, { body: { title }, headers })
  const page = await site.open('/settings/audit-log', { as: acme.admin })
  const entry = entries(page).filter({ hasText: 'changed the title of' })
  await entry.getByText(/^API key of admin \w+ · REST API$/).waitFor()
  await entry.getByRole('button').click()
  expect(await entry.getByRole('definition').allTextContents()).toContain(`from Fire to ${title}`)
  for (const text of ['REST API', 'probe/1', risk.id]) await entry.getByText(text, { exact: true }).waitFor()
  await entry.getByRole('button', { name: 'Only these: Request' }).click()
  await counted(page, 1)
  expect(Object.keys(search(page))).toEqual(['requestId'])
  await page.getByRole('button', { name: /^Remove filter Request id/ }).click()
  await counted(page, 3) // the session is in it, too
})

test('what changed reads as on the page of the record, and leads there', async () => {
  const acme = await site.organization()
  const make = async (operation: string, input: object) =>
    (await site.call(acme.admin, operation, input)).body as { id: string; reference: string }
  const person = await make('createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })
  const risk = await make('createRisk', { title: 'Unpatched gateway' })
  const control = await make('createControl', { code: 'A.8.8', title: 'Patching' })
  const quantification = { currency: 'EUR', lossMax: 250_000 }
  const customFields = { system: { name: 'gw', ports: [80, 443] } }
  await make('updateRisk', {
    id: risk.id,
    owner: { type: 'personnel', refId: person.id },
    status: 'identified',
  })
  await make('updateRisk', { id: risk.id, category: 'third_party', quantification, customFields })
  await make('linkRisk', { id: risk.id, targetKind: 'control', targetId: control.id })
  const gone = await make('createRisk', {
    title: 'Short-lived',
    owner: { type: 'personnel', refId: person.id },
  })
  await make('deleteRisk', { id: gone.id })
  const page = await site.open('/settings/audit-log?subjectType=risk', { as: acme.admin })
  const open = async (action: string, text: string) => {
    const entry = entries(page).filter({ hasText: action }).filter({ hasText: text })
    await entry.getByRole('button', { expanded: false }).click()
    return entry
  }
  const values = (entry: Awaited<ReturnType<typeof open>>) =>
    expect.poll(() => entry.getByRole('definition').allTextContents())

  const owned = await open('changed the owner of', '')
  await values(owned).toContain('from Nobody to Bo Lind')
  expect(await owned.getByRole('link', { name: 'Bo Lind' }).getAttribute('href')).toBe(
    `/personnel/${person.id}`,
  )
  const rated = await open('changed the category, quantification, and custom fields of', '')
  await values(rated).toContain('from Other to Third party')
  await rated.getByText('250,000').waitFor()
  await rated.getByText('443', { exact: true }).waitFor()
  const linked = await open(
    'linked',
    `${risk.reference} Unpatched gateway with ${control.reference} Patching`,
  )
  for (const [path, { id, reference }, name] of [
    ['controls', control, 'Patching'],
    ['risks', risk, 'Unpatched gateway'],
  ] as const)
    expect(
      await linked
        .getByRole('link', { name: `${reference} ${name}`, exact: true })
        .first()
        .getAttribute('href'),
    ).toBe(`/${path}/${id}`)
  const deleted = await open('deleted', 'Short-lived')
  await deleted.getByRole('link', { name: 'Bo Lind' }).waitFor()
  expect(await page.getByRole('main').textContent()).not.toMatch(/\{"|\[object|ownerId|third_party/)
  await deleted
    .getByRole('link', { name: `${gone.reference} Short-lived` })
    .first()
    .click()
  await page.getByRole('heading', { name: 'This risk was deleted' }).waitFor()
})

test('what is no record reads well, too', async () => {
  const acme = await site.organization()
  const make = async (operation: string, input: object) =>
    (await site.call(acme.admin, operation, input)).body as { id: string }
  await make('createApiKey', {
    name: 'Backup job',
    scopes: ['read:risks', 'read:controls'],
    expiresAt: '2099-01-31T12:00:00.000Z',
  })
  await make('updateOrganization', { size: '51_200', features: { supplierRiskManagement: true } })
  const viewer = await acme.person('viewer')
  await make('updateUser', { id: viewer.userId, role: 'editor' })
  const endpoint = await make('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['risk.created', 'risk.updated'],
  })
  await make('updateWebhookEndpoint', { id: endpoint.id, signalTypes: ['risk.created', 'risk.deleted'] })
  await make('updateWebhookEndpoint', { id: endpoint.id, enabled: false })
  const page = await site.open('/settings/audit-log', { as: acme.admin })
  const told = async (action: string) => {
    const entry = entries(page).filter({ hasText: action }).first()
    await entry.getByRole('button', { expanded: false }).click()
    const names = await entry.getByRole('term').allTextContents()
    const values = await entry.getByRole('definition').allTextContents()
    return Object.fromEntries(names.map((name, at) => [name, values[at]!.trim()]))
  }
  const key = await told('created the API key Backup job')
  expect(key.Scopes).toBe('to read:controls read:risks')
  expect(key.Expires).toMatch(/^to Jan 31, 2099/)
  expect(await told('changed the size and features of')).toMatchObject({
    Size: 'from Not set to 51 to 200',
    'Supplier risk management': 'from Not set to Yes',
  })
  expect(await told('changed the role of')).toMatchObject({ Role: 'from Viewer to Editor' })
  expect(await told('turned off')).toMatchObject({ Enabled: 'from Yes to No' })
  await page.visit(`/settings/audit-log?action=webhook_endpoint.update`)
  await counted(page, 2)
  await entries(page).last().getByRole('button').click()
  await entries(page).getByText('Added risk.deleted').waitFor()
  await entries(page).getByText('Removed risk.updated').waitFor()
  expect(await page.getByRole('main').textContent()).not.toMatch(/\{"|\["|\[object|signalTypes/)
})

test('an entry of when its fields were others is shown as it stands', async () => {
  const { admin } = await site.organization()
  const { body } = await site.call(admin, 'createRisk', { title: 'Fire' })
  const { id, reference, createdAt: time } = body as Record<string, string>
  const changes = {
    labels: { from: 'one label', to: { inside: [{ deeper: 'a list' }] } },
    dueDate: { from: 'some day', to: 5 },
    status: { from: ['a list of it'], to: true },
    owner: { from: 7, to: { team: 'blue' } },
    description: { from: null, to: { '<b>': `${'long '.repeat(100)}end` } },
    retired: { from: 'not any more', to: [] },
  }
  const subject = { type: 'risk', id: id!, reference: reference!, title: 'Fire' }
  const event = { time: time!, action: recordAction(kinds.risk, 'update'), subject, changes }
  await site.administrator.query(insertEntry(...entry(admin, event)))
  const page = await site.open('/settings/audit-log?action=risk.update', { as: admin })
  await entries(page).getByRole('button').first().click()
  for (const text of ['one label', 'a list', 'some day', 'a list of it', 'blue', 'not any more'])
    await entries(page).getByText(text, { exact: true }).waitFor()
  await page.visit(`/risks/${id}?tab=history`)
  await page.getByRole('list', { name: 'History' }).getByText('one label').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByText(/long end$/).waitFor()
})

test('a refused call names the record, its person and the seal, in words and with exact times', async () => {
  const acme = await site.organization()
  const viewer = await acme.person('viewer')
  const { body } = await site.call(acme.admin, 'createRisk', { title: 'Unpatched gateway' })
  const { id, reference } = body as { id: string; reference: string }
  const { secret } = await acme.key(['read:risks'])
  await site.door.send(secret, 'PATCH', `/v1/risks/${id}`, { body: { title: 'No' } })
  await settleDenied()
  await expect(site.call(viewer, 'deleteRisk', { id })).rejects.toMatchObject({ status: 403 })
  await settleDenied()
  // As somebody types it who has seen only the word.
  const page = await site.open('/settings/audit-log?outcome=refused', { as: acme.admin })
  await counted(page, 2)
  await page.getByRole('button', { name: 'Remove filter Outcome: Refused' }).waitFor()
  expect(await page.getByLabel('Outcome', { exact: true }).inputValue()).toBe('denied')
  const [byViewer, byKey] = await entries(page).all()
  await expect
    .poll(() => byViewer!.textContent())
    .toContain(`was refused: the role does not allow it (deleteRisk on ${reference} Unpatched gateway)`)
  await expect
    .poll(() => byKey!.textContent())
    .toContain(`was refused: insufficient scope (updateRisk on ${reference} Unpatched gateway)`)
  expect(await byKey!.getByRole('link').getAttribute('href')).toBe(`/risks/${id}`)
  await byKey!.getByRole('button').click()
  const facts = byKey!.getByRole('definition')
  const [time] = await facts.allTextContents()
  expect(time).toMatch(/^\w{3} \d+, 20\d\d, .*[A-Z]{3}.*20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/)
  await facts.getByRole('button', { name: 'Copy updateRisk' }).waitFor()
  expect(await facts.getByRole('link', { name: acme.admin.credential.name }).getAttribute('href')).toBe(
    '/settings/members',
  )
  await facts.getByText('plumbline audit verify FILE').waitFor()
  await byKey!.getByRole('link', { name: 'Link to this entry' }).click()
  await counted(page, 1)
  await entries(page).getByRole('definition').first().waitFor()

  // The record's own history is of what happened to it.
  await page.visit(`/settings/audit-log?reference=${reference}&group=records`)
  await counted(page, 1)
  await page.visit(`/settings/audit-log?outcome=refsued`)
  await page.getByText('This filter has no “refsued”').waitFor()
  await page.getByRole('button', { name: 'Remove filter Outcome: refsued' }).click()
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Sign-in and passwords' })
  await entries(page).filter({ hasText: 'signed in' }).first().waitFor()
  expect(await entries(page).filter({ hasText: 'created' }).count()).toBe(0)
})

test('filters stand in the address, and the address is the view', async () => {
  const acme = await site.organization()
  const viewer = await acme.person('viewer')
  await site.call(acme.admin, 'createRisk', { title: 'One' })
  await site.call(acme.admin, 'createControl', { code: 'A.1', title: 'Two' })
  await expect(site.call(viewer, 'createRisk', { title: 'No' })).rejects.toMatchObject({ status: 403 })
  await settleDenied()
  const page = await site.open('/settings/audit-log', { as: acme.admin })
  await counted(page, 4)
  await page.getByLabel('Outcome', { exact: true }).selectOption({ label: 'Refused' })
  await counted(page, 1)
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last hour' })
  expect(search(page)).toEqual({ outcome: 'denied', span: '1h' })
  await page.reload()
  await expect.poll(() => entries(page).allTextContents()).toEqual([expect.stringContaining('createRisk')])
  expect(await page.getByLabel('Outcome', { exact: true }).inputValue()).toBe('denied')

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Actor', { exact: true }).selectOption(`actingUserId ${acme.admin.userId}`)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Subject type', { exact: true }).fill('control')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => entries(page).allTextContents())
    .toEqual([expect.stringContaining('created CTL-1 Two')])
  expect(search(page)).toEqual({ actingUserId: acme.admin.userId, subjectType: 'control' })
  await page.goBack()
  await counted(page, 3)

  await page.visit(`/settings/audit-log?action=risk.delete`)
  await page.getByText('No entry matches these filters').waitFor()
  await page.visit(`/settings/audit-log?from=yesterday`)
  await page.getByRole('alert').getByText('is not an instant with its offset').waitFor()

  await site.call(acme.admin, 'removeUser', { id: viewer.userId })
  await page.goto(`${site.url}/settings/audit-log`)
  const removed = page.locator('optgroup[label="Removed people"] option')
  await expect.poll(() => removed.count()).toBe(1)
  const id = (await removed.getAttribute('value'))!
  expect(id).toBe(`actingUserId ${viewer.userId}`)
  await page.getByLabel('Actor', { exact: true }).selectOption(id)
  await expect.poll(() => entries(page).allTextContents()).toEqual([expect.stringContaining('createRisk')])
})

test('what the filter shows is exported whole, harmless to a spreadsheet, and can be stopped', async () => {
  const acme = await site.organization()
  const titles = ['=1+1', '+SUM(A1)', '@cmd', '-2', '\t=3', 'say "hi", twice', 'two\nlines']
  for (const title of titles) await site.call(acme.admin, 'createRisk', { title })
  for (let made = 0; made < 4; made++) {
    const rows = Array.from({ length: 100 }, (_, row) => ({ title: `Risk ${made} ${row}` }))
    await site.call(acme.admin, 'createRiskBatch', { records: rows })
  }
  await site.call(acme.admin, 'createControl', { code: 'A.1', title: 'Not in it' })
  const page = await site.open('/settings/audit-log?subjectType=risk', { as: acme.admin })
  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export the audit log' })
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(csv.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync((await csv.path())!, 'utf8')
  expect(text.startsWith('\uFEFF"time","action","outcome"')).toBe(true)
  expect(text).not.toContain('Not in it')
  expect(text.match(/"risk\.create"/g)).toHaveLength(407)
  for (const cell of [`"'=1+1"`, `"'+SUM(A1)"`, `"'@cmd"`, `"'-2"`, `"say ""hi"", twice"`, '"two\nlines"'])
    expect(text).toContain(cell)
  expect(text).not.toMatch(/(^|,)"[=+@-]/m)

  await dialog.getByLabel('JSON lines, for programs').check()
  let held: (() => void) | undefined
  let calls = 0
  await page.route('**/web/listAuditLog', async (route) => {
    if (++calls === 2) await new Promise<void>((resolve) => (held = resolve))
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Export' }).click()
  await dialog.getByText('200 entries so far').waitFor()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  held!()
  await dialog.getByText('Stopped after 400 entries.').waitFor()
  const [lines] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Continue' }).click(),
  ])
  const all = readFileSync((await lines.path())!, 'utf8')
    .trimEnd()
    .split('\n')
  expect(all).toHaveLength(407)
  expect(new Set(all.map((line) => JSON.parse(line).id)).size).toBe(407)

  // Sealed, it is all of the time span, and an entry tells its seal.
  await entries(page).first().getByRole('button', { includeHidden: true }).dispatchEvent('click')
  expect(await entries(page).first().textContent()).toContain('Not sealed yet')
  await dialog.getByLabel('Sealed, for verification').check()
  const [sealed] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(sealed.suggestedFilename()).toMatch(/^audit-log-sealed-\d{4}-\d\d-\d\d\.jsonl$/)
  const verifier = new Verifier()
  for (const line of readFileSync((await sealed.path())!, 'utf8')
    .trimEnd()
    .split('\n'))
    verifier.take(line)
  const { lastSeq, ...verdict } = verifier.end()
  expect(verdict).toMatchObject({ problem: null, isWhole: true, unsealed: 0 })
  expect(lastSeq).toBeGreaterThan(407)
  await page.goto(`${site.url}/settings/audit-log?action=control.create`)
  await entries(page).first().getByRole('button').click()
  await entries(page)
    .getByText(/^Number \d+ [0-9a-f]{12}…sealed \w{3} \d+, 20\d\d/)
    .waitFor()
})
