import { onConnectionState, setConnectionState } from './connection-state.ts'
import { isOutdated } from './fetch-code.ts'
import { queries } from './queries.ts'
import { send } from './send.ts'

const EVERY = 3_000

/**
 * While the service is away it is asked every few seconds whether it is back. Then what could not be read
 * meanwhile is read, so that pages go on by themselves. Nothing is sent again that somebody wanted changed: whether
 * to do that is theirs to say.
 */
export function watchForReconnect(): void {
  let asking: ReturnType<typeof setInterval> | undefined
  let wasAway = false
  onConnectionState((state) => {
    clearInterval(asking)
    asking = undefined
    if (state === 'away') asking = setInterval(() => void askAgain(), EVERY)
    if (state === 'here' && wasAway) void resume()
    wasAway = state === 'away'
  })
}

/** @returns when it is known whether it answers now; `send` tells the rest of the app */
export const askAgain = (): Promise<unknown> => send('/web/getSession', {}).catch(() => {})

async function resume(): Promise<void> {
  await queries.refetchQueries({
    type: 'active',
    predicate: ({ state: { status, fetchMeta } }) => status === 'error' && !fetchMeta?.fetchMore,
  })
  // Often it was away because another version was put in its place.
  if (await isOutdated().catch(() => false)) setConnectionState('outdated')
}
