import type { Kind } from '../../model/kind.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { KNOWN, NEW } from './address-rows.ts'

/*
 * By which column the rows of a kind were last matched with records, such as the work e-mail of people. The next file
 * that has such a column is matched by it as well.
 */

/** "Every row adds a record" is said of one file: the next one would add them all again. */
export function rememberIdentity(tx: Transaction, kind: Kind, identity: string): void {
  if (identity !== NEW) tx.write(keep(tx.organizationId, kind.name, identity))
}

export async function rememberedIdentity(
  tx: Transaction,
  kind: Kind,
  columns: readonly { readonly key: string | null }[],
): Promise<string> {
  const [found] = await tx.read<{ identity: string }>(read(tx.organizationId, kind.name))
  return found && columns.some(({ key }) => key === found.identity) ? found.identity : KNOWN
}

const read = statement('select identity from import_identities where organization_id = $1 and kind = $2')
const keep = statement(`
  insert into import_identities (organization_id, kind, identity) values ($1, $2, $3)
  on conflict (organization_id, kind) do update set identity = excluded.identity`)
