import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { writeCoverageDays } from '../server/frameworks/coverage-days.ts'
import { settleResults } from '../server/frameworks/settle-results.ts'
import { type Site, startSite } from './support/browser.ts'

// A framework as the tree of what it asks, and a requirement with what its result follows from.

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

type Made = { id: string }
const make = async (admin: Caller, name: string, input: object): Promise<Made> =>
  (await site.call(admin, name, input)).body as unknown as Made

const CATALOG = {
  catalog: {
    uuid: '0b0e1f54-6a1c-4d3b-9a57-0f6e6ad1b111',
    metadata: {
      ...{ title: 'Catalog of ours', version: '1', 'oscal-version': '1.1.2' },
      'last-modified': '2026-01-01T00:00:00Z',
    },
    groups: [{ id: 'ac', title: 'Access', controls: [{ id: 'ac-1', title: 'Access is decided' }] }],
  },
}

/** A library with fields that an import leaves out. */
const LIBRARY = {
  ...{ urn: 'urn:e:r:framework:lib', name: 'Rules of a library', min_score: 1, max_score: 4 },
  ref_id: 'rules-of-a-library-with-a-short-name-that-is-much-longer-than-sixty-letters',
  requirement_nodes: ['1', '2'].map((end) => ({
    ...{ urn: `urn:e:r:n:lib:${end}`, assessable: true, description: `Text ${end}` },
    ...{ implementation_groups: ['Z'], translations: { de: { name: 'Eins' } }, threats: ['urn:t:1'] },
  })),
}

/** A framework of two families with four requirements. */
async function houseRules(admin: Caller) {
  const levels = [{ key: 'basic', title: 'Basic' }]
  const { id } = await make(admin, 'createFramework', {
    ...{ key: 'house-rules', edition: '1', name: 'House rules for suppliers', levels },
  })
  const ask = (key: string, title: string, more: object = {}) =>
    make(admin, 'createRequirement', { frameworkId: id, key, title, ...more })
  const heading = { kind: 'group', assessable: false }
  const access = await ask('A', 'Access', { ...heading, sortOrder: 1 })
  const backups = await ask('B', 'Backups', { ...heading, sortOrder: 3 })
  const review = await ask('A.1', 'Access is reviewed', {
    ...{ parentId: access.id, sortOrder: 2, implementationGroups: ['basic'] },
    text: 'Accounts and their rights are reviewed at planned intervals.',
    owner: { type: 'user', refId: admin.userId },
  })
  const under = { parentId: backups.id }
  const made = await ask('B.1', 'Backups are made', { ...under, sortOrder: 4 })
  await ask('B.2', 'Backups are restored', { ...under, sortOrder: 5 })
  await ask('B.10', 'Tapes are kept apart', {
    ...{ ...under, sortOrder: 6, applicability: 'not_applicable', justification: 'There are none.' },
  })
  return { id, review: review.id, made: made.id }
}

test('a framework is a tree with its results, which filters in its address cut', async () => {
  const { admin } = await site.organization()
  const framework = await houseRules(admin)
  const page = await site.open(`/frameworks/${framework.id}`, { as: admin })
  await page.getByRole('button', { name: 'Activate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Activate a framework' })
  await dialog.getByRole('option', { name: 'Basic (1 requirement)' }).waitFor({ state: 'attached' })
  await page.picture('p16-activate')
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await dialog.waitFor({ state: 'detached' })
  await site.call(admin, 'updateRequirement', {
    ...{ id: framework.made, result: 'compliant', resultReason: 'Seen at the audit in May.' },
  })
  await page.reload()
  const tree = page.getByRole('list', { name: 'Requirements' })
  const row = (title: string) => tree.getByRole('link', { name: title })
  await row('Backups are made').waitFor()
  await page.getByRole('region', { name: 'Progress' }).getByText('33%').waitFor()
  await tree
    .getByRole('button', { name: /^B Backups/ })
    .getByText('50%')
    .waitFor()
  await tree.getByTitle('Pinned: Seen at the audit in May.').waitFor()
  await page.picture('p16-tree')
  await page.getByRole('button', { name: 'Not assessed 2' }).click()
  await page.getByText('2 of 4 requirements shown').waitFor()
  expect(await row('Backups are made').count()).toBe(0)
  await page.reload()
  await page.getByText('2 of 4 requirements shown').waitFor()
  await page.getByRole('button', { name: 'Not assessed 2' }).click()
  await page.getByLabel('In scope only').check()
  await page.getByText('3 of 4 requirements shown').waitFor()
  await tree.getByRole('button', { name: /^B Backups/ }).click()
  await row('Backups are made').waitFor({ state: 'detached' })
  await page.goto(`${site.url}/frameworks`)
  await page.getByRole('img', { name: 'Compliant: 1, Not assessed: 2' }).waitFor()
  await page.picture('p16-list')
})

test('what is missing is shown before it is planned', async () => {
  const { admin } = await site.organization()
  const { id } = await houseRules(admin)
  await make(admin, 'activateFramework', { id })
  await make(admin, 'createCompliancePlan', { title: 'Our year' })
  const page = await site.open(`/frameworks/${id}`, { as: admin })
  await page.getByRole('button', { name: 'Plan what is missing' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan what is missing' })
  const list = dialog.getByRole('list', { name: 'What is made' })
  await list.getByText('Backups are made').waitFor()
  await dialog.getByRole('button', { name: 'Make 3 tasks' }).waitFor()
  await dialog.getByRole('button', { name: /^Plan/ }).click()
  await page.getByRole('option', { name: /Our year/ }).click()
  await dialog.getByLabel('Add controls as well').check()
  await page.picture('r16c-gaps')
  await dialog.getByRole('button', { name: 'Make 3 tasks and 3 controls' }).click()
  await page.getByText('3 tasks and 3 controls made.').waitFor()
  await page.picture('r16c-gaps-made')
  expect((await site.call(admin, 'summarizeTasks', {})).body).toMatchObject({ total: 3 })
  await page.getByRole('link', { name: 'Open the tasks' }).click()
  await page.getByRole('link', { name: /Meet A\.1/ }).waitFor()
})

test('a requirement says what its result follows from, and a person may say another', async () => {
  const { admin } = await site.organization()
  const { id, review } = await houseRules(admin)
  await make(admin, 'activateFramework', { id })
  const control = await make(admin, 'createControl', {
    ...{ code: 'IAM-1', title: 'Accounts are reviewed each quarter' },
    implementationStatus: 'implemented',
  })
  const evidence = await make(admin, 'createEvidence', {
    ...{ title: 'Review of May', text: 'All reviewed.', expiryDate: '2090-01-01' },
  })
  await make(admin, 'linkEvidence', { id: evidence.id, targetKind: 'control', targetId: control.id })
  const page = await site.open(`/requirements/${review}`, { as: admin })
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('No control stands for it, neither linked here nor through a mapping.').waitFor()
  await result.getByText('Link the controls that meet it.').waitFor()
  await result.getByRole('button', { name: 'Link a control' }).click()
  await page.getByRole('option', { name: /Accounts are reviewed/ }).click()
  await result.getByText('Its control is in place, without proof.').waitFor()
  const chain = result.getByRole('list', { name: 'What it follows from' })
  await chain.getByRole('link', { name: /IAM-1/ }).waitFor()
  await chain.getByRole('link', { name: /Review of May/ }).waitFor()
  await chain.getByText('Weakest link').waitFor()
  await page.picture('p16-requirement')
  await result.getByRole('button', { name: 'Give a result' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give a result' })
  await dialog.getByLabel('Result').first().selectOption('compliant')
  await dialog.getByLabel('Reason for the result').fill('The auditor has seen it.')
  await page.picture('p16-result')
  // Something else of it moves just before, as what follows from its controls may at any time.
  let moves = 0
  await page.route('**/web/updateRequirement', async (route) => {
    moves += 1
    if (moves === 1) await make(admin, 'updateRequirement', { id: review, maturity: 2 })
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Pin the result' }).click()
  await result.getByText('Pinned: The auditor has seen it.').waitFor()
  await result.getByText('What follows from its controls: partially compliant.').waitFor()
  expect(moves).toBe(2)
  await page.unroute('**/web/updateRequirement')
  await page.picture('p16-pinned')
  await result.getByRole('button', { name: 'Let it follow its controls' }).click()
  await result.getByText('Pinned').waitFor({ state: 'detached' })
  await settleResults(site.service)
  expect((await site.call(admin, 'getRequirement', { id: review })).body).toMatchObject({
    result: 'partially_compliant',
    resultPinned: false,
    resultReason: null,
  })
  await result.getByRole('button', { name: 'Does not apply' }).click()
  const asked = page.getByRole('dialog', { name: 'Say that it does not apply' })
  await asked.getByLabel('Justification').fill('Nobody has an account here.')
  await page.picture('p16-excluding')
  await asked.getByRole('button', { name: 'Exclude it' }).click()
  await result.getByText('It does not apply: Nobody has an account here.').waitFor()
  expect(await result.getByRole('button', { name: 'Give a result' }).count()).toBe(0)
  await page.picture('p16-excluded')
})

test('a framework of the library is brought in whole, and activated from there', async () => {
  const { admin } = await site.organization()
  await site.service.jobs.start()
  const page = await site.open('/frameworks/library', { as: admin })
  const row = page.getByRole('row').filter({ hasText: 'SOC 2, trust services criteria' })
  await row.getByRole('button', { name: 'Add SOC 2, trust services criteria' }).click()
  await row.getByRole('button', { name: 'Activate' }).waitFor()
  await row.getByText('Available').waitFor()
  await page.picture('p16-library')
  const choose = async (file: object | string) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import a file' }).click()
    const [name, text] = typeof file === 'string' ? ['rows.csv', file] : ['a.json', JSON.stringify(file)]
    await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  }
  const chooseLibrary = async (objects: object) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import a file' }).click()
    const text = `# YAML\n${JSON.stringify({ urn: 'urn:e:r:library:lib', version: 1, packager: 'e', objects })}`
    await (await choosing).setFiles({ name: 'a.yaml', mimeType: 'text/plain', buffer: Buffer.from(text) })
  }
  const dialog = page.getByRole('dialog', { name: 'Import a framework' })
  await choose({ catalog: { uuid: 'x' } })
  await dialog.getByText('The file has errors. Nothing was imported.').waitFor()
  await page.picture('p16-faults')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await choose(CATALOG)
  await dialog.getByText('is added with 1 requirement to answer.').waitFor()
  await page.picture('p16-plan')
  await dialog.getByRole('button', { name: 'Add framework' }).click()
  await dialog.getByText('was added with 2 requirements').waitFor()
  await dialog.getByRole('link', { name: 'Open the framework' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const changed = structuredClone(CATALOG)
  changed.catalog.groups[0]!.controls[0]!.title = 'Access is decided anew'
  await choose(changed)
  await dialog.getByText('AC-1 (Title)').or(dialog.getByText('ac-1 (Title)')).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await site.call(admin, 'listFrameworks', { q: 'Catalog of ours' })).body).toMatchObject({
    data: [{ kind: 'catalog', sourceFormat: 'oscal' }],
  })
  await choose('key,title,parent\nA,Access,\nA.1,Access is decided,A\n')
  const table = page.getByRole('dialog', { name: 'Framework in the table' })
  await table.getByLabel('Key').fill('of-rows')
  await table.getByLabel('Edition').fill('1')
  await table.getByLabel('Name').fill('Rules of a table')
  await page.picture('p16b-table')
  await table.getByRole('button', { name: 'Read the table' }).click()
  await dialog.getByText('“Rules of a table”, 1, is added with').waitFor()
  await dialog.getByRole('button', { name: 'Add framework' }).click()
  await dialog.getByText('was added with').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  // A table with names of its own below a title: its columns are corrected in the plan.
  await choose('Rules of the house,,,\nNummer,Titel,Geprüft,Note\n1,Türen,,n\n1.1,Schlösser,x,m\n')
  await table.getByLabel('Key').fill('of-house')
  await table.getByLabel('Edition').fill('1')
  await table.getByLabel('Name').fill('Rules of the house')
  await table.getByRole('button', { name: 'Read the table' }).click()
  await dialog.getByText('No column is called “key”').waitFor()
  expect(await dialog.getByLabel('Header row').inputValue()).toBe('2')
  await dialog.getByLabel('Import “Nummer” as').selectOption('key')
  await dialog.getByLabel('Import “Titel” as').selectOption('title')
  await dialog.getByLabel('Import “Geprüft” as').selectOption('assessable')
  await dialog.getByLabel('Import “Note” as').selectOption('')
  await page.picture('p16c-columns')
  await dialog.getByRole('button', { name: 'Read the table again' }).click()
  await dialog.getByText('is added with 1 requirement to answer.').waitFor()
  await dialog.getByText('Column D (“Note”) is left out.').waitFor()
  // The plan is of the columns as they were read.
  await dialog.getByLabel('Import “Note” as').selectOption('text')
  expect(await dialog.getByRole('button', { name: 'Add framework' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Import “Note” as').selectOption('')
  await page.picture('p16c-columns-read')
  await dialog.getByRole('button', { name: 'Add framework' }).click()
  await dialog.getByText('was added with').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await chooseLibrary({ framework: LIBRARY })
  await dialog.getByRole('region', { name: 'Notes on the import' }).waitFor()
  await page.picture('p16d-notes')
  await dialog.getByRole('button', { name: 'Add framework' }).click()
  await dialog.getByText('was added with').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const mapping = { source_requirement_urn: 'urn:e:r:n:lib:1', target_requirement_urn: 'urn:e:r:n:lib:2' }
  const ends = { source_framework_urn: LIBRARY.urn, target_framework_urn: LIBRARY.urn }
  const set = { name: 'One to two', ...ends, requirement_mappings: [{ ...mapping, relationship: 'equal' }] }
  await chooseLibrary({ requirement_mapping_sets: [set] })
  await dialog.getByText('One to two: 1 mapping from Rules of a library to Rules of a library.').waitFor()
  await page.picture('p16e-mappings')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText('1 mapping was added.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row.getByRole('link', { name: 'SOC 2, trust services criteria' }).click()
  await page.getByRole('list', { name: 'Requirements' }).waitFor()
  await page.picture('p16-soc2')
  // What belongs to the edition is nobody's to change.
  await page.getByRole('tab', { name: 'Details' }).click()
  await page
    .getByRole('button', { name: 'Edit scope' })
    .or(page.getByRole('button', { name: 'Add details' }))
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: /^Edit (name|key|edition|publisher)/i }).count()).toBe(0)
})

test('a statement of applicability is approved, shown as approved, printed and taken out', async () => {
  const { admin } = await site.organization()
  const { id, review } = await houseRules(admin)
  await make(admin, 'activateFramework', { id })
  const control = await make(admin, 'createControl', { code: 'IAM-1', title: 'Accounts are reviewed' })
  await make(admin, 'linkRequirement', { id: review, targetKind: 'control', targetId: control.id })
  const page = await site.open(`/frameworks/${id}`, { as: admin })
  const more = page.getByRole('navigation', { name: 'More of this framework' })
  await more.getByRole('link', { name: 'Statement of applicability' }).click()
  const table = page.getByRole('table', { name: 'Statement of applicability' })
  await table
    .getByRole('row', { name: /A\.1 Access is reviewed Yes/ })
    .getByText('Accounts are reviewed')
    .waitFor()
  await table.getByRole('row', { name: /B\.10 Tapes are kept apart No There are none\./ }).waitFor()
  await page.getByText('Draft: not approved').waitFor()
  await page.getByText('3 applicable without a justification for inclusion.').waitFor()
  await page.getByRole('button', { name: 'Approve statement' }).click()
  const dialog = page.getByRole('dialog', { name: /^Approve the statement/ })
  await dialog.getByLabel('Note').fill('For the audit in May')
  await dialog.getByRole('button', { name: /^Approve/ }).click()
  await dialog.waitFor({ state: 'detached' })
  // Whoever approves it sees what was approved.
  await page.getByText('For the audit in May').waitFor()
  await page.picture('p16b-statement')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
  expect(pdfSheets(await page.pdf({ preferCSSPageSize: true }))).toEqual([842, 595])
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Download' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'PDF' }).click()
  expect((await saving).suggestedFilename()).toBe('statement-of-applicability-house-rules-1-version-1.pdf')
})

test('two frameworks are compared both ways and mapped, and coverage over time is drawn', async () => {
  const organization = await site.organization()
  const { admin } = organization
  const { id, review, made } = await houseRules(admin)
  const other = await make(admin, 'createFramework', { key: 'theirs', edition: '2', name: 'Rules of theirs' })
  const asked = await make(admin, 'createRequirement', { frameworkId: other.id, key: 'T.1', title: 'Rights' })
  const mapping = { targetKind: 'mapping_target', targetId: asked.id, relationship: 'subset_of' }
  await make(admin, 'linkRequirement', { id: review, ...mapping })
  await make(admin, 'activateFramework', { id })
  await make(admin, 'updateRequirement', { id: made, result: 'compliant', resultReason: 'Seen.' })
  await site.moveClock(3 * 86_400_000)
  await writeCoverageDays(site.service)
  const page = await site.open(`/frameworks/${id}`, { as: admin })
  await page.getByText('Compare with another framework').click()
  await page.getByLabel('With', { exact: true }).selectOption({ label: 'Rules of theirs, 2' })
  const here = page.getByRole('region', { name: /^What Rules of theirs 2 covers of House rules/ })
  await here.getByText('2 of 3 requirements left to do').waitFor()
  await page.getByLabel('What is left to do only').uncheck()
  await here.getByText('Access', { exact: true }).click()
  await here.getByText('T.1').waitFor()
  await page
    .getByRole('region', { name: /of Rules of theirs 2$/ })
    .getByText('1 of 1 requirement')
    .waitFor()
  await page.picture('p16b-compare')
  await page.getByRole('tab', { name: 'Mappings' }).click()
  const table = page.getByRole('table', { name: 'Mappings' })
  const row = (name: RegExp) => table.getByRole('row', { name })
  await row(/Access is reviewed.*Subset of.*T\.1 Rights.*Your own/).waitFor()
  await page.getByText('1 of 4 requirements mapped').waitFor()
  await page.getByLabel('Unmapped only').check()
  await page.getByRole('button', { name: 'Map B.1', exact: true }).press('Enter')
  await page.getByRole('option', { name: 'T.1 Rights' }).click()
  const dialog = page.getByRole('dialog', { name: 'Map a requirement' })
  await dialog.getByLabel('Relationship').first().selectOption('superset_of')
  await dialog.getByLabel('Note').fill('Read side by side')
  await page.picture('r16c-map')
  await dialog.getByRole('button', { name: 'Save mapping' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Unmapped only').uncheck()
  await row(/Backups are made.*Superset of.*Read side by side/).waitFor()
  await page.picture('r16c-mappings')
  await page.getByLabel('With', { exact: true }).waitFor()
  await page.goto(`${site.url}/frameworks/${other.id}/comparison?with=${id}&tab=mappings`)
  await row(/Subset of.*B\.1 Backups are made/).waitFor()
  await page.getByRole('button', { name: 'Change the mapping of T.1 with B.1' }).click()
  const change = page.getByRole('dialog', { name: 'Change a mapping' })
  await change.getByLabel('Relationship').first().selectOption('equal')
  await change.getByRole('button', { name: 'Save mapping' }).click()
  await row(/Equal.*B\.1 Backups are made/).waitFor()
  await page.getByRole('button', { name: 'Remove the mapping of T.1 with A.1' }).click()
  await page.getByText('The mapping of A.1 with T.1 was removed.').waitFor()
  expect((await site.call(admin, 'listFrameworkMappings', { requirementId: asked.id })).body).toMatchObject({
    data: [{ source: { key: 'B.1' }, relationship: 'equal', note: 'Read side by side', origin: 'own' }],
  })
  const viewer = await site.open(`/frameworks/${id}/comparison?with=${other.id}&tab=mappings`, {
    as: await organization.person('viewer'),
    viewport: { width: 390, height: 800 },
  })
  await viewer.getByText('Backups are made').waitFor()
  expect(await viewer.getByRole('button', { name: /^(Map|Change|Remove)/ }).count()).toBe(0)
  await viewer.picture('r16c-mappings-narrow')
  await page.goto(site.url)
  const overview = page.getByRole('region', { name: 'Coverage of frameworks' })
  await overview.getByRole('listitem').filter({ hasText: 'House rules' }).getByText('+33 points').waitFor()
  await page.picture('r16c-overview')
})

/** How wide and how high the first sheet is, in points. */
const pdfSheets = (bytes: Buffer) =>
  /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(bytes.toString('latin1'))?.slice(1).map(Number).map(Math.round)

test('answers move to another edition, where somebody chooses whose counts, and come back', async () => {
  const { admin } = await site.organization()
  await site.service.jobs.start()
  const edition = async (name: string, keys: Readonly<Record<string, string>>) => {
    const { id } = await make(admin, 'createFramework', { key: 'house', edition: name, name: 'House rules' })
    const ids: Record<string, string> = {}
    for (const [key, title] of Object.entries(keys))
      ids[key] = (await make(admin, 'createRequirement', { frameworkId: id, key, title })).id
    return { ...ids, id } as Readonly<Record<string, string>> & { id: string }
  }
  const older = await edition('2024', { A: 'Doors', B: 'Windows', C: 'Roof', D: 'Cellar' })
  const newer = await edition('2026', { A: 'Doors and windows', C: 'Roof', E: 'Garden' })
  for (const id of [older.A, older.B])
    await site.call(admin, 'linkRequirement', {
      ...{ id, targetKind: 'mapping_target', targetId: newer.A, relationship: 'subset_of' },
    })
  const answers = [
    { id: older.A, result: 'compliant', resultReason: 'Seen in May.' },
    { id: older.B, note: 'Of glass' },
    { id: older.C, note: 'Flat' },
    { id: older.D, note: 'Wet' },
  ]
  for (const answer of answers) await site.call(admin, 'updateRequirement', answer)
  const page = await site.open(`/frameworks/${older.id}`, { as: admin })
  await page.getByRole('link', { name: 'Move to another edition' }).click()
  await page.getByLabel('Other edition').selectOption({ label: 'House rules, 2026' })
  await page.getByText(/^4 answers in this edition/).waitFor()
  await page.getByText('Cellar').waitFor()
  await page.picture('ed16-plan')
  const move = page.getByRole('button', { name: 'Move 3 answers' })
  expect(await move.isDisabled()).toBe(true)
  await page.getByLabel('Whose answer counts for A').selectOption({ label: 'A Doors' })
  await move.click()
  const moves = page.getByRole('table', { name: 'Moves so far' })
  await moves.getByText('2 requirements changed, 0 links').waitFor()
  await page.picture('ed16-moved')
  expect((await site.call(admin, 'getRequirement', { id: newer.A! })).body).toMatchObject({
    ...{ result: 'compliant', note: 'Of glass' },
  })
  await moves.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo the move to House rules, 2026' })
  await page.picture('ed16-undo')
  await dialog.getByRole('button', { name: 'Undo the move' }).click()
  await moves.getByText('Undone', { exact: true }).waitFor()
  expect((await site.call(admin, 'getRequirement', { id: newer.A! })).body).toMatchObject({ note: null })
})
