import type { RiskMatrix } from '../../model/risk-matrix.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/** The risk matrix that holds in an organization, as it was written; null where it has said nothing of its own. */
export async function readCurrentMatrix(
  tx: Transaction,
): Promise<(RiskMatrix & { readonly version: number }) | null> {
  const [row = null] = await tx.read<RiskMatrix & { version: number }>(read(tx.organizationId))
  return row
}

const read = statement(`
  select version, cells, appetite, likelihoods, impacts, levels from risk_matrices
   where organization_id = $1 order by version desc limit 1`)
