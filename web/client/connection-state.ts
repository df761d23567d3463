import { useSyncExternalStore } from 'react'

/**
 * How the service is reached: it answers; it does not just now; or it does, but is of another version than this
 * page, which asks for code that is there no more.
 */
export type ConnectionState = 'here' | 'away' | 'outdated'

let state: ConnectionState = 'here'
const listeners = new Set<() => void>()

export function setConnectionState(now: ConnectionState): void {
  if (now === state) return
  state = now
  for (const tell of listeners) tell()
}

/** Whoever heard from the service, or did not: a page that is outdated stays so. */
export function heard(answered: boolean): void {
  if (state !== 'outdated' || !answered) setConnectionState(answered ? 'here' : 'away')
}

export const useConnectionState = (): ConnectionState => useSyncExternalStore(onConnectionState, () => state)

/** @param tell called at each change of it */
export function onConnectionState(tell: (now: ConnectionState) => void): () => void {
  const listener = () => tell(state)
  listeners.add(listener)
  return () => listeners.delete(listener)
}
