/** How often what is written begins again when others were in its way. */
const TRIES = 5

/** Does it, and does it anew where it failed because others did something meanwhile. */
export async function again<T>(work: () => Promise<T>, isForOthers: (error: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isForOthers(error)) throw error
    }
}
