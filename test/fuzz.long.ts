import { expect, test } from 'vitest'
import { fuzz } from './support/fuzz.ts'
import { startTestService } from './support/service.ts'

/*
 * 100,000 calls: by REST, the web app's interface and MCP, and 30,000 requests that no client of ours would send. The
 * seed is printed, and FUZZ_SEED takes it again.
 */

test('edges of every type in every input: never a fault of ours, nothing written behind a refusal', async () => {
  const one = await startTestService()
  try {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const answered = await fuzz(one, await one.listen(), seed, {
      rest: 44_000,
      web: 13_000,
      mcp: 13_000,
      raw: 30_000,
    })
    expect(answered[422]).toBeGreaterThan(5_000)
    expect(answered[201]).toBeGreaterThan(200)
  } finally {
    await one.close()
  }
})
