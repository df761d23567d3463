import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config/loopback.ts'
import type { Config } from '../../config.ts'
import { Refusal } from '../../refusal.ts'

/**
 * Asserts that a request was meant for this service: a page of another site that has its name resolve to our
 * address (DNS rebinding) gives itself away by `Host` and `Origin`, neither of which it can forge.
 *
 * Programs send no Origin. On a loopback address every loopback name and port is as good as another: what runs
 * there is on this machine.
 *
 * @throws {Refusal} `cross_site`
 */
export function refuseForeign(request: FastifyRequest, { publicUrl }: Config): void {
  const own = new URL(publicUrl)
  const isOwnHost = (name: string) => (isLoopback(own.hostname) ? isLoopback(name) : name === own.hostname)
  // Behind a trusted proxy this is the host that the proxy was asked for.
  const host = URL.parse(`http://${request.host ?? ''}`)
  if (!host || !isOwnHost(host.hostname))
    throw new Refusal('cross_site', `The Host is not that of ${publicUrl}: call the service by that name.`)
  const { origin } = request.headers
  if (origin === undefined || origin === publicUrl) return
  const from = URL.parse(origin)
  if (!isLoopback(own.hostname) || !from || !isLoopback(from.hostname))
    throw new Refusal(
      'cross_site',
      `Pages of other sites than ${publicUrl} may not call this: call from a program, or from a page of this service.`,
    )
}
