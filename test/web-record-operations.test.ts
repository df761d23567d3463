import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { texts } from '../model/fields.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import { operation, scope } from '../server/operation.ts'
import { changeRecord, updateRecord } from '../server/records/change-record.ts'
import { type Site, startSite } from './support/browser.ts'

/* Promise: an operation that says it is on a kind has its button and its form on the page of each record. */

const postponeReview = operation({
  name: 'postponeRiskReview',
  method: 'POST',
  path: '/v1/risks/{id}/postpone-review',
  needs: scope('write:risks'),
  writes: true,
  on: { kind: 'risk' },
  title: 'Postpone the review',
  description: 'Moves the review to another day, and says why.',
  input: z.strictObject({
    id: z.string(),
    reviewDate: z.iso.date().meta({ title: 'New day' }),
    reason: z.enum(['capacity', 'evidence']).meta({ title: 'Reason' }),
    note: z.string().max(100).optional(),
    tasks: texts('Tasks'),
  }),
  output: z.object({ id: z.string() }),
  run: async (context, { id, reviewDate, reason }) => {
    const changes = { reviewDate, description: `Postponed for ${reason}` }
    await updateRecord(context, kinds.risk as unknown as Kind, id, changes)
    return { id }
  },
})

const escalate = operation({
  name: 'escalateRisk',
  method: 'POST',
  path: '/v1/risks/{id}/escalate',
  needs: scope('write:risks'),
  writes: true,
  on: { kind: 'risk', when: { status: ['identified', 'assessed'] } },
  title: 'Escalate a risk',
  input: z.strictObject({ id: z.string(), ifMatch: z.int().optional() }),
  output: z.object({ id: z.string() }).meta({ id: 'Escalated' }),
  run: async (context, { id, ifMatch }) => {
    const set = { status: 'in_treatment' }
    const given = { likelihood: 'likely', impact: 'major', treatmentStrategy: 'mitigate' }
    await changeRecord(context, kinds.risk as unknown as Kind, id, { given, set, ifMatch })
    return { id }
  },
})

let site: Site
beforeAll(async () => {
  site = await startSite({}, [postponeReview, escalate])
})
afterAll(() => site?.close())

test('the button opens a form of the input, and the page shows what was done', async () => {
  const { admin, person } = await site.organization()
  const risk = (await site.call(admin, 'createRisk', { title: 'Unpatched gateway' })).body as { id: string }
  const page = await site.open(`/risks/${risk.id}`, { as: await person('editor') })
  await page.getByRole('button', { name: 'Postpone the review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Postpone the review' })
  await dialog.getByText('Moves the review to another day, and says why.').waitFor()
  await dialog.getByLabel('Note').waitFor()
  const submit = dialog.getByRole('button', { name: 'Postpone the review' })
  await submit.click()
  expect(await dialog.getByLabel('New day').getAttribute('aria-invalid')).toBe('true')
  // Whatever form an input has, it carries the mark where nothing can be sent without it.
  const isNeeded = (label: string) => dialog.getByRole('textbox', { name: label }).getAttribute('required')
  expect([await isNeeded('Tasks'), await isNeeded('Note')]).toEqual(['', null])
  await dialog.getByLabel('Tasks').fill('Ask Bo, Write it down')
  await dialog.getByLabel('New day').fill('2030-05-17')
  await dialog.getByLabel('Reason').selectOption('capacity')
  await submit.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Postponed for capacity').waitFor()
  const { body } = await site.call(admin, 'getRisk', { id: risk.id })
  expect(body).toMatchObject({ reviewDate: '2030-05-17' })
})

test('a button says what it does in a verb, and stands where that can be done', async () => {
  const { admin } = await site.organization()
  const { id } = (await site.call(admin, 'createRisk', { title: 'Unpatched gateway' })).body as { id: string }
  const page = await site.open(`/risks/${id}`, { as: admin })
  await page.getByRole('button', { name: 'Escalate', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Escalate a risk' })
  await dialog.getByRole('button', { name: 'Escalate', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Status: In treatment' }).waitFor()
  expect(await page.getByRole('button', { name: 'Postpone the review' }).count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Escalate' }).count()).toBe(0)
  // Whoever does not look at the button is told the same.
  const refused = site.call(admin, 'escalateRisk', { id })
  await expect(refused).rejects.toMatchObject({
    code: 'conflict',
    message: 'status is in_treatment: this can be done while it is identified or assessed.',
  })
})

test('what follows from it for a linked record is shown at once', async () => {
  const { admin, person } = await site.organization()
  const owner = await person('editor')
  const made = async (caller: Caller, name: string, input: object) =>
    ((await site.call(caller, name, input)).body as { id: string }).id
  const targetId = await made(admin, 'createControl', {
    code: 'NET-4',
    title: 'Gateways are patched',
    implementationStatus: 'implemented',
  })
  const principal = ({ userId }: Caller) => ({ type: 'user', refId: userId })
  const id = await made(owner, 'createEvidence', {
    title: 'Patch log',
    text: 'All are patched.',
    owner: principal(owner),
    reviewer: principal(admin),
  })
  await site.call(owner, 'linkEvidence', { id, targetKind: 'control', targetId })
  await site.call(owner, 'submitEvidence', { id })
  // Nobody tells the page of what it did itself.
  const page = await site.open('/', { as: admin })
  await page.route('**/getRecentChanges*', (route) => route.fulfill({ json: { cursor: 'now', changed: [] } }))
  await page.visit(`/evidence/${id}`)
  // Of nobody is it asked for, so its head has until when it holds.
  await page.getByText('Expires', { exact: true }).first().waitFor()
  await page.picture('evidence-head')
  const unproven = page.getByRole('list', { name: 'Controls' }).getByTitle(/^Unproven/)
  await unproven.waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await unproven.waitFor({ state: 'detached' })
})

test('what others changed meanwhile is read again, and the dialog goes on from there or says that it is over', async () => {
  const { admin } = await site.organization()
  const { id } = (await site.call(admin, 'createRisk', { title: 'Unpatched gateway' })).body as { id: string }
  const page = await site.open(`/risks/${id}`, { as: admin })
  // Nothing but a refusal tells the page what others did.
  await page.route('**/web/getRecentChanges', () => {})
  const byOthers = (change: object) => site.call(admin, 'updateRisk', { id, ...change })
  const escalating = page.getByRole('dialog', { name: 'Escalate a risk' })
  const moved = page.getByRole('alert').getByText('Somebody changed this in the meantime')

  await page.getByRole('button', { name: 'Escalate', exact: true }).click()
  const submit = escalating.getByRole('button', { name: 'Escalate', exact: true })
  await submit.waitFor()
  await byOthers({ description: 'Seen by others' })
  await submit.click()
  await moved.waitFor()
  await page.getByText('Seen by others').waitFor()
  expect(await escalating.getByText('version').count()).toBe(0)
  await byOthers({ likelihood: 'likely', impact: 'major', treatmentStrategy: 'mitigate' })
  await byOthers({ status: 'assessed' })
  await byOthers({ status: 'in_treatment' })
  await submit.click()
  await escalating
    .getByText('Somebody changed this in the meantime (Status: In treatment), so it can no longer be done.')
    .waitFor()
  await escalating.getByRole('button', { name: 'Close' }).click()
  await escalating.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'More about this record' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const remove = page.getByRole('button', { name: 'Delete risk' })
  await remove.waitFor()
  await byOthers({ description: 'Seen by others again' })
  await remove.click()
  await moved.waitFor()
  await remove.click()
  await page.waitForURL('**/risks')
})

test('whose role does not allow it has no button', async () => {
  const { admin, person } = await site.organization()
  const risk = (await site.call(admin, 'createRisk', { title: 'Unpatched gateway' })).body as { id: string }
  const page = await site.open(`/risks/${risk.id}`, { as: await person('viewer') })
  await page.getByRole('heading', { level: 1, name: 'Unpatched gateway' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Postpone the review' }).count()).toBe(0)
})
