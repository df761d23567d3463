import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import type { Transaction } from '../../database/transaction.ts'
import { oneself, operation, type Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'
import { endFactorChange, lockFactors } from '../factor-changes.ts'

/**
 * Codes for the day when the second factor is lost: ten, each good for one sign-in. They are shown once and
 * kept as keyed hashes, so that neither we nor a stolen table can show them again.
 */
const COUNT = 10

export const NEW_CODES = z
  .object({ recoveryCodes: z.array(z.string()).nullable() })
  .meta({ id: 'NewRecoveryCodes' })

/** A code as somebody types it. */
export const recoveryCode = z.string().min(12).max(30).meta({ title: 'Recovery code' })

export const createRecoveryCodes = operation({
  name: 'createRecoveryCodes',
  method: 'POST',
  path: '/v1/account/sign-in-methods/recovery-codes',
  needs: oneself(),
  writes: true,
  title: 'Make new recovery codes',
  description: 'They stand in this answer and nowhere else; earlier ones are worth nothing.',
  input: z.strictObject({}),
  output: NEW_CODES,
  refusals: ['conflict'],
  secret: 'recoveryCodes',
  run: async ({ tx, caller, parts }) => {
    const before = await lockFactors(tx, caller.accountId)
    if (!before.hasSecondFactor)
      throw new Refusal(
        'conflict',
        'There is no second factor to recover from: set up an authenticator app or a passkey first.',
      )
    const recoveryCodes = replaceRecoveryCodes(parts, tx, caller.accountId)
    await endFactorChange(tx, caller, before, { action: 'user.create_recovery_codes' })
    return { recoveryCodes }
  },
})

/** Gives a person a new set in place of the one they have. */
export function replaceRecoveryCodes({ keyring }: Parts, tx: Transaction, userId: string): string[] {
  const codes = Array.from({ length: COUNT }, newCode)
  tx.writeAsGate(removeAll(userId))
  tx.writeAsGate(
    insert(
      userId,
      codes.map((code) => keyring.hash(boundTo(userId, code))),
      keyring.firstId,
    ),
  )
  return codes
}

/**
 * Uses up a recovery code; of two who send the same one at once, one.
 * @returns whether it was one of theirs
 */
export async function takeRecoveryCode(
  { keyring }: Parts,
  tx: Transaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const rows = await tx.readAsGate(take(userId, keyring.hashes(boundTo(userId, code))))
  return rows.length > 0
}

/** Without the signs that are mistaken for others (Crockford's base32): 60 bits in three groups. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'

function newCode(): string {
  const signs = Array.from(randomBytes(12), (byte) => SIGNS[byte % 32]).join('')
  return `${signs.slice(0, 4)}-${signs.slice(4, 8)}-${signs.slice(8)}`
}

/** As it was made, however it was typed. */
const plain = (code: string) =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')

const boundTo = (userId: string, code: string) => JSON.stringify(['recovery_code', userId, plain(code)])

const removeAll = statement('delete from recovery_codes where user_id = $1')

const insert = statement(
  'insert into recovery_codes (user_id, code_hash, hashed_with) select $1, code_hash, $3 from unnest($2::bytea[]) as code_hash',
)

const take = statement(
  'delete from recovery_codes where user_id = $1 and code_hash = any($2) returning user_id',
)
