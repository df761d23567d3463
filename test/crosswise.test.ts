import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { statement } from '../server/database/connect.ts'
import { transaction } from '../server/database/transaction.ts'
import { jobKind } from '../server/jobs/job-kind.ts'
import { startJobOfService } from '../server/jobs/start-job.ts'
import { scope } from '../server/operation.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/* Whoever writes what others write in another order waits, and is never told of a fault of ours. */

/** Locks two assets by the names given, in the order given, and waits in between. */
const Names = z.object({ first: z.string(), second: z.string() })
const lockAsset = statement('select from assets where organization_id = $1 and name = $2 for update')
const lockTwo = jobKind({
  name: 'lockTwo',
  title: 'Lock two',
  input: Names,
  needs: scope(),
  perOrganization: 2,
  keptDays: 1,
  run: async ({ input, step }) => {
    await step(async ({ tx }) => {
      await tx.read(lockAsset(tx.organizationId, input.first))
      await both()
      await tx.read(lockAsset(tx.organizationId, input.second))
      return null
    })
    return undefined
  },
})

/** Resolves once two have come, and at once for whoever comes later. */
let come = 0
const met = Promise.withResolvers<void>()
const both = (): Promise<void> => {
  come += 1
  if (come === 2) met.resolve()
  return met.promise
}

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService({}, [], [lockTwo])
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

test('of two jobs that lock crosswise the one that was ended goes on at once', async () => {
  await batch('createAssetBatch', [
    { name: 'left', type: 'server' },
    { name: 'right', type: 'server' },
  ])
  const start = (first: string, second: string) =>
    transaction(one.service.database.tenant, acme.id, (tx) =>
      startJobOfService(one.service, tx, lockTwo, { first, second }),
    )
  await start('left', 'right')
  await start('right', 'left')
  const states = async () =>
    (await one.administrator.query("select state, faults from jobs where kind = 'lockTwo'")).rows
  await until(async () => (await states()).every(({ state }) => state !== 'waiting' && state !== 'running'))
  expect(await states()).toEqual(Array(2).fill({ state: 'succeeded', faults: 0 }))
  expect(come).toBe(3)
})
