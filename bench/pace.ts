import { setTimeout as sleep } from 'node:timers/promises'

export interface Rate {
  readonly aSecond: number
  readonly seconds: number
  /** The next waits where so many are under way. */
  readonly atATime: number
}

/**
 * Begins something at each tick, whether or not what began before has ended.
 * @param work is told a number that nothing else under way has
 */
export async function atRate(
  { aSecond, seconds, atATime }: Rate,
  work: (free: number) => Promise<void>,
): Promise<void> {
  const free = Array.from({ length: atATime }, (_, index) => index)
  const waiting: (() => void)[] = []
  const all: Promise<void>[] = []
  const start = performance.now()
  for (let tick = 0; tick < aSecond * seconds; tick++) {
    const early = start + (tick / aSecond) * 1000 - performance.now()
    if (early > 1) await sleep(early)
    while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    // In turn, so that no connection is left idle until the service closes it.
    const one = free.shift()!
    all.push(
      work(one).finally(() => {
        free.push(one)
        waiting.shift()?.()
      }),
    )
  }
  await Promise.all(all)
}

/** Does something again and again, with a pause between. */
export async function oneByOne(times: number, pauseMs: number, work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time++) {
    await work()
    await sleep(pauseMs)
  }
}
