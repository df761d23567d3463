import { isOutdated } from './fetch-code.ts'
import { queries } from './queries.ts'
import { onReach, setReach } from './reach.ts'
import { send } from './send.ts'

const EVERY = 3_000

/**
 * While the service is away it is asked every few seconds whether it is back. Then what could not be read
 * meanwhile is read, so that pages go on by themselves. Nothing is sent again that somebody wanted changed: whether
 * to do that is theirs to say.
 */
export function awaitComeBack(): void {
  let asking: ReturnType<typeof setInterval> | undefined
  let wasAway = false
  onReach((reach) => {
    clearInterval(asking)
    asking = undefined
    if (reach === 'away') asking = setInterval(() => void askAgain(), EVERY)
    if (reach === 'here' && wasAway) void resume()
    wasAway = reach === 'away'
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
  if (await isOutdated().catch(() => false)) setReach('outdated')
}
