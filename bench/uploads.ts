import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { newId } from '../server/database/ids.ts'
import { beginSession } from '../server/identity/sessions.ts'
import { compare, interleave } from './figures.ts'
import { sampling } from './memory.ts'
import { type Finding, type Row, ratioAtLeast, ratioBelow } from './row.ts'
import { makeOrganization } from './seed.ts'
import type { RunningService, Stand } from './stand.ts'

const MB = 1024 * 1024
const PART = 8 * MB
const LARGE = Number(process.env.BENCH_FILE_MB ?? 1_024) * MB
/** Parts that are on their way at one time. */
const TOGETHER = 3
const AT_ONCE = 20
const EACH = Number(process.env.BENCH_FILES_MB ?? 100) * MB

export const upload: Row = {
  name: 'upload',
  title: `a file of ${LARGE / MB} MB, sent in parts of 8 MB and finished, onto the disk`,
  notes: [
    `By the web app’s door, from memory, ${TOGETHER} parts at a time as clients of such stores send them, and one after another;`,
    'hashed by the service, and each part on the disk when it is answered. The yardstick is `cp` of the same bytes in the same',
    'folder, with an fsync of the copy, and without. What was written is removed each time. BENCH_FILE_MB makes the file smaller.',
  ],
  run: measureUpload,
}

export const transferMemory: Row = {
  name: 'transfer-memory',
  title: `resident memory while ${AT_ONCE} uploads of ${EACH / MB} MB and ${AT_ONCE} downloads of as much run at once`,
  notes: [
    'By the web app’s door, in parts of 8 MB, each in a session of its own; the downloads are of a file that is there. The',
    'peak stands beside what the process held after one of each. BENCH_FILES_MB makes the files smaller.',
  ],
  run: measureMemory,
}

async function measureUpload(stand: Stand): Promise<Finding[]> {
  const web = await openWeb(stand)
  const source = join(stand.directory, 'source')
  writeFileSync(source, '')
  const oneByOne: number[] = []
  const onlyCopied: number[] = []
  const sent = async (together: number) => {
    const bytes = bytesOf(LARGE)
    const begun = performance.now()
    await send(web, bytes, together)
    const rate = LARGE / MB / seconds(begun)
    await rm(web.kept, { recursive: true, force: true })
    return rate
  }
  const rounds = await interleave(
    stand.rounds,
    async () => {
      stand.say('upload: sent in parts')
      oneByOne.push(await sent(1))
      return sent(TOGETHER)
    },
    async () => {
      stand.say('upload: copied')
      const { parts } = bytesOf(LARGE)
      await rm(source)
      const written = await open(source, 'w')
      for (const part of parts) await written.write(part)
      await written.sync()
      await written.close()
      const copy = join(stand.directory, 'copy')
      const begun = performance.now()
      await promisify(execFile)('cp', [source, copy])
      onlyCopied.push(LARGE / MB / seconds(begun))
      const copied = await open(copy, 'r+')
      await copied.sync()
      const rate = LARGE / MB / seconds(begun)
      await copied.close()
      await rm(copy)
      return rate
    },
  )
  await web.service.stop()
  const unit = '/s'
  const yardstickIs = 'cp and fsync'
  return [
    {
      measure: `MB a second, ${TOGETHER} parts at a time`,
      unit,
      ...compare(rounds.products, rounds.yardsticks),
      yardstickIs,
      target: ratioAtLeast(0.4),
    },
    {
      measure: 'the same, beside cp alone',
      unit,
      ...compare(rounds.products, onlyCopied),
      yardstickIs: 'cp, nothing flushed',
      target: null,
    },
    {
      measure: 'MB a second, one part after another',
      unit,
      ...compare(oneByOne, rounds.yardsticks),
      yardstickIs,
      target: null,
    },
  ]
}

async function measureMemory(stand: Stand): Promise<Finding[]> {
  const web = await openWeb(stand)
  const { id } = await send(web, bytesOf(EACH))
  await fetchFile(web, id)
  await send(web, bytesOf(MB))
  stand.say(`transfer-memory: ${AT_ONCE} uploads and ${AT_ONCE} downloads`)
  const { idle, samples } = await sampling(web.service.pid, async () => {
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => [send(web, bytesOf(EACH)), fetchFile(web, id)]).flat(),
    )
  })
  await web.service.stop()
  const peak = Math.max(idle, ...samples)
  return [
    {
      measure: 'peak',
      unit: 'MB',
      product: peak,
      yardstick: idle,
      yardstickIs: 'after one of each',
      ratio: peak / idle,
      target: ratioBelow(1.3),
    },
  ]
}

interface Web {
  readonly service: RunningService
  /** Where the bytes of what is finished lie. */
  readonly kept: string
  readonly call: (name: string, input: object) => Promise<Record<string, string>>
  readonly put: (query: string, body: Uint8Array) => Promise<void>
  readonly get: (path: string) => Promise<void>
}

/** The service with an admin who is signed in. */
async function openWeb(stand: Stand): Promise<Web> {
  const database = await stand.database()
  const { id, accountId } = await makeOrganization(database.administrator, stand.masterKey)
  const folder = join(stand.directory, 'files')
  mkdirSync(folder)
  const service = await stand.service(database, {
    FILES: folder,
    FILE_MAX_BYTES: String(2 * LARGE),
    FILES_PER_ORGANIZATION: String(100 * 1024 * MB),
  })
  const parts = stand.parts(database)
  const requestContext = { channel: 'ui', requestId: newId('req') } as const
  const secret = await beginSession(parts, requestContext, {
    accountId,
    organizationId: id,
    method: 'password',
  })
  await parts.close()
  const origin = `http://127.0.0.1:${service.port}`
  const dispatcher = new Agent({ connections: 2 * AT_ONCE })
  const post = async (path: string, type: string, body: string | Uint8Array) => {
    const answer = await request(`${origin}${path}`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': type, cookie: `plumbline=${secret}`, origin: publicOrigin(service) },
      body,
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${answer.statusCode}: ${text.slice(0, 500)}`)
    return JSON.parse(text) as Record<string, string>
  }
  return {
    service,
    kept: join(folder, id, 'kept'),
    call: (name, input) => post(`/web/${name}`, 'application/json', JSON.stringify(input)),
    put: async (query, body) =>
      void (await post(`/web/putFilePart?${query}`, 'application/octet-stream', body)),
    get: async (path) => {
      const answer = await request(`${origin}${path}`, {
        dispatcher,
        headers: { cookie: `plumbline=${secret}` },
      })
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${await answer.body.text()}`)
      await answer.body.dump({ limit: 2 * LARGE })
    },
  }
}

const publicOrigin = ({ port }: RunningService): string => `http://localhost:${port}`

interface Bytes {
  readonly parts: readonly Uint8Array[]
  readonly length: number
  readonly sha256: string
}

let drawn = 0

/** Parts that are all alike but for the first, which no other file has. */
function bytesOf(length: number): Bytes {
  const part = Buffer.alloc(Math.min(PART, length), `Line ${drawn} of a log. `)
  const first = Buffer.from(part)
  first.write(`Upload ${drawn++}. `)
  const hash = createHash('sha256')
  const parts = Array.from({ length: Math.ceil(length / PART) }, (_, index) =>
    (index === 0 ? first : part).subarray(0, length - index * PART),
  )
  for (const one of parts) hash.update(one)
  return { parts, length, sha256: hash.digest('hex') }
}

async function send(
  { call, put }: Web,
  { parts, length, sha256 }: Bytes,
  together = 1,
): Promise<{ id: string }> {
  const begun = await call('createFile', {
    name: 'large.log',
    bytes: length,
    sha256,
    partBytes: Math.min(PART, length),
  })
  const left = parts.entries()
  const sendRest = async () => {
    for (const [index, part] of left) await put(`id=${begun.id}&number=${index + 1}`, part)
  }
  await Promise.all(Array.from({ length: together }, sendRest))
  await call('finishFile', { id: begun.id })
  return { id: begun.id! }
}

async function fetchFile({ call, get }: Web, id: string): Promise<void> {
  const { url } = await call('downloadFile', { id })
  await get(new URL(url!).pathname)
}

const seconds = (begun: number): number => (performance.now() - begun) / 1_000
