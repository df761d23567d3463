import { z } from 'zod'
import { GUEST_PURPOSES } from '../../model/guest-purpose.ts'
import type { Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { guest, operation } from '../operation.ts'
import { timestamp } from '../output.ts'
import { endGuestSession, guestOf, openPass, senderOfLink } from './guest-session.ts'

/* How a guest comes in, sees what they were let in for, and leaves. */

/** What the page of a guest begins with: nothing of the record but what it is called. */
const openedPass = z.object({
  purpose: z.enum(GUEST_PURPOSES),
  organization: z.string(),
  name: z.string().describe('Of whoever was let in'),
  title: z.string().describe('What the record is called'),
  expiresAt: timestamp,
  isConfirmed: z.boolean().describe('Whether it was shown that the mailbox is theirs, or none is asked for'),
})

type OpenedPass = z.output<typeof openedPass>

export const openGuestPass = operation({
  name: 'openGuestPass',
  title: 'Open a guest pass',
  by: 'anybody',
  input: z.strictObject({ token: z.string().min(1).max(100).describe('The secret of the link') }),
  output: openedPass,
  run: async ({ parts, requestContext }, { token }) => {
    const { secret, caller } = await openPass(parts, requestContext, token)
    const body = await transaction(parts.database.tenant, caller.organizationId, (tx) => opened(tx, caller))
    return { body, cookies: { guest: secret } }
  },
})

export const previewGuestPass = operation({
  name: 'previewGuestPass',
  title: 'Show who sent a guest link',
  description: 'The organization that a guest link is of, before it is opened. It uses nothing up.',
  by: 'anybody',
  input: z.strictObject({ token: z.string().min(1).max(100).describe('The secret of the link') }),
  output: z.object({ organization: z.string() }),
  run: async ({ parts }, { token }) => ({ body: await senderOfLink(parts, token) }),
})

export const getGuestPass = operation({
  name: 'getGuestPass',
  title: 'Read what a guest pass is for',
  by: 'guest',
  needs: guest(),
  writes: false,
  input: z.strictObject({}),
  output: openedPass,
  run: ({ tx, caller }) => opened(tx, caller),
})

export const closeGuestPass = operation({
  name: 'closeGuestPass',
  title: 'Leave',
  description: 'Ends the session of this browser; the link can be opened again.',
  by: 'guest',
  needs: guest(),
  writes: true,
  input: z.strictObject({}),
  output: z.object({}),
  run: async ({ tx, caller }) => {
    endGuestSession(tx, guestOf(caller).sessionId)
    return {}
  },
})

async function opened(tx: Transaction, caller: Caller): Promise<OpenedPass> {
  const { id, name, purpose, isConfirmed } = guestOf(caller)
  const [row] = await tx.read<Pick<OpenedPass, 'organization' | 'title' | 'expiresAt'>>(
    read(tx.organizationId, id),
  )
  return { ...row!, name, purpose, isConfirmed }
}

const read = statement(`
  select o.name as organization, k.called as title, p.expires_at as "expiresAt"
    from guest_passes p join organizations o on o.id = p.organization_id
    join known_records k on k.organization_id = p.organization_id and k.id = p.record_id
   where p.organization_id = $1 and p.id = $2`)
