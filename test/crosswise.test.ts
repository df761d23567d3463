import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Whoever writes what others write in another order waits, and is never told of a fault of ours. */

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const call = async (name: string, input: object) =>
  (await one.call(acme.admin, name, input)).body as { id: string }
interface Rows {
  data: { record?: { id: string }; problem?: { code: string } }[]
}
const batch = async (name: string, records: object[], mode = 'create') =>
  ((await one.call(acme.admin, name, { mode, records })).body as Rows).data

test('a risk is deleted while what is under it is changed and added', async () => {
  for (let turn = 0; turn < 3; turn++) {
    const { id: riskId } = await call('createRisk', { title: 'Doomed' })
    const rows = (from: number, action: string) =>
      Array.from({ length: 40 }, (_, place) => ({ externalId: `${turn}-${from + place}`, riskId, action }))
    await batch('createRiskTreatmentBatch', rows(0, 'Patch'), 'upsert')
    const [written] = await Promise.all([
      batch('createRiskTreatmentBatch', [...rows(0, 'Replace'), ...rows(40, 'Watch')], 'upsert'),
      call('deleteRisk', { id: riskId }),
    ])
    for (const { problem } of written) expect(problem?.code ?? 'not_found').toBe('not_found')
    const { rows: left } = await one.administrator.query('select from risk_treatments where risk_id = $1', [
      riskId,
    ])
    expect(left).toEqual([])
  }
})

test('links are made crosswise, alone and by batches', async () => {
  const named = Array.from({ length: 20 }, (_, place) => ({
    name: `Asset ${place}`,
    type: 'server',
    externalId: `asset-${place}`,
  }))
  const ids = (await batch('createAssetBatch', named)).map(({ record }) => record!.id)
  const added = (batchName: string, order: readonly string[]) =>
    order.map((parent, place) => ({
      name: 'Part',
      type: 'server',
      externalId: `${batchName}-${place}`,
      parentAssetIds: [parent],
    }))
  const changed = (name: string) =>
    named.slice(10).map(({ externalId }) => ({ externalId, description: `By ${name}` }))
  const link = (place: number) =>
    call('linkAsset', { id: ids[place], targetKind: 'parent', targetId: ids[place + 1] }).then(
      () => null,
      (error: Refusal) => error,
    )
  const batches = ['one', 'two', 'three', 'four'].map((name, nth) =>
    batch(
      'createAssetBatch',
      [...changed(name), ...added(name, nth % 2 === 0 ? ids : ids.toReversed())],
      'upsert',
    ),
  )
  const links = Array.from({ length: 19 }, (_, place) => link(place))
  expect((await Promise.all(batches)).flat().filter(({ problem }) => problem)).toEqual([])
  expect((await Promise.all(links)).filter((error) => error !== null)).toEqual([])
})
