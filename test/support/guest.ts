import type { Caller } from '../../server/caller/caller.ts'
import { transaction } from '../../server/database/transaction.ts'
import { makeGuestLink } from '../../server/guests/guest-links.ts'
import { type Guest as GuestGiven, makePasses, type NewPasses } from '../../server/guests/guest-pass.ts'
import type { Door, Reply } from './door.ts'
import type { TestService } from './service.ts'

/** A browser of somebody who is no member: it keeps the cookie of the door for guests, and shows it nowhere else. */
export interface Guest {
  cookie: string
  /** Comes in by a link, or by the secret of one. */
  open(link: string): Promise<Reply>
  call(name: string, input?: unknown, headers?: Record<string, string>): Promise<Reply>
}

export function openGuest(door: Door): Guest {
  const origin = door.service.config.publicUrl
  const guest: Guest = {
    cookie: '',
    open: async (link) => {
      const token = link.split('#token=').at(-1)!
      const reply = await door.send(null, 'POST', '/web/openGuestPass', {
        body: { token },
        headers: { origin },
      })
      const [pair = ''] = [reply.headers['set-cookie'] ?? []].flat().map((set) => set.split(';')[0]!)
      if (pair) guest.cookie = pair
      return reply
    },
    call: (name, input = {}, headers = {}) =>
      door.send(null, 'POST', `/guest/${name}`, {
        body: input,
        headers: { origin, ...(guest.cookie ? { cookie: guest.cookie } : {}), ...headers },
      }),
  }
  return guest
}

/** A pass of one guest for a record of the caller's, with its link. */
export async function letIn(
  { service }: TestService,
  caller: Caller,
  pass: Pick<NewPasses, 'recordId'> & Partial<NewPasses>,
  given: GuestGiven,
  address: string,
): Promise<{ id: string; link: string }> {
  return transaction(service.database.tenant, caller.organizationId, async (tx) => {
    const expiresAt = new Date(Date.parse(await tx.now) + 30 * 86_400_000).toISOString()
    const [id] = makePasses(tx, caller, { purpose: 'review', expiresAt, ...pass }, [given])
    return { id: id!, link: makeGuestLink(service, tx, id!, address) }
  })
}
