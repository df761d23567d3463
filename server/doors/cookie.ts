import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { DEVICE_DAYS, DEVICE_SECRET } from '../identity/known-devices.ts'
import type { Cookies } from '../operation.ts'

/**
 * The cookies of the web app: a session's; for ten minutes that of a browser which was sent to a sign-in provider; and
 * one by which a browser is known where its people have signed in (known-devices.ts). Their `__Host-` names let no
 * other host, path or plain connection set one over them (RFC 6265bis 4.1.3.2); they ask for the path `/`, which is why
 * none has a narrower path. On loopback there is no https, and browsers would not take the names: there they go
 * without, and any other http address stops the start (config.ts).
 *
 * That of a guest goes to the door for guests alone, and from no other site: nothing that it is sent with can be a
 * member's. A narrower path takes the name's "__Host-" from it, so it is "__Secure-".
 *
 * That of a session names no time: it goes with the browser's session, and the row behind it says when it is
 * over. All are sent when a browser is sent back here from elsewhere, which `Strict` would not allow.
 */
const SESSION = 'plumbline'
const PROVIDER = 'plumbline-sign-in'
const PROVIDER_SECONDS = 600
const DEVICE = 'plumbline-device'
const DEVICES_AT_MOST = 4
const GUEST = 'plumbline-guest'

const isSecure = ({ publicUrl }: Config): boolean => publicUrl.startsWith('https:')
const nameOf = (name: string, config: Config): string =>
  isSecure(config) ? `${name === GUEST ? '__Secure-' : '__Host-'}${name}` : name

/** The secret that the browser sent; undefined where there is none, or more than one. */
export function sessionSecretOf(request: FastifyRequest, config: Config): string | undefined {
  return secretIn(request.headers.cookie, config)
}

/** What a browser brings back from a sign-in provider; undefined where there is none, or more than one. */
export function providerSecretOf(request: FastifyRequest, config: Config): string | undefined {
  return secretIn(request.headers.cookie, config, PROVIDER)
}

/** The secret of a guest's session; undefined where there is none, or more than one. */
export function guestSecretOf(request: FastifyRequest, config: Config): string | undefined {
  return secretIn(request.headers.cookie, config, GUEST)
}

/** The devices that the browser says it is, of each person who has signed in in it. */
export function deviceSecretsOf(request: FastifyRequest, config: Config): string[] {
  const secrets = secretIn(request.headers.cookie, config, DEVICE)?.split('.') ?? []
  return secrets.filter((secret) => DEVICE_SECRET.test(secret)).slice(0, DEVICES_AT_MOST)
}

/** @param header the Cookie header as it came */
export function secretIn(header: string | undefined, config: Config, name = SESSION): string | undefined {
  const start = `${nameOf(name, config)}=`
  const found = (header ?? '').split(/; */).filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]!.slice(start.length) : undefined
}

/** Has the browser keep what an answer says, or forget it. */
export function setCookies(
  reply: FastifyReply,
  config: Config,
  { session, provider, devices, guest }: Cookies,
): void {
  if (session !== undefined) set(reply, config, SESSION, session)
  if (devices !== undefined) set(reply, config, DEVICE, devices.join('.'), DEVICE_DAYS * 86_400)
  if (guest !== undefined) set(reply, config, GUEST, guest)
  if (provider !== undefined) set(reply, config, PROVIDER, provider, PROVIDER_SECONDS)
}

function set(
  reply: FastifyReply,
  config: Config,
  name: string,
  secret: string | null,
  seconds?: number,
): void {
  const secure = isSecure(config) ? '; Secure' : ''
  const age = secret === null ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`
  const reach = name === GUEST ? 'Path=/guest; HttpOnly; SameSite=Strict' : 'Path=/; HttpOnly; SameSite=Lax'
  reply.header('set-cookie', `${nameOf(name, config)}=${secret ?? ''}; ${reach}${secure}${age}`)
}
