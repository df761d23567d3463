import { startTransition, useEffect, useState } from 'react'
import { comparingAsRead, type ReadComparison } from './as-read.ts'

/* Comparing and drawing in slices: however long two texts are, the page answers to its reader meanwhile. */

const SLICE_MS = 20

/** What leads from one text to the other; null while it is being found. */
export function useComparison(before: string, after: string): ReadComparison | null {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    void inSlices(before, after, ending.signal).then((comparison) => {
      if (comparison) startTransition(() => setFound({ before, after, comparison }))
    })
    return () => ending.abort()
  }, [before, after])
  return found?.before === before && found.after === after ? found.comparison : null
}

interface Found {
  readonly before: string
  readonly after: string
  readonly comparison: ReadComparison
}

async function inSlices(before: string, after: string, signal: AbortSignal): Promise<ReadComparison | null> {
  const steps = comparingAsRead(before, after)
  for (let since = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < SLICE_MS) continue
    await afterOthers()
    if (signal.aborted) return null
    since = performance.now()
  }
}

/** Once whatever waits meanwhile, such as a key that was pressed, has had its turn. */
const afterOthers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

const AT_FIRST = 40
const AT_ONCE = 60
/** Beyond these somebody says that they want more: nobody reads so many changes, and a browser keeps each. */
const UNASKED = 3_000

/** How many of so many parts are drawn by now, and what draws further ones where that is left to the reader. */
export function useDrawnOf(count: number): { drawn: number; more: (() => void) | null } {
  const [due, setDue] = useState(AT_FIRST)
  const [asked, setAsked] = useState(UNASKED)
  const drawn = Math.min(due, asked, count)
  const isDue = drawn < Math.min(asked, count)
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => startTransition(() => setDue(drawn + AT_ONCE)))
    return () => clearTimeout(timer)
  }, [isDue, drawn])
  return { drawn, more: !isDue && drawn < count ? () => setAsked(asked + UNASKED) : null }
}
