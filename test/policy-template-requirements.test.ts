import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: of a policy that a template made, what the template answers of a framework that came later is told and linked,
 * and never what somebody has unlinked.
 */

let one: TestService
let acme: TestOrganization
let editor: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  editor = await acme.person('editor')
})
afterAll(() => one.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of every form
const as = async (caller: Caller, name: string, input: object): Promise<any> =>
  (await one.call(caller, name, input)).body
const CSF = { key: 'urn:plumbline:framework:nist-csf', edition: '2.0' }

test('a framework that is activated later is linked when somebody says so', async () => {
  const { id } = await as(editor, 'createPolicyFromTemplate', { templateKey: 'access-control' })
  const told = async () =>
    (await as(editor, 'getTemplateRequirements', { id })).data.find(
      ({ frameworkKey }: { frameworkKey: string }) => frameworkKey === CSF.key,
    )
  const linked = async () =>
    (await as(editor, 'listPolicyLinks', { id })).data.map(({ title }: { title: string }) => title).toSorted()
  expect(await told()).toMatchObject({ isActive: false, count: 4, unlinked: 0 })

  const framework = await as(acme.admin, 'createFramework', { ...CSF, name: 'Our copy' })
  const requirements: string[] = []
  for (const key of ['PR.AA-01', 'PR.AA-02', 'ID.AM-01']) {
    const given = { frameworkId: framework.id, key, title: `Asks ${key}` }
    requirements.push((await as(acme.admin, 'createRequirement', given)).id)
  }
  expect(await told()).toMatchObject({ isActive: false, unlinked: 0 })
  await as(acme.admin, 'activateFramework', { id: framework.id })
  expect(await told()).toMatchObject({ isActive: true, unlinked: 2 })
  expect(await linked()).toEqual([])

  await expect(
    one.call(await acme.person('viewer'), 'linkTemplateRequirements', { id }),
  ).rejects.toMatchObject({ code: 'capability_required' })
  expect((await as(editor, 'linkTemplateRequirements', { id })).data).toContainEqual(
    expect.objectContaining({ frameworkKey: CSF.key, unlinked: 0 }),
  )
  expect(await linked()).toEqual(['Asks PR.AA-01', 'Asks PR.AA-02'])
  expect(await told()).toMatchObject({ unlinked: 0 })
  await as(editor, 'linkTemplateRequirements', { id })
  const history = (await as(editor, 'getPolicyHistory', { id })).data as { action: string }[]
  expect(history.filter(({ action }) => action === 'policy.link')).toHaveLength(2)

  await as(editor, 'unlinkPolicy', { id, targetKind: 'requirement', targetId: requirements[0] })
  expect(await told()).toMatchObject({ unlinked: 0 })
  await as(editor, 'linkTemplateRequirements', { id })
  expect(await linked()).toEqual(['Asks PR.AA-02'])
})

test('what a policy answers is listed as people count, page by page', async () => {
  const framework = await as(acme.admin, 'createFramework', {
    key: 'urn:test:counted',
    edition: '1',
    name: 'C',
  })
  const { id } = await as(editor, 'createPolicy', { name: 'Counted' })
  for (const key of ['A.5.10', 'A.10.1', 'A.5.9', 'B.1', 'A.5.9.1', '10', '9']) {
    const given = { frameworkId: framework.id, key, title: `Asks ${key}` }
    const { id: targetId } = await as(acme.admin, 'createRequirement', given)
    await as(editor, 'linkPolicy', { id, targetKind: 'requirement', targetId })
  }
  const listed: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { id, type: ['requirement'], limit: 2, ...(cursor && { cursor }) }
    const { data, nextCursor } = await as(editor, 'listPolicyLinks', input)
    listed.push(...data.map(({ reference }: { reference: string }) => reference))
    cursor = nextCursor
  }
  expect(listed).toEqual(['9', '10', 'A.5.9', 'A.5.9.1', 'A.5.10', 'A.10.1', 'B.1'])
})

test('a policy that was made from no template has nothing to link', async () => {
  const { id } = await as(editor, 'createPolicy', { name: 'Our own' })
  expect(await as(editor, 'getTemplateRequirements', { id })).toEqual({ data: [] })
  expect(await as(editor, 'linkTemplateRequirements', { id })).toEqual({ data: [] })
})
