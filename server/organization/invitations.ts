import { z } from 'zod'
import { actingUserOf } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { makeLink } from '../identity/one-time-links.ts'
import { countInvitation } from '../identity/sign-in-rate-limiter.ts'
import type { ClaimedJob } from '../jobs/job-kind.ts'
import { sendMail } from '../jobs/send-mail.ts'
import { claimNewJob } from '../jobs/start-job.ts'
import { audit } from '../journal/audit.ts'
import { invitationMail } from '../mail/messages.ts'
import { capability, confirmed, type OwnContext, operation, type TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { accountOf, lockUser, readUser, type User } from './members.ts'

/**
 * Inviting somebody: a link goes to their mailbox, or where the service sends no mail, to the admin who hands
 * it over. A link that was mailed is shown to nobody else, since it proves the mailbox (first-proof.ts); so
 * where the mail fails, another one is made to be handed over, and the first is worth nothing.
 */
export const invitation = z
  .object({
    sentTo: z.string().nullable().describe('The address it was mailed to; nobody else has the link'),
    link: z.string().nullable().describe('To hand to the person where it was not mailed; shown this once'),
    problem: z.string().nullable().describe('Why it was not mailed, though the service sends mail'),
    expiresAt: z.string(),
  })
  .meta({ id: 'Invitation', title: 'Invitation' })

export type Invitation = z.output<typeof invitation>

export const createInvitation = operation({
  name: 'createInvitation',
  method: 'POST',
  path: '/v1/users/{id}/invitation',
  needs: confirmed(capability('settings.manage')),
  writes: 'own',
  title: 'Invite a user again',
  description:
    'Adding a user invites them already; this makes a new link, and earlier ones are worth nothing. It goes by mail where the service sends any; else it is in the answer, to be handed over. It works once, for 7 days.',
  input: z.strictObject({ id: z.string().min(1).max(100) }),
  output: invitation,
  refusals: ['conflict'],
  secret: 'link',
  run: async (context, { id }) => {
    const { email } = await context.transaction(({ tx }) => readUser(tx, id))
    const way = await wayTo(context, email)
    const made = await context.transaction((inside) => inviteMember(inside, id, way))
    return deliver(context, made)
  },
})

/** How an invitation reaches somebody. */
export type Way = { readonly byMail: true } | { readonly byMail: false; readonly problem: string | null }

/** By mail where there is any, and not too much of it went to that address. */
export async function wayTo({ caller, parts }: OwnContext, email: string): Promise<Way> {
  if (!parts.mail) return { byMail: false, problem: null }
  try {
    await countInvitation(parts, caller.organizationId, email)
    return { byMail: true }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { byMail: false, problem: 'Many invitations were mailed within the hour: hand this one over.' }
  }
}

export interface MadeInvitation {
  readonly user: User
  readonly address: string
  readonly expiresAt: string
  readonly way: Way
  /** The mail that holds it, for this process to send; should that end, another does. */
  readonly mail: ClaimedJob | null
}

/**
 * Makes the link of somebody who has not joined yet.
 * @throws {Refusal} `not_found`; `conflict` for who is a user already
 */
export async function inviteMember(
  { caller, parts, tx }: TransactionContext,
  id: string,
  way: Way,
): Promise<MadeInvitation> {
  const { before: user, time } = await lockUser(tx, id)
  if (user.status !== 'invited')
    throw new Refusal(
      'conflict',
      `${user.name} has joined already: there is nothing to accept any more, they sign in.`,
    )
  const { organizationId } = tx
  const createdBy = actingUserOf(caller) ?? undefined
  const accountId = await accountOf(tx, id)
  const link = { purpose: 'invitation', accountId, organizationId, byMail: way.byMail } as const
  const { address, hours } = makeLink(parts, tx, { ...link, ...(createdBy ? { createdBy } : {}) })
  audit(tx, caller, {
    time,
    action: 'user.invite',
    subject: { type: 'user', id, title: user.name },
    reason: way.byMail ? 'a link by mail' : 'a link to hand over',
  })
  const expiresAt = new Date(Date.parse(time) + hours * 3_600_000).toISOString()
  if (!way.byMail) return { user, address, expiresAt, way, mail: null }
  const organization = await organizationName(tx)
  const by = caller.credential.type === 'session' ? caller.credential.name : null
  const message = invitationMail(user.email, { organization, by, address, days: hours / 24 })
  return { user, address, expiresAt, way, mail: claimNewJob(parts, tx, sendMail, message) }
}

/** Brings an invitation on its way, after the transaction that made it. */
export async function deliver(context: OwnContext, made: MadeInvitation): Promise<Invitation> {
  const { user, address, expiresAt, way, mail } = made
  if (!mail) return { sentTo: null, link: address, problem: way.byMail ? null : way.problem, expiresAt }
  const problem = await context.parts.jobs.runNow(mail)
  if (problem === null) return { sentTo: user.email, link: null, problem: null, expiresAt }
  const other = await context.transaction((inside) =>
    inviteMember(inside, user.id, { byMail: false, problem: `${problem} Hand the link over.` }),
  )
  return deliver(context, other)
}

/** What the organization is called. */
export async function organizationName(tx: Transaction): Promise<string> {
  const [row] = await tx.read<{ name: string }>(name(tx.organizationId))
  return row?.name ?? ''
}

const name = statement('select name from organizations where id = $1')
