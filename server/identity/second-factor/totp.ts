import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import { newId } from '../../database/ids.ts'
import type { Transaction } from '../../database/transaction.ts'
import { nothing, oneself, operation, type Parts, settingUp } from '../../operation.ts'
import { invalid, notFound, Refusal } from '../../refusal.ts'
import { endFactorChange, lockFactors } from '../factor-changes.ts'
import { NEW_CODES, replaceRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, stepOf, totpAddress } from './totp-codes.ts'

/** A code as an authenticator app shows it; a gap between its halves does no harm. */
export const totpCode = z.string().min(6).max(10).meta({ title: 'Code of the authenticator app' })

export const beginTotp = operation({
  name: 'beginTotp',
  method: 'POST',
  path: '/v1/account/sign-in-methods/totp',
  needs: settingUp(oneself()),
  writes: true,
  title: 'Set up an authenticator app',
  description:
    'Nothing changes until a first code of the app comes back, within an hour. An app that is set up already counts until then.',
  input: z.strictObject({}),
  output: z
    .object({
      secret: z.string().nullable().describe('Base32, for an app that is typed into'),
      uri: z.string().nullable().describe('For an app that reads a picture'),
    })
    .meta({ id: 'NewTotp' }),
  secret: ['secret', 'uri'],
  run: async ({ tx, caller, parts }) => {
    const { email } = await lockFactors(tx, caller.accountId)
    const secret = newTotpSecret()
    const id = newId('totp')
    tx.writeAsGate(forgetPending(caller.accountId))
    const sealed = parts.keyring.seal(secret.bytes, 'totpSecret', [caller.accountId, id])
    tx.writeAsGate(insert(id, caller.accountId, sealed))
    return { secret: secret.base32, uri: totpAddress(secret, email) }
  },
})

export const confirmTotp = operation({
  name: 'confirmTotp',
  method: 'POST',
  path: '/v1/account/sign-in-methods/totp/confirm',
  needs: settingUp(oneself()),
  writes: true,
  title: 'Confirm an authenticator app by its first code',
  description:
    'From now on signing in with the password asks for a code too. The recovery codes stand in this answer and nowhere else; earlier ones are worth nothing.',
  input: z.strictObject({ code: totpCode }),
  output: NEW_CODES,
  refusals: ['conflict'],
  secret: 'recoveryCodes',
  run: async ({ tx, caller, parts }, { code }) => {
    const before = await lockFactors(tx, caller.accountId)
    const [pending] = await tx.readAsGate<Kept>(findPending(caller.accountId))
    if (!pending) throw new Refusal('conflict', 'No app waits for its first code: begin again.')
    const now = await tx.now
    const step = stepOf(openSecret(parts, caller.accountId, pending), code, now)
    if (step === null)
      throw invalid({
        path: 'code',
        message:
          'not the code of this moment: see whether the clock of the device is right, and take the next',
      })
    const replaced = await tx.readAsGate(removeConfirmed(caller.accountId))
    tx.writeAsGate(confirm(pending.id, now, step))
    const recoveryCodes = replaceRecoveryCodes(parts, tx, caller.accountId)
    const removes = replaced.length > 0
    await endFactorChange(tx, caller, before, { action: 'user.add_totp', removes })
    return { recoveryCodes }
  },
})

export const removeTotp = operation({
  name: 'removeTotp',
  method: 'DELETE',
  path: '/v1/account/sign-in-methods/totp',
  needs: oneself(),
  writes: true,
  title: 'Remove the authenticator app',
  description: 'Every other session of yours ends.',
  input: z.strictObject({}),
  output: nothing,
  refusals: ['not_found'],
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }) => {
    const before = await lockFactors(tx, caller.accountId)
    tx.writeAsGate(forgetPending(caller.accountId))
    const removed = await tx.readAsGate(removeConfirmed(caller.accountId))
    if (removed.length === 0) throw notFound()
    await endFactorChange(tx, caller, before, { action: 'user.remove_totp', removes: true })
    return null
  },
})

/**
 * Uses up a code of a person's app; of two who send the same code at once, one.
 * @returns whether it was right and not used before
 */
export async function takeTotpCode(
  parts: Parts,
  tx: Transaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const [kept] = await tx.readAsGate<Kept>(findConfirmed(userId))
  if (!kept) return false
  const step = stepOf(openSecret(parts, userId, kept), code, await tx.now)
  if (step === null) return false
  return (await tx.readAsGate(takeStep(kept.id, step))).length > 0
}

interface Kept {
  id: string
  sealedSecret: Buffer
}

const openSecret = ({ keyring }: Parts, userId: string, { id, sealedSecret }: Kept) =>
  keyring.open(sealedSecret, 'totpSecret', [userId, id])

const insert = statement(`
  insert into totp_secrets (id, user_id, sealed_secret, created_at) values ($1, $2, $3, clock_now())`)

const forgetPending = statement('delete from totp_secrets where user_id = $1 and confirmed_at is null')

const findPending = statement(`
  select id, sealed_secret as "sealedSecret" from totp_secrets
   where user_id = $1 and confirmed_at is null and created_at > clock_now() - interval '1 hour'`)

const findConfirmed = statement(`
  select id, sealed_secret as "sealedSecret" from totp_secrets where user_id = $1 and confirmed_at is not null`)

const removeConfirmed = statement(
  'delete from totp_secrets where user_id = $1 and confirmed_at is not null returning id',
)

const confirm = statement('update totp_secrets set confirmed_at = $2, last_step = $3 where id = $1')

const takeStep = statement(`
  update totp_secrets set last_step = $2 where id = $1 and confirmed_at is not null and last_step < $2
  returning id`)
