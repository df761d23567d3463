/**
 * A process that sends a file, finishes it and sweeps, and is killed at a step of it: before or behind what it does to
 * the store or tells the database, or in the middle of bytes. Started by test/files-killed.long.ts.
 */

import { ROLE_SCOPES } from '../../model/scopes.ts'
import { call } from '../../server/call.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { readConfig } from '../../server/config.ts'
import type { FileStore } from '../../server/files/store.ts'
import { sweepFiles, sweepStore } from '../../server/files/sweep.ts'
import { operations } from '../../server/operations.ts'
import { buildService } from '../../server/service.ts'
import { incoming, sha256 } from './files.ts'

const { TEST_URL: url, TEST_MASTER_KEY: masterKey, TEST_CALLER: described } = process.env
const { TEST_ACT: act, TEST_KILL_AT: killAt, TEST_FILE: sent, TEST_KILL_AFTER: killAfter } = process.env
const caller: Caller = { ...JSON.parse(described!), granted: ROLE_SCOPES.admin }
const service = buildService(readConfig(process.env), url!, masterKey!)
let steps = 0

/** Nothing is done behind it. */
function reach(): void {
  steps += 1
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

const { files } = service
const dying: FileStore = {
  ...files,
  put: async (key, source, bytes) => {
    reach()
    await files.put(key, watched(source), bytes)
    reach()
  },
  putPart: async (upload, part, source) => {
    reach()
    const place = await files.putPart(upload, part, watched(source))
    reach()
    return place
  },
  join: async (upload, placed, key, judge) => {
    reach()
    await files.join(upload, placed, key, (joined) => {
      reach()
      judge(joined)
    })
    reach()
  },
  removeParts: async (upload, placed) => {
    reach()
    await files.removeParts(upload, placed)
    reach()
  },
  remove: async (key) => {
    reach()
    await files.remove(key)
    reach()
  },
}

async function* watched(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of source) {
    if (at++ % 40 === 20) reach()
    yield chunk
  }
  reach()
}

const parts = { ...service, files: dying }
const ask = async (name: string, input: object) => {
  reach()
  const operation = operations.find((one) => one.name === name)!
  const { body } = await call(parts, caller, operation, input)
  reach()
  return body as { id: string }
}

const PART = 64 * 1024
/** Three parts, and others in each process. */
const content = Buffer.from(`${sent} was reviewed. `.repeat(10_000))

async function upload(): Promise<void> {
  const hash = sha256(content)
  const { id } = await ask('createFile', {
    name: 'killed.txt',
    bytes: content.length,
    sha256: hash,
    partBytes: PART,
  })
  process.send!({ id })
  for (let number = 1; (number - 1) * PART < content.length; number++) {
    const part = content.subarray((number - 1) * PART, number * PART)
    await ask('putFilePart', { id, number: String(number), content: incoming(part) })
  }
  await ask('finishFile', { id })
}

async function sweep(): Promise<void> {
  reach()
  await sweepFiles(parts)
  reach()
  await sweepStore(parts)
  reach()
}

if (killAfter) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killAfter))
await (act === 'upload' ? upload() : sweep())
process.send!({ steps }, () => process.exit())
