import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from './support/crash.ts'
import { checkPromises } from './support/crash-check.ts'

/*
 * Each kind of process killed in the middle of a load. The same with twenty kills of each is in
 * crash.long.ts.
 */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test.each(['worker', 'api', 'database'] as const)(
  'nothing is lost and nothing is doubled when the %s is killed',
  async (which) => {
    await Promise.all([
      stage.load(120, 8),
      new Promise((resolve) => setTimeout(resolve, 150)).then(() => stage.kill(which)),
    ])
    await stage.load(30, 8)
    await stage.drain()
    await checkPromises(stage)
    expect(stage.ledger.filter((one) => one.status === 201).length).toBeGreaterThan(50)
  },
)
