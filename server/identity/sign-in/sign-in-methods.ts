import { z } from 'zod'
import { refuseVouchedFor } from '../../caller/identity-requirements.ts'
import { statement } from '../../database/connect.ts'
import { operation, own, type Parts, settingUp } from '../../operation.ts'
import { listPasskeys, passkey } from '../passkeys/passkey-record.ts'

/** How a person gets in, for themselves to see; of secrets it has nothing. */
export const getSignInMethods = operation({
  name: 'getSignInMethods',
  method: 'GET',
  path: '/v1/account/sign-in-methods',
  needs: settingUp(own()),
  writes: 'own',
  title: 'Read how you sign in',
  input: z.strictObject({}),
  output: z
    .object({
      password: z.boolean(),
      totp: z.object({ confirmedAt: z.string() }).nullable().describe('The authenticator app'),
      recoveryCodesLeft: z.int(),
      passkeys: z.array(passkey),
    })
    .meta({ id: 'SignInMethods' }),
  refusals: ['identity_unconfirmed'],
  run: async ({ caller, parts }) => {
    refuseVouchedFor(caller)
    const { rows } = await parts.database.gate.query<MethodsRow>(read(caller.accountId, parts.keyring.ids))
    const row = rows[0]
    return {
      password: row?.password ?? false,
      totp: row?.confirmedAt ? { confirmedAt: row.confirmedAt } : null,
      recoveryCodesLeft: row?.recoveryCodesLeft ?? 0,
      passkeys: await listPasskeys(parts, caller.accountId),
    }
  },
})

export const SECOND_FACTORS = ['totp', 'recovery_code', 'passkey'] as const

/** What somebody can prove after their password; empty where nothing is asked. */
export async function secondFactorsOf(
  parts: Parts,
  userId: string,
): Promise<(typeof SECOND_FACTORS)[number][]> {
  const { rows } = await parts.database.gate.query<MethodsRow>(read(userId, parts.keyring.ids))
  const row = rows[0]
  if (!row?.hasSecondFactor) return []
  const has = {
    totp: row.confirmedAt !== null,
    recovery_code: row.recoveryCodesLeft > 0,
    passkey: row.passkeys > 0,
  }
  return SECOND_FACTORS.filter((factor) => has[factor])
}

interface MethodsRow {
  password: boolean
  hasSecondFactor: boolean
  confirmedAt: string | null
  recoveryCodesLeft: number
  passkeys: number
}

/** Recovery codes that were hashed with a key that is gone open nothing any more. */
const read = statement(`
  select u.password_hash is not null as password, u.has_second_factor as "hasSecondFactor",
         (select t.confirmed_at from totp_secrets t
           where t.user_id = u.id and t.confirmed_at is not null) as "confirmedAt",
         (select count(*) from recovery_codes r
           where r.user_id = u.id and (r.hashed_with is null or r.hashed_with = any($2))) as "recoveryCodesLeft",
         (select count(*) from passkeys p where p.user_id = u.id) as passkeys
    from users u where u.id = $1`)
