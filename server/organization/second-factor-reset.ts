import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { lockFactors, removeFactors } from '../identity/factor-changes.ts'
import { endOthers } from '../identity/sessions.ts'
import { audit } from '../journal/audit.ts'
import { capability, confirmed, nothing, operation } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { accountOf, readUser } from './members.ts'

/**
 * For somebody who has lost their second factor and their recovery codes. A login is one for all the
 * organizations of a person, so the admin of one of them may not weaken what guards the others; whoever runs
 * the service may, on the command line.
 */
export const resetSecondFactor = operation({
  name: 'resetSecondFactor',
  method: 'POST',
  path: '/v1/users/{id}/reset-second-factor',
  needs: confirmed(capability('settings.manage')),
  writes: true,
  title: "Take a user's second factor away",
  description:
    'Authenticator app, recovery codes and passkeys are gone, every session of theirs ends, and the password alone signs in until they set up another. Only for somebody who belongs to no other organization; on the command line for anybody.',
  input: z.strictObject({ id: z.string().min(1).max(100).meta({ title: 'Id' }) }),
  output: nothing,
  refusals: ['conflict'],
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const { name, status } = await readUser(tx, id)
    if (status === 'invited')
      throw new Refusal('conflict', `${name} has not joined yet: what they sign in with is theirs alone.`)
    const accountId = await accountOf(tx, id)
    if (caller.channel !== 'cli') {
      if (id === caller.userId)
        throw new Refusal('conflict', 'This is your own: change it under your account.')
      const elsewhere = await tx.readAsGate(belongsElsewhere(accountId, tx.organizationId))
      if (elsewhere.length > 0)
        throw new Refusal(
          'conflict',
          `${name} belongs to another organization too: whoever runs the service can do this on the command line.`,
        )
    }
    const before = await lockFactors(tx, accountId)
    if (!(await removeFactors(tx, accountId))) return null
    tx.writeAsGate(endOthers(accountId, null))
    audit(tx, caller, {
      time: await tx.now,
      action: 'user.reset_second_factor',
      subject: { type: 'user', id, title: name },
      changes: before.hasSecondFactor ? { mfaEnabled: { from: true, to: false } } : {},
    })
    return null
  },
})

const belongsElsewhere = statement(`
  select from members where account_id = $1 and organization_id <> $2 and status in ('active', 'disabled') limit 1`)
