import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../server/database/ids.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: what stands in a list of objects with ids keeps its id for as long as it stands there. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

interface Contact {
  id: string
  name: string
}
type Vendor = { id: string; version: number; contacts: Contact[] | null }
const call = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as Vendor
const add = (...contacts: object[]) => call('createVendor', { name: 'Example Cloud', contacts })
const update = ({ id }: Vendor, contacts: object[] | null, more: object = {}) =>
  call('updateVendor', { id, contacts, ...more })
const wrong = (promise: Promise<unknown>) =>
  promise.then(
    () => [],
    (error: Refusal) => (error.members.errors as { path: string }[]).map(({ path }) => path),
  )

const [ada, bo, cy] = [
  { name: 'Ada Ray', email: 'ada@cloud.example', isSecurityContact: true },
  { name: 'Bo Lind' },
  { name: 'Cy Orr', role: 'Sales' },
]

test('each is given one, and keeps it through other values and another order', async () => {
  const made = await add(ada, bo)
  const [first, second] = made.contacts as [Contact, Contact]
  expect(first).toEqual({ id: expect.stringMatching(/^vct_[0-9a-z]{26}$/), ...ada })
  expect(second.id).not.toBe(first.id)
  const after = await update(made, [{ ...second, role: 'Support' }, cy, first])
  expect(after.contacts!.map(({ id }) => id)).toEqual([second.id, expect.any(String), first.id])
  expect(after.contacts![0]).toEqual({ ...second, role: 'Support' })
  expect(await update(after, after.contacts)).toEqual(after)
})

test('what comes without an id is what is alike in all else, or new', async () => {
  const made = await add(ada, bo, bo)
  const same = await update(made, [bo, ada, bo])
  expect(same.contacts!.map(({ id }) => id).sort()).toEqual(made.contacts!.map(({ id }) => id).sort())
  expect(await update(made, [bo, ada, bo])).toMatchObject({ version: same.version })
  const changed = await update(made, [{ ...ada, role: 'CISO' }])
  expect(made.contacts!.map(({ id }) => id)).not.toContain(changed.contacts![0]!.id)
})

test('an id is of something in this record, and once', async () => {
  const [made, other] = [await add(ada), await add(bo)]
  const id = made.contacts![0]!.id
  expect(await wrong(update(made, [{ ...bo, id: newId('vct') }]))).toEqual(['contacts.0.id'])
  expect(await wrong(update(made, [made.contacts![0]!, other.contacts![0]!]))).toEqual(['contacts.1.id'])
  expect(
    await wrong(
      update(made, [
        { ...bo, id },
        { ...cy, id },
      ]),
    ),
  ).toEqual(['contacts.1.id'])
  expect(await wrong(update(made, [{ ...bo, id: 'ven_1' }]))).toEqual(['contacts.0.id'])
  expect(await wrong(add({ ...bo, id }))).toEqual(['contacts.0.id'])
  expect((await call('getVendor', { id: made.id })).contacts).toEqual(made.contacts)
})

test('what was taken out may come back as what it was', async () => {
  const made = await add(ada, bo)
  const cleared = await update(made, null)
  expect(cleared.contacts).toBeNull()
  const back = await update(made, made.contacts, { ifMatch: cleared.version })
  expect(back.contacts).toEqual(made.contacts)
})

test('a batch gives ids as well', async () => {
  const { body } = await one.call(acme.admin, 'createVendorBatch', {
    records: [
      { name: 'One', contacts: [ada] },
      { name: 'Two', contacts: [{ ...bo, id: newId('vct') }] },
    ],
  })
  const [first, second] = (body as { data: { record?: Vendor; problem?: object }[] }).data
  expect(first!.record!.contacts![0]!.id).toMatch(/^vct_/)
  expect(second!.problem).toMatchObject({ code: 'validation_failed' })
})
