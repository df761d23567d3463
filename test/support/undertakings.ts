import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { Caller } from '../../server/caller/caller.ts'
import { beginSession } from '../../server/identity/sessions.ts'
import type { Reply as DoorReply } from './door.ts'
import { headersOf, messageOf } from './mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './service.ts'

export type Reply = Pick<DoorReply, 'status' | 'body'>

/** The doors of a service that has the tests' own kinds besides (undertaking-service.ts), and an organization in it. */
export interface Undertakings {
  readonly one: TestService
  readonly acme: TestOrganization
  /** By a key that may read and write all of them, where no other header says who calls. */
  send(method: string, path: string, body?: object, as?: Record<string, string>): Promise<Reply>
  /** A message of MCP, by that key. @returns its answer */
  tell(method: string, params: object): Promise<Reply>
  /** The headers of a person's session. */
  sessionOf(caller: Caller): Promise<Record<string, string>>
  close(): Promise<void>
}

/** With the tests' own kinds: it serves, or says the migration of these. */
export const UNDERTAKING_SERVICE = join(import.meta.dirname, 'undertaking-service.ts')

/** The tables of these kinds, in the database of a service. */
export async function addTheirTables({ administrator }: TestService): Promise<void> {
  await administrator.query(
    execFileSync(process.execPath, [UNDERTAKING_SERVICE, 'migration'], { encoding: 'utf8' }),
  )
}

export async function openUndertakings(): Promise<Undertakings> {
  const one = await startTestService()
  const acme = await one.organization()
  await addTheirTables(one)
  const child = spawn(process.execPath, [UNDERTAKING_SERVICE, 'serve', one.database.url, one.masterKey], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  const base = `http://127.0.0.1:${String(port).trim()}`
  const { secret } = await acme.key([
    'read:risks',
    'write:risks',
    'read:controls',
    'write:controls',
    'read:personnel',
    'write:personnel',
  ])
  const dispatcher = new Agent()
  const byKey = { authorization: `Bearer ${secret}` }
  const send: Undertakings['send'] = async (method, path, body, as = byKey) => {
    const answer = await request(base + path, {
      dispatcher,
      method: method as 'GET',
      headers: { 'content-type': 'application/json', ...as },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, body: text && JSON.parse(text) }
  }
  return {
    one,
    acme,
    send,
    tell: (method, params) =>
      send('POST', '/v1/mcp', messageOf(method, params), { ...byKey, ...headersOf(method, nameOf(params)) }),
    sessionOf: async ({ accountId, organizationId }) => {
      const context = { channel: 'ui', requestId: 'test' } as const
      const entrance = { accountId, organizationId, method: 'password' } as const
      const cookie = await beginSession(one.service, context, entrance)
      return { cookie: `plumbline=${cookie}`, origin: one.service.config.publicUrl }
    },
    close: async () => {
      await dispatcher.close()
      child.stdin.end()
      await once(child, 'exit')
      await one.close()
    },
  }
}

const nameOf = (params: object): string | undefined => (params as { name?: string }).name
