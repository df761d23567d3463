import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'
import { HEAD_BYTES } from '../../../model/file-types.ts'
import type { ByteRange } from '../../bytes.ts'
import type { Bucket } from '../../config/files.ts'
import type { FileStore, Joined, PlacedPart } from '../store.ts'
import { coded, queryOf, signed } from './signature.ts'

/**
 * Bytes in a bucket, by what every store that speaks S3 understands. What is put is sent in blocks of which each has a
 * length and a digest; several make an upload in parts, which the store shows as one object when the last has come, and
 * which is given up where the source fails.
 */
const BLOCK = 8 * 1024 * 1024
/** Blocks in memory at one time, in one process. */
const PUTS_AT_ONCE = 4
const TRIES = 3
const PATIENCE = 60_000

export function openBucket(bucket: Bucket): FileStore {
  const turns = pLimit(PUTS_AT_ONCE)
  const encryption: Record<string, string> = bucket.isEncrypted
    ? { 'x-amz-server-side-encryption': 'AES256' }
    : {}
  const ask = (method: string, key: string | null, asked: Asked = {}) => send(bucket, method, key, asked)

  async function putParts(key: string, blocks: AsyncGenerator<Uint8Array>, first: Uint8Array): Promise<void> {
    const begun = await (await ask('POST', key, { query: { uploads: '' }, headers: encryption })).text()
    const uploadId = inside(begun, 'UploadId')[0] ?? ''
    try {
      const tags: string[] = []
      const part = async (body: Uint8Array) => {
        const query = { partNumber: String(tags.length + 1), uploadId }
        tags.push((await ask('PUT', key, { query, body })).headers.get('etag') ?? '')
      }
      await part(first)
      for await (const block of blocks) await part(block)
      const list = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      )
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
      const done = await (await ask('POST', key, { query: { uploadId }, body })).text()
      // It may answer 200 before it knows, and say in the body that it failed.
      if (!done.includes('CompleteMultipartUploadResult')) throw new BucketFault('POST', key, 200, done)
    } catch (error) {
      await ask('DELETE', key, { query: { uploadId } }).catch(() => {})
      throw error
    }
  }

  async function* read(key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const headers = range ? { range: `bytes=${range.from}-${range.to}` } : {}
    const { body } = await ask('GET', key, { headers, isLong: true })
    if (body) yield* body as unknown as AsyncIterable<Uint8Array>
  }

  const put: FileStore['put'] = (key, source, bytes) =>
    turns(async () => {
      const blocks = inBlocks(source)
      const { value: first = new Uint8Array() } = await blocks.next()
      if (bytes > BLOCK) return await putParts(key, blocks, first)
      // The source may find its fault at its end.
      await blocks.next()
      await ask('PUT', key, { headers: encryption, body: first })
    })
  const remove: FileStore['remove'] = async (key) => {
    await ask('DELETE', key)
  }

  /** All parts in their order, hashed on the way; judged at its end. */
  async function* joined(
    upload: string,
    parts: readonly PlacedPart[],
    judge: (joined: Joined) => void,
  ): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    const head = Buffer.alloc(HEAD_BYTES)
    let bytes = 0
    for (const { place } of parts)
      for await (const chunk of read(`${upload}/${place}`)) {
        if (bytes < head.length) head.set(chunk.subarray(0, head.length - bytes), bytes)
        bytes += chunk.length
        hash.update(chunk)
        yield chunk
      }
    judge({ bytes, sha256: hash.digest('hex'), head: head.subarray(0, bytes) })
  }

  return {
    put,
    // Each by itself: of an upload in parts the store takes none as small as ours may be.
    putPart: async (upload, { number, bytes }, source) => {
      await put(`${upload}/${number}`, source, bytes)
      return String(number)
    },
    join: (upload, parts, key, judge) => {
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
      return put(key, joined(upload, parts, judge), bytes)
    },
    removeParts: async (upload, parts) => {
      for (const { place } of parts) await remove(`${upload}/${place}`)
    },
    open: read,
    remove,
    list: async function* () {
      let after: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix: bucket.prefix,
          ...(after ? { 'continuation-token': after } : {}),
        }
        const page = await (await ask('GET', null, { query })).text()
        for (const one of inside(page, 'Contents'))
          yield {
            key: plain(inside(one, 'Key')[0] ?? '').slice(bucket.prefix.length),
            at: new Date(inside(one, 'LastModified')[0] ?? 0),
          }
        after = inside(page, 'NextContinuationToken').map(plain)[0]
      } while (after)
    },
  }
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Its answer may take any time. */
  readonly isLong?: true
}

/** What the store refused, in its words: for operators. */
class BucketFault extends Error {
  override name = 'BucketFault'

  constructor(method: string, key: string | null, status: number, words: string) {
    const code = inside(words, 'Code')[0] ?? ''
    super(`the bucket answered ${status} ${code} to ${method} ${key ?? 'its list'}`)
  }
}

async function send(
  bucket: Bucket,
  method: string,
  key: string | null,
  { query = {}, headers = {}, body = new Uint8Array(), isLong }: Asked,
): Promise<Response> {
  const name = key === null ? '' : `/${[...(bucket.prefix + key).split('/')].map(coded).join('/')}`
  const path = `/${bucket.bucket}${name}`
  const address = `${bucket.endpoint}${path}${Object.keys(query).length > 0 ? `?${queryOf(query)}` : ''}`
  for (let tried = 1; ; tried++) {
    const answer = await fetch(address, {
      method,
      headers: signed(bucket, { method, path, query, headers, body }),
      ...(method === 'PUT' || method === 'POST' ? { body: body as Uint8Array<ArrayBuffer> } : {}),
      redirect: 'error',
      ...(isLong ? {} : { signal: AbortSignal.timeout(PATIENCE) }),
    }).catch((error) => (tried < TRIES ? null : Promise.reject(error)))
    if (answer?.ok) return answer
    const mayPass = !answer || answer.status >= 500 || answer.status === 429
    if (answer && (!mayPass || tried === TRIES))
      throw new BucketFault(method, key, answer.status, await answer.text())
    await answer?.body?.cancel()
    await setTimeout(200 * tried)
  }
}

async function* inBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(BLOCK)
  let filled = 0
  for await (const chunk of source)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + BLOCK - filled)
      block.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < BLOCK) continue
      yield block
      block = Buffer.allocUnsafe(BLOCK)
      filled = 0
    }
  if (filled > 0) yield block.subarray(0, filled)
}

/** What stands in each element of a name: the answers of the store are of one known form. */
const inside = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, text]) => text!)

const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => SIGNS[name]!)
const SIGNS: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
