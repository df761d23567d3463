import { expect, test } from 'vitest'
import { fuzz } from './support/fuzz.ts'
import { startTestService } from './support/service.ts'

/* A fixed part of fuzz.long.ts. FUZZ_SEED covers another one. */

test('edges of every type in every input: never a fault of ours, nothing written behind a refusal', async () => {
  const one = await startTestService()
  try {
    const seed = Number(process.env.FUZZ_SEED ?? 1)
    const answered = await fuzz(one, await one.listen(), seed, { rest: 300, web: 120, mcp: 80, raw: 300 })
    expect(answered[422]).toBeGreaterThan(50)
    expect((answered[200] ?? 0) + (answered[201] ?? 0)).toBeGreaterThan(20)
  } finally {
    await one.close()
  }
})
