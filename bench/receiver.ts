import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, startChild } from './child.ts'
import type { Identity } from './identity.ts'

/** Addresses that begin with this path are never answered. */
export const HANGING = '/hanging'

export interface Receiver {
  readonly pid: number
  /** `https://127.0.0.1:<port>` */
  readonly origin: string
  /** Forgets what came so far. @param noting whether to note when which subject came */
  reset(noting?: boolean): Promise<void>
  read(): Promise<Reception>
  /** Waits for so many requests since the last reset. */
  reaches(requests: number, milliseconds: number): Promise<Reception>
  stop(): Promise<void>
}

export interface Reception {
  /** Those that were answered. */
  requests: number
  hanging: number
  /** The most that were open at a time, kept ones among them. */
  connections: number
  /** On the clock that all processes share, ms. */
  firstAt: number
  lastAt: number
  /** The subject's id, and when it came. */
  arrivals: [string, number][]
}

export type Ask =
  | { ask: 'open'; key: string; certificate: string }
  | { ask: 'reset'; noting: boolean }
  | { ask: 'read' }

export async function startReceiver({ key, certificate }: Identity, log: string): Promise<Receiver> {
  const child = startChild('bench/receiver-process.ts', { log, withChannel: true })
  const ask = (question: Ask): Promise<unknown> => {
    const answer = messageOf(child)
    child.process.send(question)
    return answer
  }
  const port = (await ask({ ask: 'open', key, certificate })) as number
  const read = () => ask({ ask: 'read' }) as Promise<Reception>
  return {
    pid: child.pid,
    origin: `https://127.0.0.1:${port}`,
    reset: async (noting = false) => {
      await ask({ ask: 'reset', noting })
    },
    read,
    reaches: async (requests, milliseconds) => {
      const until = performance.now() + milliseconds
      for (;;) {
        const reception = await read()
        if (reception.requests >= requests) return reception
        if (performance.now() > until)
          throw new Error(`only ${reception.requests} of ${requests} deliveries came in ${milliseconds} ms`)
        await sleep(50)
      }
    },
    stop: child.stop,
  }
}
