import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { audit, movedBetween } from '../journal/audit.ts'
import { operation, own } from '../operation.ts'
import { lockUser, MEMBER_FIELDS, user } from './members.ts'

/** A name belongs to the organization: somebody may be called otherwise in another of theirs. */
export const updateProfile = operation({
  name: 'updateProfile',
  method: 'PATCH',
  path: '/v1/account/profile',
  needs: own(),
  writes: true,
  title: 'Change what you are called',
  description:
    'Your name in this organization, as members, records and the audit log show it. E-mail and role are changed by an admin.',
  input: z.strictObject({ name: MEMBER_FIELDS.name }),
  output: user,
  annotations: { idempotent: true },
  run: async ({ tx, caller }, { name }) => {
    const { before, time } = await lockUser(tx, caller.userId)
    const changes = movedBetween(['name'], before, { name })
    if (Object.keys(changes).length === 0) return before
    tx.write(rename(tx.organizationId, before.id, name, time))
    audit(tx, caller, {
      time,
      action: 'user.update',
      subject: { type: 'user', id: before.id, title: name },
      changes,
    })
    return { ...before, name, version: before.version + 1, updatedAt: time }
  },
})

const rename = statement(`
  update members set name = $3, version = version + 1, updated_at = $4
   where organization_id = $1 and user_id = $2`)
