import { randomUUID } from 'node:crypto'
import type { Caller } from '../../server/caller/caller.ts'
import { beginSession } from '../../server/identity/sessions.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { operations } from '../../server/operations.ts'
import type { Door, Reply } from './door.ts'
import { requestFor } from './samples.ts'

/** A browser's side of the web app's door: it keeps the cookie and says where its page is from. */
export interface Web {
  /** The cookie of its session as it is sent; empty where there is none. */
  cookie: string
  /** That by which the browser is known, likewise. */
  device: string
  /** Calls an operation. */
  call(name: string, input?: unknown, headers?: Record<string, string>): Promise<Reply>
}

/** @param publicUrl the origin of its pages; by default the service's own */
export function openWeb(door: Door, publicUrl = door.service.config.publicUrl, cookie = ''): Web {
  const cookies = () => [web.cookie, web.device].filter(Boolean).join('; ')
  const web: Web = {
    cookie,
    device: '',
    call: async (name, input = {}, headers = {}) => {
      const { bodyIs, takes } = operations.find((one) => one.name === name) ?? {}
      const { [bodyIs ?? '']: _, ...beside } = input as Record<string, string>
      // What takes bytes has the rest of its input in the query.
      const sent = takes?.types
        ? {
            query: `?${new URLSearchParams(beside)}`,
            body: Buffer.from('A few bytes.'),
            type: takes.types[0]!,
          }
        : { query: '', body: input, type: 'application/json' }
      const reply = await door.send(null, 'POST', `/web/${name}${sent.query}`, {
        body: sent.body,
        headers: {
          'content-type': sent.type,
          origin: publicUrl,
          ...(cookies() ? { cookie: cookies() } : {}),
          ...headers,
        },
      })
      for (const set of [reply.headers['set-cookie'] ?? []].flat()) {
        const [pair = ''] = set.split(';')
        const which = /^(__Host-)?plumbline-device=/.test(pair) ? 'device' : 'cookie'
        web[which] = pair.endsWith('=') ? '' : pair
      }
      return reply
    },
  }
  return web
}

/** A browser in which this person has just signed in. */
export async function openWebAs(door: Door, { accountId, organizationId }: Caller): Promise<Web> {
  const requestContext = { channel: 'ui', requestId: randomUUID() } as const
  const entrance = { accountId, organizationId, method: 'password' } as const
  const secret = await beginSession(door.service, requestContext, entrance)
  return openWeb(door, undefined, `plumbline=${secret}`)
}

/** Asks for an operation by the door that it is open at: with the key, or as the person where it asks for one. */
export function askBy(
  door: Door,
  key: string,
  web: Web,
  operation: AnyOperation,
  input: Record<string, unknown>,
): Promise<Reply> {
  if (operation.needs.person) return web.call(operation.name, input)
  const { path, body } = requestFor(operation, input)
  return door.send(key, operation.method, path, body === undefined ? {} : { body })
}
