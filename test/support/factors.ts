import { createHmac } from 'node:crypto'
import { createOrganization } from '../../server/organization/organizations.ts'
import type { Authenticator, Lies } from './authenticator.ts'
import type { Door } from './door.ts'
import type { TestService } from './service.ts'
import { openWeb, type Web } from './web.ts'

export const PASSWORD = 'correct horse battery'

/** An admin of a new organization who is signed in by password. */
export interface Somebody {
  readonly email: string
  readonly password: string
  readonly organizationId: string
  readonly userId: string
  readonly accountId: string
  readonly web: Web
}

let made = 0

export async function newSomebody(one: TestService, door: Door): Promise<Somebody> {
  const email = `somebody${++made}@example.com`
  const ids = await createOrganization(one.service, {
    name: `Organization ${made}`,
    adminEmail: email,
    adminName: `Somebody ${made}`,
    adminPassword: PASSWORD,
  })
  const web = openWeb(door)
  await mustSucceed(web.call('signIn', { email, password: PASSWORD }))
  return { email, password: PASSWORD, ...ids, web }
}

/** Sets an authenticator app up. @returns its secret and the recovery codes */
export async function addTotp(
  one: TestService,
  web: Web,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await mustSucceed(web.call('beginTotp'))).body
  const confirmed = await mustSucceed(web.call('confirmTotp', { code: await codeOf(one, secret) }))
  return { secret, recoveryCodes: confirmed.body.recoveryCodes }
}

/** The origin of the service's pages in tests. */
export const ORIGIN = 'http://localhost:3000'

/** Adds a passkey. */
export async function addPasskey(web: Web, authenticator: Authenticator, name = 'My key', lies: Lies = {}) {
  const { ceremony, options } = (await mustSucceed(web.call('beginPasskey'))).body
  return web.call('createPasskey', { ceremony, name, response: authenticator.create(options, lies) })
}

/** Signs in with a passkey alone. */
export async function passkeySignIn(door: Door, authenticator: Authenticator, lies: Lies = {}) {
  const web = openWeb(door)
  const { ceremony, options } = (await mustSucceed(web.call('beginPasskeySignIn'))).body
  return web.call('signInWithPasskey', { ceremony, response: authenticator.get(options, lies) })
}

/** What the app shows now, or so many steps away: RFC 6238 as it is written, beside the library's. */
export async function codeOf(one: TestService, secret: string, steps = 0): Promise<string> {
  const { rows } = await one.administrator.query('select extract(epoch from clock_now())::float8 as now')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(rows[0].now / 30) + steps))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const binary = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff
  return String(binary % 1_000_000).padStart(6, '0')
}

/** The next step of the clock, whose code was not used yet. */
export const nextStep = (one: TestService): Promise<void> => one.moveClock(30_000)

function bytesOf(base32: string): Buffer {
  const bits = [...base32]
    .map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}

/** A ticket for the second step. */
export async function ticketOf(door: Door, { email, password }: Somebody, web = openWeb(door)) {
  const { body } = await mustSucceed(web.call('signIn', { email, password }))
  if (body.state !== 'second_factor') throw new Error(`no second factor was asked: ${JSON.stringify(body)}`)
  return body as { ticket: string; methods: string[] }
}

export async function mustSucceed<R extends { status: number; text: string }>(asked: Promise<R>): Promise<R> {
  const reply = await asked
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}
