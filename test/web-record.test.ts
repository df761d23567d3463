import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { type Site, startSite, type TestPage } from './support/browser.ts'

/* One record is read and changed where it stands, by the rules of its kind and of the person's role. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

interface Made {
  id: string
  reference: string
  version: number
  [field: string]: unknown
}

const make = async (by: Caller, operation: string, input: object): Promise<Made> =>
  (await site.call(by, operation, input)).body

const read = (by: Caller, id: string) => make(by, 'getRisk', { id })

async function openRisk(values: object = {}) {
  const { admin, person } = await site.organization()
  const editor = await person('editor')
  const risk = await make(admin, 'createRisk', { title: 'Unpatched gateway', ...values })
  const page = await site.open(`/risks/${risk.id}`, { as: editor, viewport: { width: 1280, height: 900 } })
  await page.getByRole('heading', { level: 1, name: risk.title as string }).waitFor()
  return { admin, editor, person, risk, page }
}

const edit = (page: TestPage, title: string) =>
  page.getByRole('button', { name: `Edit ${title}`, exact: true }).click()
/** What is not set yet stands in a list of what can be added. */
const add = async (page: TestPage, title: string) => {
  await page.getByRole('button', { name: 'Add details' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${title}`) }).click()
}
const save = (page: TestPage) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** Until the service has it. */
const kept = (by: Caller, { id }: Made, field: string) => expect.poll(async () => (await read(by, id))[field])

test('each form of field is changed where it stands', async () => {
  const { admin, editor, risk, page } = await openRisk()
  const bo = await make(admin, 'createPersonnel', { fullName: 'Bo Lind', workEmail: 'bo@example.com' })

  await edit(page, 'title')
  await page.getByLabel('Title').fill('Gateway without fixes')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Gateway without fixes' }).waitFor()
  await kept(editor, risk, 'title').toBe('Gateway without fixes')

  await add(page, 'Description')
  await page.getByLabel('Description').fill('First line\nand another')
  await page.keyboard.press('Control+Enter')
  await kept(editor, risk, 'description').toBe('First line\nand another')

  await edit(page, 'category')
  await page.getByRole('menuitem', { name: 'Legal' }).click()
  await kept(editor, risk, 'category').toBe('legal')

  await add(page, 'Impact areas')
  await page.getByLabel('Integrity').check()
  await page.getByLabel('Legal').check()
  await save(page)
  await kept(editor, risk, 'impactAreas').toEqual(['integrity', 'legal'])

  await add(page, 'Next review')
  await page.getByLabel('Next review').fill('2027-02-01')
  await save(page)
  await kept(editor, risk, 'reviewDate').toBe('2027-02-01')

  await edit(page, 'due')
  await page.getByText('it is the end of that day').waitFor()
  await page.getByLabel('Due', { exact: true }).fill('2027-01-15')
  await save(page)
  await kept(editor, risk, 'dueDate').toBe(new Date('2027-01-15T23:59:59.999').toISOString())
  await edit(page, 'due')
  await page.getByLabel('Due, time').fill('09:30')
  await save(page)
  await kept(editor, risk, 'dueDate').toBe(new Date('2027-01-15T09:30').toISOString())

  await edit(page, 'owner')
  await page.getByPlaceholder('Search people').fill('Bo')
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  await kept(editor, risk, 'ownerId').toBe(bo.id)

  await add(page, 'Labels')
  await page.getByLabel('Labels').fill('edge, 2026')
  await save(page)
  await kept(editor, risk, 'labels').toEqual(['edge', '2026'])

  await add(page, 'Quantification')
  await page.getByLabel('Loss max').fill('250000')
  await save(page)
  await kept(editor, risk, 'quantification').toEqual({ currency: 'EUR', lossMax: 250_000 })

  await edit(page, 'next review')
  await page.getByLabel('Next review').fill('')
  await save(page)
  await kept(editor, risk, 'reviewDate').toBe(null)

  await page.getByRole('link', { name: /Bo Lind/ }).click()
  await edit(page, 'in scope')
  await page.getByRole('menuitem', { name: 'No', exact: true }).click()
  await expect.poll(async () => (await make(editor, 'getPersonnel', { id: bo.id })).inScope).toBe(false)
  await page.getByRole('tab', { name: 'Named in' }).click()
  await page.getByRole('link', { name: 'Gateway without fixes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Gateway without fixes' }).waitFor()
})

test('a band says how grave it is from stage to stage, and each is rated in one change', async () => {
  const { admin, editor, person, risk, page } = await openRisk({
    inherentLikelihood: 'almost_certain',
    inherentImpact: 'severe',
  })
  const band = page.getByRole('region', { name: 'Rating' })
  const stages = band.getByRole('listitem')
  const told = async () =>
    (await stages.allInnerTexts()).map((text) =>
      text
        .split('\n')
        .filter((line) => line && line !== 'Rate')
        .join(', '),
    )
  expect(await told()).toEqual([
    'Inherent, Critical, Score 25, Almost certain × Severe',
    'Current, Not rated',
    'Residual, Not rated',
    'Target, Not rated',
  ])
  await band.getByRole('button', { name: 'Add current rating' }).click()
  const dialog = page.getByRole('dialog', { name: /current rating$/ })
  await dialog.getByText('As it is now, with the controls that work').first().waitFor()
  await dialog.getByLabel('Likelihood').selectOption('likely')
  await dialog.getByText('follows from likelihood and impact').waitFor()
  await dialog.getByLabel('Impact').selectOption('major')
  await dialog.getByText('High').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await kept(editor, risk, 'version').toBe(2)
  await band.getByRole('button', { name: 'Edit target level' }).click()
  await page.getByRole('menuitem', { name: 'Medium' }).click()
  await kept(editor, risk, 'targetLevel').toBe('medium')
  await expect
    .poll(async () => (await told()).slice(1))
    .toEqual(['Current, High, Score 16, Likely × Major', 'Residual, Not rated', 'Target, Medium'])
  await band
    .getByRole('img', { name: /Inherent: Almost certain × Severe; Current: Likely × Major$/ })
    .waitFor()

  await site.call(admin, 'updateRisk', { id: risk.id, status: 'assessed' })
  await band.getByRole('button', { name: 'Edit current rating' }).click()
  await dialog.getByLabel('Impact').selectOption('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await stages.nth(1).getByRole('alert').getByText('an assessed risk needs likelihood and impact').waitFor()
  expect((await read(editor, risk.id)).impact).toBe('major')

  const viewer = await site.open(`/risks/${risk.id}`, {
    as: await person('viewer'),
    viewport: { width: 360, height: 740 },
  })
  await viewer.getByText('Likely × Major').waitFor()
  const top = async (of: string) => (await viewer.getByText(of, { exact: true }).first().boundingBox())!.y
  expect(await top('Inherent')).toBeLessThan(await top('Owner'))
})

test('what is not set is folded away, and a click on a value changes it', async () => {
  const { editor, person, risk, page } = await openRisk({ threat: 'Whoever reads release notes' })
  const details = page.getByRole('tabpanel', { name: 'Details' })
  expect(await details.getByRole('term').allInnerTexts()).toEqual([
    'Category',
    'Treatment strategy',
    'Threat',
  ])
  await page.getByText('Whoever reads release notes').click()
  await page.getByText('Who or what could do it').waitFor()
  await page.getByLabel('Threat').fill('Somebody bored')
  await page.keyboard.press('Escape')
  await page.getByText('Whoever reads release notes').click()
  await page.getByLabel('Threat').fill('Somebody bored')
  await page.keyboard.press('Control+Enter')
  await kept(editor, risk, 'threat').toBe('Somebody bored')
  await add(page, 'Cause')
  await page.keyboard.type('A late update')
  await page.keyboard.press('Control+Enter')
  await kept(editor, risk, 'cause').toBe('A late update')
  const viewer = await site.open(`/risks/${risk.id}`, { as: await person('viewer') })
  await viewer.getByText('A late update').waitFor()
  expect(await viewer.getByRole('term').filter({ hasText: 'Consequence' }).count()).toBe(0)
})

test('custom fields are added, changed and removed by name, beside what others do', async () => {
  const { admin, editor, risk, page } = await openRisk({
    customFields: { site: 'Vienna', floor: 3, ports: [22, 80] },
  })
  await edit(page, 'custom fields')
  await page.getByLabel('Value of site').fill('Graz')
  await page.getByLabel('Value of floor').fill('4')
  await page.getByRole('button', { name: 'Remove ports' }).click()
  await page.getByRole('button', { name: 'Add custom field' }).click()
  await page.keyboard.type('site')
  await save(page)
  await page.getByRole('alert').getByText('“site” is there twice').waitFor()
  await page.getByLabel('Name 3').fill('rack')
  await page.getByLabel('Value of rack').fill('12')
  await site.call(admin, 'updateRisk', { id: risk.id, customFields: { theirs: true } })
  await save(page)
  await kept(editor, risk, 'customFields').toEqual({ site: 'Graz', floor: 4, rack: '12', theirs: true })

  await edit(page, 'custom fields')
  await page.getByLabel('Value of site').fill('x'.repeat(17_000))
  await save(page)
  await page
    .getByRole('alert')
    .getByText(/bytes of JSON, and a record has at most 16384/)
    .waitFor()
  expect((await page.getByLabel('Value of site').inputValue()).length).toBe(17_000)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await edit(page, 'custom fields')
  for (const name of ['site', 'floor', 'rack', 'theirs'])
    await page.getByRole('button', { name: `Remove ${name}` }).click()
  await save(page)
  await kept(editor, risk, 'customFields').toBe(null)
})

test('only the states that may follow are offered, and what a step wants to know is asked', async () => {
  const { editor, risk, page } = await openRisk({ likelihood: 'rare', impact: 'minor' })
  const status = (word: string) => page.getByRole('button', { name: `Status: ${word}` })
  const items = page.getByRole('menuitem')
  const go = async (from: string, to: string, ...others: string[]) => {
    await status(from).click()
    await items.first().waitFor()
    expect(new Set(await items.allTextContents())).toEqual(new Set([to, ...others]))
    await page.getByRole('menuitem', { name: to }).click()
  }
  await go('Identified', 'Assessed', 'Closed')
  await go('Assessed', 'In treatment', 'Closed')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Treatment strategy').selectOption('mitigate')
  await dialog.getByRole('button', { name: /^Set to/ }).click()
  await go('In treatment', 'Assessed', 'Monitored', 'Closed')
  await go('Assessed', 'In treatment', 'Closed')
  await go('In treatment', 'Monitored', 'Assessed', 'Closed')
  await go('Monitored', 'Closed', 'In treatment')
  await dialog.getByLabel('Reason for the status').fill('The gateway is gone')
  await page.keyboard.press('Control+Enter')
  await status('Closed').waitFor()
  await kept(editor, risk, 'status').toBe('closed')
  expect(await read(editor, risk.id)).toMatchObject({
    statusReason: 'The gateway is gone',
    treatmentStrategy: 'mitigate',
  })
})

test('where two people change one field, the second sees both values and chooses', async () => {
  const { admin, editor, risk, page } = await openRisk()
  await edit(page, 'title')
  await page.getByLabel('Title').fill('Mine')
  await site.call(admin, 'updateRisk', { id: risk.id, title: 'Theirs' })
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Their value, saved' })
    .getByText('Theirs', { exact: true })
    .waitFor()
  await page.getByRole('region', { name: 'Your value, not saved' }).getByText('Mine').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
  expect((await read(editor, risk.id)).title).toBe('Theirs')
  await page.getByRole('button', { name: 'Use mine' }).click()
  await kept(editor, risk, 'title').toBe('Mine')

  await edit(page, 'title')
  await page.getByLabel('Title').fill('Mine again')
  await site.call(admin, 'updateRisk', { id: risk.id, title: 'Theirs again' })
  // Whoever is still typing is told, and what they typed stands.
  await page.getByRole('status').getByText('Theirs again').waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Mine again')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor()

  // What others did to other fields is in nobody's way.
  await site.call(admin, 'updateRisk', { id: risk.id, category: 'legal' })
  await edit(page, 'title')
  await page.getByLabel('Title').fill('Both')
  await page.keyboard.press('Enter')
  await kept(editor, risk, 'title').toBe('Both')
  expect((await read(editor, risk.id)).category).toBe('legal')
})

test('half a date or a number with letters is refused in words, and clears nothing', async () => {
  const dates = { reviewDate: '2027-02-01', dueDate: '2027-01-15T08:30:00.000Z' }
  const { editor, risk, page } = await openRisk(dates)
  let sent = 0
  await page.route('**/web/updateRisk', (route) => {
    sent++
    return route.continue()
  })
  const cancel = () => page.getByRole('button', { name: 'Cancel' }).click()
  for (const [title, label] of [
    ['next review', 'Next review'],
    ['due', 'Due'],
  ] as const) {
    await edit(page, title)
    await page.getByLabel(label, { exact: true }).focus()
    await page.keyboard.press('Backspace')
    await save(page)
    await page.getByRole('alert').getByText('Enter a complete date').waitFor()
    await cancel()
  }
  await add(page, 'Quantification')
  await page.getByLabel('Loss max').fill('much')
  await save(page)
  await page.getByRole('alert').getByText('Loss max: Enter a number.').waitFor()
  await page.getByLabel('Loss max').fill('12')
  await save(page)
  await kept(editor, risk, 'quantification').toEqual({ currency: 'EUR', lossMax: 12 })
  expect(sent).toBe(1)
  expect(await read(editor, risk.id)).toMatchObject(dates)
})

test('an edit is seen before it is confirmed, and rolled back with the reason where it is refused', async () => {
  const { page } = await openRisk()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/web/updateRisk', async (route) => {
    await answered
    await route.continue()
  })
  await edit(page, 'title')
  await page.getByLabel('Title').fill('x'.repeat(201))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'x'.repeat(201) }).waitFor()
  answer()
  await page.getByRole('alert').getByText(/200/).waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('x'.repeat(201))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { level: 1, name: 'Unpatched gateway' }).waitFor()
})

test('nobody leaves something typed without being asked', async () => {
  const { page } = await openRisk()
  await add(page, 'Description')
  await page.getByLabel('Description').fill('Half a sentence')
  await page.getByRole('link', { name: 'Risk register' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByLabel('Description').inputValue()).toBe('Half a sentence')
  await page.getByRole('link', { name: 'Risk register' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.waitForURL('**/risks')
})

test('whatever a text looks like, it is a text', async () => {
  const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>\u202Egnp.exe javascript:alert(1)'
  const { admin, page, risk } = await openRisk({
    title: hostile,
    description: `${hostile}\n\u0007\u001b[31m${'W'.repeat(3000)}`,
    labels: [hostile.slice(0, 100)],
    customFields: { [hostile.slice(0, 60)]: { [hostile]: hostile } },
  })
  await site.call(admin, 'updateRisk', { id: risk.id, title: `${hostile}2` })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: '<script>' }).waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('listitem').getByText('changed it').waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  const wider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await page.evaluate(wider)).toBe(false)
})

test('a viewer reads everything and is offered no change', async () => {
  const { person, risk } = await openRisk({ description: 'To be read' })
  const page = await site.open(`/risks/${risk.reference.toLowerCase()}`, { as: await person('viewer') })
  await page.getByText('To be read').waitFor()
  expect(await page.getByRole('button', { name: /^Edit|^Status/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'More about this record' }).click()
  await page.getByRole('menuitem', { name: 'Print' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Signals' }).click()
  await page.getByText('Only admins see the deliveries').waitFor()
})

test('what happened is told in words, and which signals left with what became of them', async () => {
  const { admin, key } = await site.organization()
  await make(admin, 'createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['risk.updated'],
  })
  const risk = await make(admin, 'createRisk', { title: 'Old gateway' })
  const { secret } = await key(['write:risks', 'read:risks'])
  const change = { status: 'assessed', likelihood: 'rare', impact: 'minor' }
  await site.door.send(secret, 'PATCH', `/v1/risks/${risk.id}`, { body: change })
  const page = await site.open(`/risks/${risk.id}?tab=history`, { as: admin })
  const latest = page.getByRole('listitem').filter({ hasText: 'API key “test key”' })
  await latest.getByText('over the API').waitFor()
  await expect.poll(() => latest.textContent()).toMatch(/acting for admin \w+ changed it over the API/)
  expect(await latest.getByRole('definition').allTextContents()).toContain('from Identified to Assessed')
  await page.getByRole('tab', { name: 'Signals' }).click()
  const link = page.getByRole('row', { name: /risk\.updated/ }).getByRole('link')
  expect(await link.getAttribute('href')).toMatch(/^\/settings\/deliveries\/\w+$/)
})

test('with the keyboard alone', async () => {
  const { editor, risk, page } = await openRisk()
  const focused = () => page.evaluate<string>(`document.activeElement.getAttribute('aria-label') ?? ''`)
  const goTo = async (label: string) => {
    for (let steps = 0; (await focused()) !== label && steps < 80; steps++) await page.keyboard.press('Tab')
    expect(await focused()).toBe(label)
  }
  await goTo('Edit title')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' at the edge')
  await page.keyboard.press('Enter')
  await kept(editor, risk, 'title').toBe('Unpatched gateway at the edge')
  expect(await focused()).toBe('Edit title')
  await goTo('Add current rating')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /current rating$/ })
  await dialog.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('End')
  await dialog.getByText('Score 5').waitFor()
  await page.keyboard.press('Control+Enter')
  await kept(editor, risk, 'riskScore').toBe(5)
  await expect.poll(focused).toBe('Edit current rating')
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Edit current rating')
  await goTo('Edit category')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Technical' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await kept(editor, risk, 'category').not.toBe('other')
  await expect.poll(focused).toBe('Edit category')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Technical' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('Edit category')
})

test('a record is deleted by whom its kind lets, and its end can still be read', async () => {
  const { editor, risk, page } = await openRisk()
  await page.getByRole('button', { name: 'More about this record' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: `Delete ${risk.reference}?` }).waitFor()
  await page.getByRole('button', { name: 'Delete risk' }).click()
  await page.waitForURL('**/risks')
  await expect(read(editor, risk.id)).rejects.toMatchObject({ code: 'not_found' })
  await page.goto(`${site.url}/risks/${risk.id}`)
  await page.getByRole('heading', { name: 'This risk was deleted' }).waitFor()
  await page.getByText('deleted it').waitFor()
  await page.visit(`/risks/RSK-99`)
  await page.getByRole('heading', { name: 'There is no such risk' }).waitFor()
  await page.visit(`/risks/risk_01k9f8qxk2e9mbz6w0h5t4v3ra`)
  await page.getByRole('heading', { name: 'There is no such risk' }).waitFor()
})

test('on paper there is the record alone, dark on light', async () => {
  const { page } = await openRisk({ description: 'To be printed' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.getByText('To be printed').waitFor()
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  expect(await page.getByRole('tablist').isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: 'Edit title' }).isVisible()).toBe(false)
  const style = (of: string, what: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${of}')).${what}`)
  expect(await style('h1 bdi', 'color')).toBe('rgb(0, 0, 0)')
  expect(await style('body', 'backgroundColor')).toBe('rgb(255, 255, 255)')
})

test('what is under a record has a tab of its own, and is added there in its place', async () => {
  const { admin, risk, page } = await openRisk()
  await page.getByRole('tab', { name: 'Treatments' }).click()
  await page.getByText(`There are no risk treatments of ${risk.reference} yet.`).waitFor()
  await page.getByRole('button', { name: 'Add risk treatment' }).click()
  const form = page.getByRole('dialog', { name: 'Add a risk treatment' })
  await form.getByLabel('Action').fill('Move it to a newer release')
  // Which risk it is for is settled.
  expect(await form.getByText('The risk that it treats').count()).toBe(0)
  await form.getByRole('button', { name: 'Add risk treatment' }).click()
  await page.getByRole('table', { name: 'Risk treatments' }).getByText('Move it to a newer release').waitFor()
  const { data } = await make(admin, 'listRiskTreatments', { riskId: [risk.id] })
  expect(data).toMatchObject([{ action: 'Move it to a newer release', riskId: risk.id }])

  await page.getByRole('link', { name: 'Move it to a newer release' }).click()
  await page.getByRole('heading', { level: 1, name: 'Move it to a newer release' }).waitFor()
  await page
    .getByRole('link', { name: risk.title as string })
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: 'Edit risk', exact: true }).count()).toBe(0)

  // Once all are done, the risk is offered what was expected of the last.
  const person = async (name: string) => ({
    type: 'personnel',
    refId: (await make(admin, 'createPersonnel', { fullName: name, workEmail: `${name}@example.com` })).id,
  })
  const [one] = data as unknown as [Made]
  await make(admin, 'updateRiskTreatment', { id: one.id, status: 'cancelled', statusReason: 'Too dear' })
  await make(admin, 'createRiskTreatment', {
    ...{ riskId: risk.id, action: 'Replace it', status: 'verified', owner: await person('ada') },
    ...{ verifiedBy: await person('bo'), expectedLikelihood: 'rare', expectedImpact: 'minor' },
  })
  await page.visit(`/risks/${risk.id}?tab=treatments`)
  const set = page.getByRole('button', {
    name: 'Set residual likelihood to Rare and residual impact to Minor',
  })
  await set.click()
  await set.waitFor({ state: 'detached' })
  // What is offered is seen as done before it is saved.
  await expect.poll(() => read(admin, risk.id)).toMatchObject({ residualLevel: 'low', version: 2 })

  await page.visit(`/risks/${risk.id}`)
  await page.getByRole('button', { name: 'More about this record' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const gone = page.getByRole('dialog').getByRole('list', { name: 'Deleted with it:' })
  await gone.getByRole('link', { name: /risk treatment/ }).waitFor()
  await page.getByRole('button', { name: 'Delete risk', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Risk register' }).waitFor()
  const { data: left } = await make(admin, 'listRiskTreatments', { riskId: [risk.id] })
  expect(left).toEqual([])
})

test('what a record is not linked with is asked once for all', async () => {
  const { admin, person } = await site.organization()
  const risk = await make(admin, 'createRisk', { title: 'Unpatched gateway' })
  const control = await make(admin, 'createControl', { code: 'PA-1', title: 'Patching' })
  await site.call(admin, 'linkRisk', { id: risk.id, targetKind: 'control', targetId: control.id })
  const page = await site.open('/', { as: await person('editor') })
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/web/listRiskLinks') && asked.push(request.url()))
  await page.goto(new URL(`/risks/${risk.id}`, page.url()).href)
  await page.getByRole('list', { name: 'Controls' }).getByText('Patching').waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked).toHaveLength(2)
})
