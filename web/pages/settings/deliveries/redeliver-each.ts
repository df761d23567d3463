import { call } from '../../../client/calls.ts'
import { Problem } from '../../../client/problem.ts'

export interface Progressed {
  done: number
  all: number
  delivered: number
  failed: number
  /** The service said no to it: it is under way, or gone. */
  refused: number
  isOver: boolean
  /** The service did not answer. */
  isLost: boolean
}

/** A receiver that has just come back is not stormed. */
const AT_LEAST = 250

/** Redelivers one after another, at most four in a second, until all were sent or it is told to stop. */
export async function redeliverEach(
  ids: readonly string[],
  tell: (progress: Progressed) => void,
  stop: AbortSignal,
): Promise<void> {
  let now: Progressed = {
    done: 0,
    all: ids.length,
    delivered: 0,
    failed: 0,
    refused: 0,
    isOver: false,
    isLost: false,
  }
  tell(now)
  for (const id of ids) {
    if (stop.aborted) break
    const pause = new Promise((resolve) => setTimeout(resolve, AT_LEAST))
    const outcome = await redeliver(id)
    if (outcome === 'lost') {
      now = { ...now, isLost: true }
      break
    }
    now = { ...now, done: now.done + 1, [outcome]: now[outcome] + 1 }
    tell(now)
    if (now.done < now.all) await pause
  }
  tell({ ...now, isOver: true })
}

async function redeliver(id: string): Promise<'delivered' | 'failed' | 'refused' | 'lost'> {
  try {
    const { attempts } = await call('redeliverWebhookDelivery', { id })
    return attempts[0]?.outcome === 'success' ? 'delivered' : 'failed'
  } catch (error) {
    const isRefusal = error instanceof Problem && (error.status === 404 || error.status === 409)
    return isRefusal ? 'refused' : 'lost'
  }
}
