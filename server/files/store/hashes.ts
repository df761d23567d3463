import { Worker } from 'node:worker_threads'

/*
 * The SHA-256 of files, worked out in a thread of its own: of a large one it takes so long that everybody else who is
 * served would notice. It can be told to go on with a file as far as that has come, so that little is left to do at its
 * end; what it has not read by then it reads then. The thread begins with the first file, and keeps nobody from ending.
 */

export type Asked =
  | { readonly path: string; readonly upTo: number; readonly request?: number }
  | { readonly forget: string }

export type Told =
  | { readonly request: number; readonly sha256: string }
  | { readonly request: number; readonly error: string }

let thread: Worker | null = null
let drawn = 0
const waiting = new Map<number, PromiseWithResolvers<string>>()

/** Goes on with a file: so many bytes of it are there, and will not change. */
export const hashAhead = (path: string, upTo: number): void => ask({ path, upTo })

/** What was read of it is worth nothing any more. */
export const forgetHash = (path: string): void => ask({ forget: path })

/** The SHA-256 of a file of so many bytes, in hexadecimal digits. */
export function hashOf(path: string, bytes: number): Promise<string> {
  const request = ++drawn
  const answer = Promise.withResolvers<string>()
  waiting.set(request, answer)
  ask({ path, upTo: bytes, request })
  return answer.promise
}

function ask(asked: Asked): void {
  // Of a thread that is not there yet nothing has to be forgotten.
  if (!thread && 'forget' in asked) return
  thread ??= begin()
  thread.postMessage(asked)
}

function begin(): Worker {
  const begun = new Worker(new URL('./hash-worker.ts', import.meta.url))
  begun.unref()
  begun.on('message', (told: Told) => {
    const answer = waiting.get(told.request)
    waiting.delete(told.request)
    if ('sha256' in told) answer?.resolve(told.sha256)
    else answer?.reject(new Error(told.error))
  })
  begun.on('error', (error) => {
    if (thread === begun) thread = null
    for (const answer of waiting.values()) answer.reject(error)
    waiting.clear()
  })
  return begun
}
