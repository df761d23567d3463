import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { pastReasons } from '../../../model/states.ts'
import { Problem } from '../../client/problem.ts'
import { type AnyRecord, changeRecord } from '../../client/records.ts'

/*
 * One change for each of many records: a few at once, each on the version that was seen. Whatever the service
 * refuses is kept with the reason, and the others go on.
 */

const AT_ONCE = 4

export interface Step {
  readonly before: AnyRecord
  readonly change: Values
}

/** What was done, so that it can be taken back. */
export interface Done extends Step {
  readonly after: AnyRecord
}

export interface Run {
  readonly all: number
  readonly done: readonly Done[]
  readonly faults: readonly { readonly reference: string; readonly error: unknown }[]
  readonly isOver: boolean
}

/**
 * @param tell called with each record
 * @param signal stops it; what is under way is finished
 */
export async function changeEach(
  kind: DescribedKind,
  steps: readonly Step[],
  tell: (run: Run) => void,
  signal: AbortSignal,
): Promise<Run> {
  const left = [...steps]
  const done: Done[] = []
  const faults: Run['faults'][number][] = []
  const run = (isOver: boolean): Run => ({ all: steps.length, done: [...done], faults: [...faults], isOver })
  tell(run(false))
  const worker = async () => {
    for (let step = left.shift(); step && !signal.aborted; step = left.shift()) {
      const { before, change } = step
      try {
        done.push({ ...step, after: await patiently(() => changeRecord(kind, before, change), signal) })
      } catch (error) {
        faults.push({ reference: before.reference, error })
      }
      tell(run(false))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  tell(run(true))
  return run(true)
}

/**
 * The values that were there before, on the version that the change made; with the reasons that the service cleared
 * because of it.
 */
export function backwards({ states }: DescribedKind, { before, change, after }: Done): Step {
  const given = Object.keys(change)
  const fields = [...given, ...pastReasons(states, before, after, given)]
  return {
    before: after,
    change: Object.fromEntries(fields.map((field) => [field, before[field] ?? null])),
  }
}

/** Where the service says that it was called too often, waits for as long as it says. */
async function patiently<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'rate_limited' || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, Number(error.members.retryAfter ?? 1) * 1_000))
    }
  }
}
