import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Bucket } from '../../server/config/files.ts'
import { signed } from '../../server/files/store/signature.ts'

/**
 * A bucket that speaks as much of S3 as the service asks of one: objects, ranges, uploads in parts, and lists of a few
 * keys at a time. A request whose signature is not that of its method, path, query, headers and body is refused.
 */
export interface TestBucket {
  readonly place: string
  readonly environment: Record<string, string>
  readonly objects: Map<string, { bytes: Buffer; at: Date }>
  /** Uploads in parts that were neither completed nor given up. */
  readonly open: Map<string, Buffer[]>
  /** Requests to answer with 503 first. */
  failing: number
  /** Whether each object was asked to be encrypted. */
  readonly encrypted: Set<string>
  close(): Promise<void>
}

const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test/secret' }
const PAGE = 2

export async function startBucket(): Promise<TestBucket> {
  const objects: TestBucket['objects'] = new Map()
  const open: TestBucket['open'] = new Map()
  const encrypted = new Set<string>()
  let drawn = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url!, 'http://bucket')
    const query = Object.fromEntries(url.searchParams)
    const answer = (status: number, text: string | Buffer = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(text)
    if (bucket.failing > 0) {
      bucket.failing--
      return answer(503, '<Error><Code>SlowDown</Code></Error>')
    }
    if (!isSigned(request, url, query, body))
      return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const key = decodeURIComponent(url.pathname).slice('/evidence/'.length)
    const { method } = request
    if (method === 'GET' && query['list-type']) return answer(200, listed(query))
    if (method === 'POST' && 'uploads' in query) {
      const id = `upload ${++drawn}`
      open.set(id, [])
      if (request.headers['x-amz-server-side-encryption']) encrypted.add(key)
      return answer(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const parts = open.get(query.uploadId ?? '')
    if (query.uploadId !== undefined && !parts) return answer(404, '<Error><Code>NoSuchUpload</Code></Error>')
    if (parts && method === 'PUT') {
      parts[Number(query.partNumber) - 1] = body
      return answer(200, '', { etag: `"${createHash('md5').update(body).digest('hex')}"` })
    }
    if (parts && method === 'POST') {
      open.delete(query.uploadId!)
      objects.set(key, { bytes: Buffer.concat(parts), at: new Date() })
      return answer(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    }
    if (parts && method === 'DELETE') {
      open.delete(query.uploadId!)
      return answer(204)
    }
    if (method === 'PUT') {
      objects.set(key, { bytes: body, at: new Date() })
      if (request.headers['x-amz-server-side-encryption']) encrypted.add(key)
      return answer(200)
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return answer(204)
    }
    const found = objects.get(key)
    if (!found) return answer(404, '<Error><Code>NoSuchKey</Code></Error>')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    return from ? answer(206, found.bytes.subarray(Number(from), Number(to) + 1)) : answer(200, found.bytes)
  })

  function listed({ prefix = '', 'continuation-token': after = '' }: Record<string, string>): string {
    const behind = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = behind.slice(0, PAGE)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><LastModified>${objects.get(key)!.at.toISOString()}</LastModified></Contents>`,
    )
    const next = behind.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const settings: Bucket = {
    bucket: 'evidence',
    prefix: '',
    endpoint,
    region: 'eu-central-1',
    isEncrypted: true,
    ...CREDENTIALS,
  }

  function isSigned(
    request: { method?: string | undefined; headers: NodeJS.Dict<string | string[]> },
    url: URL,
    query: Record<string, string>,
    body: Buffer,
  ): boolean {
    const given = String(request.headers.authorization ?? '')
    const names = (/SignedHeaders=([^,]+)/.exec(given)?.[1] ?? '').split(';')
    const time = String(request.headers['x-amz-date'] ?? '')
    const at = new Date(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
    if (Math.abs(at.getTime() - Date.now()) > 60_000) return false
    const headers = Object.fromEntries(
      names
        .filter((name) => !['host', 'x-amz-date', 'x-amz-content-sha256'].includes(name))
        .map((name) => [name, String(request.headers[name])]),
    )
    const toSign = { method: request.method!, path: url.pathname, query, headers, body }
    return signed(settings, toSign, at).authorization === given
  }

  const bucket: TestBucket = {
    place: `s3://evidence/of/us?endpoint=${endpoint}&region=eu-central-1`,
    environment: {
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    objects,
    open,
    failing: 0,
    encrypted,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return bucket
}
