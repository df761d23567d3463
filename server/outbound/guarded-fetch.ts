/**
 * The guarded way out for what is no delivery: one request, its whole answer, nothing kept.
 *
 * The guard is the connector's. What is added here is for answers that are read: a limit on their bytes, no
 * decompression (a small bomb would pass any limit on what comes over the wire), and one deadline for all of it.
 * Each request has a connection of its own, because these are rare, and a pool for each place that a stranger may
 * name would grow without end. How many may be under way at once is limited for the same reason.
 */
import type { Client, Dispatcher } from 'undici'
import { type Address, parseAddress } from './address.ts'
import { type GuardedConnector, NotDialled, openConnector } from './connector.ts'
import type { Network } from './network.ts'
import { type Asked, NotFetched, type Outbound } from './outbound.ts'
import { openResolver, type ResolverOptions } from './resolver.ts'
import { undici } from './undici.ts'

export interface GuardedFetchOptions extends Pick<ResolverOptions, 'nameServers' | 'hostsFile'> {
  readonly allowedNetworks: readonly Network[]
  /** PEM (`WEBHOOK_CA_FILE`). */
  readonly certificateAuthorities?: string | undefined
  /** Requests under way at one time. */
  readonly most?: number
}

export interface GuardedFetch {
  readonly fetch: Outbound['fetch']
  /** Ends what is under way. */
  close(): Promise<void>
}

const AT_MOST = 256 * 1024
const WITHIN_MS = 10_000
const USER_AGENT = 'Plumbline/2.0'
const WITHOUT_BODY = new Set([204, 205, 304])

export function openGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { allowedNetworks, certificateAuthorities, most = 64, ...resolverOptions } = options
  const resolver = openResolver(resolverOptions)
  const connector = openConnector({ resolver, allowedNetworks, certificateAuthorities })
  const underWay = new Set<Request>()
  return {
    fetch: async (address, asked = {}) => {
      const parsed = parseAddress(address)
      if (!parsed.ok) throw new NotFetched('not_public', `the address ${parsed.problem}`)
      if (underWay.size >= most) throw new NotFetched('too_many', `${most} requests are under way`)
      const request = new Request(parsed.address, connector)
      underWay.add(request)
      return request.send(asked).finally(() => underWay.delete(request))
    },
    close: async () => {
      for (const request of underWay) request.end(new NotFetched('unreachable', 'the service is stopping'))
      await connector.whenClosed()
      resolver.close()
    },
  }
}

class Request {
  readonly #address: Address
  readonly #client: Client
  readonly #stopped = new AbortController()
  #dialing: { cancel(): void } | null = null

  constructor(address: Address, connector: GuardedConnector) {
    this.#address = address
    this.#client = new (undici().Client)(address.origin, {
      connect: (target, callback) => {
        this.#dialing = connector.dial(target, callback)
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: 16_384,
      // The one deadline covers both; these would begin anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async send({ withinMs = WITHIN_MS, atMost = AT_MOST, ...asked }: Asked): Promise<Response> {
    const late = () => this.end(new NotFetched('too_slow', `no whole answer in ${withinMs} ms`))
    const timer = setTimeout(late, withinMs)
    const stopped = new Promise<never>((_, reject) => {
      this.#stopped.signal.addEventListener('abort', () => reject(this.#stopped.signal.reason))
    })
    try {
      return await Promise.race([this.#exchange(asked, atMost), stopped])
    } catch (error) {
      throw notFetched(error)
    } finally {
      clearTimeout(timer)
      this.end(new NotFetched('unreachable', 'ended'))
    }
  }

  /** Lets go of everything, in whatever state it is. */
  end(reason: NotFetched): void {
    this.#stopped.abort(reason)
    this.#dialing?.cancel()
    this.#client.destroy().catch(() => {})
  }

  async #exchange({ method = 'GET', headers, body }: Asked, atMost: number): Promise<Response> {
    const answer = await this.#client.request({
      method: method as Dispatcher.HttpMethod,
      path: this.#address.path,
      headers: { 'user-agent': USER_AGENT, ...headers, 'accept-encoding': 'identity' },
      body: body === undefined ? null : String(body),
    })
    const bytes = await readAtMost(answer.body, atMost)
    const told = new Headers()
    for (const [name, values = []] of Object.entries(answer.headers))
      for (const value of [values].flat()) told.append(name, value)
    const shown = WITHOUT_BODY.has(answer.statusCode) ? null : bytes
    return new Response(shown, { status: answer.statusCode, headers: told })
  }
}

async function readAtMost(body: AsyncIterable<Buffer>, atMost: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > atMost) throw new NotFetched('too_large', `the answer is larger than ${atMost} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function notFetched(error: unknown): NotFetched {
  if (error instanceof NotFetched) return error
  const why = error instanceof NotDialled && error.why === 'not_public' ? 'not_public' : 'unreachable'
  const { code, message } = error as { code?: string; message?: string }
  return new NotFetched(why, code ? `${code}: ${message}` : String(message))
}
