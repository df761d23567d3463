import { expect, test } from 'vitest'
import { fuzz } from './support/fuzz.ts'
import { startTestService } from './support/service.ts'

/* 33,000 calls by REST, 16,500 by the web and MCP. The seed is printed, and FUZZ_SEED takes it again. */

test('edges of every type in every input: never a fault of ours, nothing written behind a refusal', async () => {
  const one = await startTestService()
  try {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const answered = await fuzz(one, await one.listen(), seed, { rest: 33_000, web: 8_250, mcp: 8_250 })
    expect(answered[422]).toBeGreaterThan(5_000)
    expect(answered[201]).toBeGreaterThan(200)
  } finally {
    await one.close()
  }
})
