import { outdated } from '../copy/problems.ts'
import { setConnectionState } from './connection-state.ts'
import { Problem } from './problem.ts'
import { askPage } from './send.ts'

/**
 * Loads a part of the app that was not needed before. Where that fails, the service may be away, or of another
 * version whose files have other names: in both cases that is said, and in the second only a reload helps.
 *
 * @throws {Problem} `unanswered`, `unreadable` or `outdated`
 */
export async function fetchCode<Room>(load: () => Promise<Room>): Promise<Room> {
  try {
    return await load()
  } catch {
    // What failed on the way may pass now.
    if (!(await isOutdated())) return load()
    setConnectionState('outdated')
    throw new Problem({ code: 'outdated', status: 0, requestId: null, ...outdated })
  }
}

/** Whether the page as the service has it now begins with another script than this one. */
export async function isOutdated(): Promise<boolean> {
  const { pathname } = new URL(document.querySelector<HTMLScriptElement>('script[type=module]')!.src)
  return !(await askPage()).includes(pathname)
}
