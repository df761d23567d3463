import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/**
 * The cookie of a session. Its `__Host-` name lets no other host, path or plain connection set one over it
 * (RFC 6265bis 4.1.3.2). On loopback there is no https, and browsers would not take the name: there it goes
 * without, and any other http address stops the start (config.ts).
 *
 * It names no time: it goes with the browser's session, and the row behind it says when it is over.
 */
const nameOf = ({ publicUrl }: Config): string =>
  publicUrl.startsWith('https:') ? '__Host-plumbline' : 'plumbline'

/** The secret that the browser sent; undefined where there is none, or more than one. */
export function sessionSecretOf(request: FastifyRequest, config: Config): string | undefined {
  return secretIn(request.headers.cookie, config)
}

/** @param header the Cookie header as it came */
export function secretIn(header: string | undefined, config: Config): string | undefined {
  const start = `${nameOf(config)}=`
  const found = (header ?? '').split(/; */).filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]!.slice(start.length) : undefined
}

/** @param secret of the session, or null to take the cookie away */
export function setSessionCookie(reply: FastifyReply, config: Config, secret: string | null): void {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  const value = secret === null ? '; Max-Age=0' : ''
  reply.header(
    'set-cookie',
    `${nameOf(config)}=${secret ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${value}`,
  )
}
