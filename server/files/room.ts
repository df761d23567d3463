import type { Config } from '../config.ts'
import { type Query, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { takeTurn } from '../database/turns.ts'
import { Refusal } from '../refusal.ts'

/* How much room the files of an organization have together. Whoever takes some of it waits for their turn. */

/** @returns the bytes of an organization, $1. What is begun counts too: else many could begin while there is room for one. */
export const USED = `
    select coalesce((select sum(bytes) from file_contents where organization_id = $1), 0)
         + coalesce((select sum(bytes) from files where organization_id = $1 and content_id is null), 0) as bytes`

/** Nobody else takes any until the transaction is over. */
export const takeTurnOfRoom = (organizationId: string): Query => takeTurn(`files ${organizationId}`)

/** @throws {Refusal} `storage_full` where so many bytes more are too many */
export async function refuseUnlessRoom(tx: Transaction, config: Config, bytes: number): Promise<void> {
  const [used] = await tx.read<{ bytes: string }>(readUsed(tx.organizationId))
  if (Number(used!.bytes) + bytes > config.filesPerOrganization) throw storageFull(config)
}

export const storageFull = ({ filesPerOrganization }: Pick<Config, 'filesPerOrganization'>) =>
  new Refusal(
    'storage_full',
    `The files of an organization may have ${filesPerOrganization} bytes together: remove some that are not needed.`,
  )

const readUsed = statement(USED)
