import type { TestPage } from '../browser.ts'

const AT_ONCE = 2

/** Does the same with many, in several browsers at once. */
export async function eachOf<One>(
  many: readonly One[],
  open: () => Promise<TestPage>,
  work: (page: TestPage, one: One) => Promise<unknown>,
): Promise<void> {
  const left = [...many]
  const worker = async () => {
    const page = await open()
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(page, one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
