import { startTransition, useEffect, useState } from 'react'

/**
 * How many of so many rows are drawn: some at first, and the others a stretch at a time, between which the page answers
 * to whoever uses it.
 */
export function useBatches(total: number, size: number): number {
  const [drawn, setDrawn] = useState(size)
  useEffect(() => {
    if (drawn >= total) return
    const timer = setTimeout(() => startTransition(() => setDrawn((before) => before + size)), 0)
    return () => clearTimeout(timer)
  }, [drawn, total, size])
  return Math.min(drawn, total)
}
