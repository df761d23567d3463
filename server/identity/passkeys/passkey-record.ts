import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import type { Parts } from '../../operation.ts'

/** A passkey as its person sees it. */
export const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
    backedUp: z.boolean().describe('Kept by a service that has it on several devices'),
  })
  .meta({ id: 'Passkey', title: 'Passkey' })

export type Passkey = z.output<typeof passkey>

export const PASSKEY_COLUMNS =
  'id, name, created_at as "createdAt", last_used_at as "lastUsedAt", backed_up as "backedUp"'

/** A person's passkeys, the oldest first. */
export async function listPasskeys(parts: Parts, userId: string): Promise<Passkey[]> {
  return (await parts.database.gate.query(list(userId))).rows
}

const list = statement(
  `select ${PASSKEY_COLUMNS} from passkeys where user_id = $1 order by created_at, id limit 100`,
)
