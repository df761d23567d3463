import { z } from 'zod'
import { lockLogin } from '../identity/first-proof.ts'
import { makeLink } from '../identity/one-time-links.ts'
import { audit } from '../journal/audit.ts'
import { capability, confirmed, operation } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { accountOf, lockUser, type User } from './members.ts'

/**
 * A link for a member who has lost their password, to be handed over by an admin. A login may open other
 * organizations too, and then no admin of one of them may replace what it opens by: the person asks for a mail,
 * or the operator of the service makes the link.
 */
export const createPasswordReset = operation({
  name: 'createPasswordReset',
  method: 'POST',
  path: '/v1/users/{id}/password-reset',
  needs: confirmed(capability('settings.manage')),
  writes: true,
  title: 'Make a link for a lost password',
  description:
    'To be handed to the person; it works once, for an hour, and earlier ones are worth nothing. Their sessions end when it is used. Not for somebody who belongs to another organization too.',
  input: z.strictObject({ id: z.string().min(1).max(100) }),
  output: z
    .object({
      link: z.string().nullable().describe('Shown this once'),
      expiresAt: z.string(),
    })
    .meta({ id: 'PasswordReset', title: 'Password reset' }),
  refusals: ['conflict'],
  secret: 'link',
  run: async ({ tx, caller, parts }, { id }) => {
    const { before, time } = await lockUser(tx, id)
    refuseInactive(before)
    const isOperator = caller.credential.type === 'operator'
    if (caller.userId === id)
      throw new Refusal('conflict', 'This is your own password: change it under your account.')
    const accountId = await accountOf(tx, id)
    const login = await lockLogin(tx, accountId)
    if (!login)
      throw new Refusal(
        'conflict',
        `${before.name} was shut out of the service by its operator: ask whoever runs it.`,
      )
    if (!isOperator && login.organizations.some((one) => one !== tx.organizationId))
      throw new Refusal('conflict', elsewhere(before, parts.mail !== null))
    const whose = isOperator ? {} : { organizationId: tx.organizationId, createdBy: caller.userId }
    const { address, hours } = makeLink(parts, tx, { purpose: 'password_reset', accountId, ...whose })
    audit(tx, caller, {
      time,
      action: 'user.create_password_reset',
      subject: { type: 'user', id, title: before.name },
    })
    return { link: address, expiresAt: new Date(Date.parse(time) + hours * 3_600_000).toISOString() }
  },
})

function refuseInactive({ status, name }: User): void {
  if (status === 'invited')
    throw new Refusal('conflict', `${name} has not joined yet: invite them again instead.`)
  if (status === 'disabled') throw new Refusal('conflict', `${name} is disabled: make them active first.`)
}

const elsewhere = ({ name }: User, hasMail: boolean): string =>
  `${name} belongs to another organization too, so nobody here may replace their password: ${
    hasMail
      ? 'they ask for a mail on the sign-in page.'
      : 'the operator of the service makes the link (`user reset-password`).'
  }`
