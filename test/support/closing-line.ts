import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line, `N passed, N failed`, for whoever reads only that. What failed outside of any
 * test (a file that cannot be loaded, an error nobody caught) counts as a failure too, so that the line and the
 * exit code never disagree.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: 'passed' | 'interrupted' | 'failed',
  ): void {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      let failed = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'pending') continue
        count[state] += 1
        if (state === 'failed') failed += 1
      }
      if (failed === 0 && !module.ok()) count.failed += 1
    }
    count.failed += errors.length
    if (count.failed === 0 && reason !== 'passed') count.failed = 1
    // At the very end: after the other reporter's summary and what the teardown says.
    process.once('exit', (code) => {
      if (code !== 0 && count.failed === 0) count.failed = 1
      const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
      writeSync(1, `${count.passed} passed, ${count.failed} failed${skipped}\n`)
    })
  }
}
