import { startTransition, useEffect, useState } from 'react'

/**
 * Whether what was drawn first stands: the rest is drawn after it, in pieces, so that the page answers to its reader
 * meanwhile. `useDeferredValue(true, false)` says the same, but where the code of the rest is still on the way, it
 * now and then stays with `false` until something else is drawn.
 */
export function useDrawn(): boolean {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => startTransition(() => setIsDrawn(true)), [])
  return isDrawn
}
