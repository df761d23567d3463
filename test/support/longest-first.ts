import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files in the order of how long they took the last time, so that no worker is left with a long one at the end. Of
 * those that have not run here yet, it is what starts browsers and processes that takes long, and then size tells.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const lengths = new Map(files.map((file) => [file, this.#lengthOf(file)]))
    return files.toSorted((a, b) => lengths.get(b)! - lengths.get(a)!)
  }

  #lengthOf(file: TestSpecification): number {
    const known = this.ctx.cache.getTestSpecificationResult(file)?.duration
    if (known) return known
    const text = readFileSync(file.moduleId, 'utf8')
    return (STARTS.test(text) ? 10_000 : 0) + text.length / 10
  }
}

const STARTS = /support\/(browser|command-line|crash|kill|embedded-holder)|startEmbedded|\bspawn\b/
