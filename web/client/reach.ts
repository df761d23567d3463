import { useSyncExternalStore } from 'react'

/**
 * How the service is reached: it answers; it does not just now; or it does, but is of another version than this
 * page, which asks for code that is there no more.
 */
export type Reach = 'here' | 'away' | 'outdated'

let reach: Reach = 'here'
const listeners = new Set<() => void>()

export function setReach(now: Reach): void {
  if (now === reach) return
  reach = now
  for (const tell of listeners) tell()
}

/** Whoever heard from the service, or did not: a page that is outdated stays so. */
export function heard(answered: boolean): void {
  if (reach !== 'outdated' || !answered) setReach(answered ? 'here' : 'away')
}

export const useReach = (): Reach => useSyncExternalStore(onReach, () => reach)

/** @param tell called at each change of it */
export function onReach(tell: (now: Reach) => void): () => void {
  const listener = () => tell(reach)
  listeners.add(listener)
  return () => listeners.delete(listener)
}
