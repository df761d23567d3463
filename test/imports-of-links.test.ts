import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { sheetsOf } from './support/sheets.ts'

/*
 * Promise: an import links what it adds, with what is here and with each other, as far as links go; and what is refused
 * of it uses up no reference.
 */

let one: TestService
let acme: TestOrganization
let sheets: ReturnType<typeof sheetsOf>
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
  sheets = sheetsOf(one, acme.admin)
})
afterAll(() => one.close())

const ask = <Body>(name: string, input: object) => sheets.ask<Body>(name, input)
const fileOf = (...lines: readonly string[]) => lines.join('\n')

test('rows that are refused for their links use up no reference', async () => {
  const { reference } = await ask<{ reference: string }>('createAsset', {
    name: 'Data centre',
    type: 'facility',
  })
  const rows = Array.from({ length: 504 }, (_, at) => `Host ${at},Server,${reference}`)
  const { id } = await sheets.bring('asset', fileOf('Name,Type,Parents', ...rows, 'Alone,Server,'))
  expect((await sheets.apply(id)).done).toMatchObject({ created: 501 })
  const { data } = await ask<{ data: { reference: string }[] }>('listAssets', {
    sort: '-createdAt',
    limit: 1,
  })
  const numberOf = (text: string) => Number(text.replace(/\D/g, ''))
  expect(numberOf(data[0]!.reference) - numberOf(reference)).toBe(501)
})
