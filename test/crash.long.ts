import { afterEach, beforeEach, test } from 'vitest'
import { openStage, type Stage } from './support/crash.ts'
import { checkPromises } from './support/crash-check.ts'
import { until } from './support/until.ts'

const KILLS = Number(process.env.KILLS ?? 20)
/** Changes answered 201 for each kill: 200 kills come in 100,000. */
const CHANGES_EACH = 500

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

test.each(['worker', 'api', 'database'] as const)(
  `${KILLS} kills of the %s lose nothing and double nothing`,
  async (which) => {
    for (let kill = 0; kill < KILLS; kill++) {
      // After so many answers, and not at a moment: a slow machine would have given none by then.
      const end = stage.ledger.length + 1 + Math.random() * 300
      await Promise.all([
        answered((kill + 1) * CHANGES_EACH),
        until(() => stage.ledger.length >= end).then(() => stage.kill(which)),
      ])
    }
    await stage.drain()
    await checkPromises(stage)
    const repeats =
      stage.receiver.requests.length -
      new Set(stage.receiver.requests.map((one) => one.headers['webhook-id'])).size
    console.log(
      `${KILLS} kills of the ${which}: ${stage.ledger.length} asked, ${answeredSoFar()} answered 201, ${stage.receiver.requests.length} received, ${repeats} again`,
    )
  },
)

/** Asks for changes until so many were answered 201, from the beginning; while nobody is there none is. */
async function answered(count: number): Promise<void> {
  while (answeredSoFar() < count) await stage.load(100, 16)
}

const answeredSoFar = (): number => stage.ledger.filter(({ status }) => status === 201).length
