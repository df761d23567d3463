import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import type { Asked, Told } from './hashes.ts'

/* The thread of hashes.ts. Of several files it hashes some of each in turn. */

/** So much is read at once. */
const CHUNK = 512 * 1024
const held = Buffer.allocUnsafeSlow(CHUNK)

interface Hashed {
  readonly hash: Hash
  at: number
  /** What was asked of it, one after another. */
  last: Promise<void>
}

const files = new Map<string, Hashed>()

parentPort!.on('message', (asked: Asked) => {
  if ('forget' in asked) {
    files.delete(asked.forget)
    return
  }
  const { path, upTo, request } = asked
  const file = files.get(path) ?? { hash: createHash('sha256'), at: 0, last: Promise.resolve() }
  files.set(path, file)
  file.last = file.last
    .then(() => hash(file, path, upTo))
    .then(
      () => {
        if (request !== undefined) tell({ request, sha256: file.hash.copy().digest('hex') })
      },
      (error: Error) => {
        // What it has been given is known no longer.
        if (files.get(path) === file) files.delete(path)
        if (request !== undefined) tell({ request, error: error.message })
      },
    )
})

const tell = (told: Told) => parentPort!.postMessage(told)

async function hash(file: Hashed, path: string, upTo: number): Promise<void> {
  if (file.at >= upTo) return
  const opened = openSync(path, 'r')
  try {
    while (file.at < upTo) {
      const length = readSync(opened, held, 0, Math.min(CHUNK, upTo - file.at), file.at)
      if (length === 0) throw new Error(`${path} ends at ${file.at}, before ${upTo}`)
      file.hash.update(held.subarray(0, length))
      file.at += length
      await setImmediate()
    }
  } finally {
    closeSync(opened)
  }
}
