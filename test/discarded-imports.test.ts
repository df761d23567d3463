import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { refusal } from './support/refusal.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { type Sheets, startSheets } from './support/sheets.ts'

/* Promise: an import that was only planned can be thrown away before its time, and what one has written is not forgotten. */

let one: TestService
let acme: TestOrganization
let sheets: Sheets
beforeAll(async () => {
  ;({ one, acme, sheets } = await startSheets())
})
afterAll(() => one.close())

test('an import is discarded by whoever may bring it in, unless it has written something', async () => {
  const planned = await sheets.bring('risk', 'Title\nNever brought in\n')
  const read = await sheets.begin('risk', 'Title\nNor this\n')
  const discard = (caller: Caller, { id }: { id: string }) =>
    refusal(one.call(caller, 'discardImport', { id }))
  expect(await discard(await acme.person('viewer'), planned)).toMatchObject({ status: 403 })
  for (const other of [await acme.person('editor'), (await one.organization()).admin])
    expect(await discard(other, planned)).toMatchObject({ code: 'not_found' })
  expect([await discard(acme.admin, planned), await discard(acme.admin, read)]).toEqual([null, null])
  const { data } = await sheets.ask<{ data: { id: string }[] }>('listBulkChanges', {})
  expect(data).toEqual([])
  expect(await discard(acme.admin, planned)).toMatchObject({ code: 'not_found' })
  const applied = await sheets.bring('risk', 'Title\nBrought in\n')
  await sheets.apply(applied.id, 'all')
  expect(await discard(acme.admin, applied)).toMatchObject({ code: 'conflict' })
})
