import { setTimeout as pause } from 'node:timers/promises'

/** How often what is written begins again when others were in its way. */
const TRIES = 8

/** The longest pause before the second try, in milliseconds; as much more before each one after. */
const PAUSE_MS = 20

/**
 * Does it, and does it anew where it failed because others did something meanwhile. Who begins again at once meets the
 * same others at the same place, so each waits for as long as chance says, longer each time.
 */
export async function again<T>(work: () => Promise<T>, isForOthers: (error: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isForOthers(error)) throw error
      await pause(Math.random() * PAUSE_MS * tries)
    }
}
