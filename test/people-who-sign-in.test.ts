import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { linkPeople } from '../server/organization/link-people.ts'
import { programOf } from './support/callers.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: whoever signs in by the work e-mail of an entry of the directory is that person by themselves, whichever came
 * first, and nobody makes themselves somebody else by retyping an address.
 */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const as = async (caller: Caller, name: string, input: object) =>
  (await one.call(caller, name, input)).body as {
    id: string
    userId: string | null
    data: { reason: string }[]
  }
const emailOf = async ({ userId }: Caller) =>
  (
    await one.administrator.query(
      'select u.email from users u join members m on m.account_id = u.id where m.user_id = $1',
      [userId],
    )
  ).rows[0].email as string
const add = (workEmail: string) => as(acme.admin, 'createPersonnel', { fullName: 'Somebody', workEmail })
const read = (id: string) => as(acme.admin, 'getPersonnel', { id })
const edit = (who: Caller, id: string, given: object) => as(who, 'updatePersonnel', { id, ...given })

test('an entry is linked with whoever signs in by its address, whichever came first', async () => {
  const member = await acme.person('viewer')
  const added = await add((await emailOf(member)).toUpperCase())
  const before = await add('newcomer@acme.example')
  const newcomer = await acme.person('viewer')
  await linkPeople(one.service)
  expect((await read(before.id)).userId).toBeNull()
  await one.administrator.query(
    `update users set email = 'newcomer@acme.example' where id = (select account_id from members where user_id = $1)`,
    [newcomer.userId],
  )
  await linkPeople(one.service)
  expect([(await read(added.id)).userId, (await read(before.id)).userId]).toEqual([
    member.userId,
    newcomer.userId,
  ])
  const { data } = await as(acme.admin, 'listAuditLog', { subjectId: [added.id] })
  expect(data[0]).toMatchObject({
    action: 'personnel.update',
    reason: expect.stringContaining('signs in by'),
    actor: { displayName: 'Clock' },
  })
  // Once more changes nothing.
  await linkPeople(one.service)
  expect((await as(acme.admin, 'listAuditLog', { subjectId: [added.id] })).data).toHaveLength(data.length)
})

test('nobody but an admin says that somebody is no longer who they are', async () => {
  const editor = await acme.person('editor')
  const { id } = await add(await emailOf(editor))
  await edit(editor, id, { userId: editor.userId })
  for (const who of [editor, programOf(editor, ['read:personnel', 'write:personnel'])])
    await expect(edit(who, id, { userId: null })).rejects.toMatchObject({
      members: { errors: [{ path: 'userId' }] },
    })
  await edit(acme.admin, id, { userId: null })
  expect((await read(id)).userId).toBeNull()
})

test('an admin alone retypes the address by which somebody is asked, or a key of theirs', async () => {
  const editor = await acme.person('editor')
  const { id } = await add('asked@acme.example')
  const given = { workEmail: await emailOf(editor) }
  const errors = [{ path: 'workEmail', message: expect.stringContaining('let an admin') }]
  for (const who of [editor, programOf(editor, ['read:personnel', 'write:personnel'])])
    await expect(edit(who, id, given)).rejects.toMatchObject({ members: { errors } })
  const external = { externalId: 'hr:7', record: { fullName: 'Somebody', workEmail: 'first@acme.example' } }
  await as(editor, 'upsertPersonnel', external)
  const retyped = { ...external, record: given }
  await expect(as(editor, 'upsertPersonnel', retyped)).rejects.toMatchObject({ members: { errors } })
  const change = { type: 'personnel', ids: [id], change: given }
  const bulk = { planned: { change: 0, error: 1 } }
  expect(await as(editor, 'startBulkEdit', change)).toMatchObject(bulk)
  // What stays the same address is nobody's matter.
  await edit(editor, id, { workEmail: 'Asked@acme.example', jobTitle: 'Engineer' })
  const hr = programOf(acme.admin, ['read:personnel', 'write:personnel'])
  for (const [who, workEmail] of [
    [hr, 'married@acme.example'],
    [acme.admin, 'asked@acme.example'],
  ] as const)
    expect(await edit(who, id, { workEmail })).toMatchObject({ workEmail })
})

test('who has the address of somebody from then on is not them, by hand, by a program or by the clock', async () => {
  const editor = await acme.person('editor')
  const own = await emailOf(editor)
  const { id } = await add('victim@acme.example')
  const link = { userId: editor.userId }
  const refused = (given: object, who = editor) =>
    expect(edit(who, id, given)).rejects.toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ path: 'userId', message: expect.stringContaining('let an admin link them') }] },
    })
  await refused({ workEmail: own, ...link })
  await edit(acme.admin, id, { workEmail: own })
  await refused(link)
  await refused(link, programOf(editor, ['read:personnel', 'write:personnel']))
  await linkPeople(one.service)
  expect((await read(id)).userId).toBeNull()
  // Back and forth leaves it as it is; an admin says who it is.
  await edit(acme.admin, id, { workEmail: 'victim@acme.example' })
  await edit(acme.admin, id, { workEmail: own })
  await refused(link)
  await linkPeople(one.service)
  expect((await read(id)).userId).toBeNull()
  expect(await edit(acme.admin, id, link)).toMatchObject(link)
})

test('of other organizations, of who left and of who is linked already nobody is taken', async () => {
  const member = await acme.person('viewer')
  const email = await emailOf(member)
  const other = await one.organization()
  const theirs = await as(other.admin, 'createPersonnel', { fullName: 'Theirs', workEmail: email })
  const linked = await add('linked@acme.example')
  await edit(acme.admin, linked.id, { userId: member.userId })
  const same = await add(email)
  const gone = await acme.person('viewer')
  const left = await add(await emailOf(gone))
  await one.administrator.query(`update members set status = 'disabled' where user_id = $1`, [gone.userId])
  await linkPeople(one.service)
  for (const id of [same.id, left.id]) expect((await read(id)).userId).toBeNull()
  expect((await as(other.admin, 'getPersonnel', { id: theirs.id })).userId).toBeNull()
})

test('an organization where nobody came or changed is not looked into', async () => {
  const quiet = await one.organization()
  await linkPeople(one.service)
  const connect = vi.spyOn(one.service.database.tenant, 'connect')
  try {
    await linkPeople(one.service)
    expect(connect).not.toHaveBeenCalled()
    await as(quiet.admin, 'createPersonnel', { fullName: 'Somebody', workEmail: 'new@acme.example' })
    connect.mockClear()
    await linkPeople(one.service)
    const { rows } = await one.administrator.query('select count(*)::int as count from people_changes')
    expect([connect.mock.calls.length, rows[0].count]).toEqual([2, 0])
  } finally {
    connect.mockRestore()
  }
})
