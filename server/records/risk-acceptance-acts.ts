import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { IfMatch } from '../database/locked-row.ts'
import type { TransactionContext } from '../operation.ts'
import { changeRecord } from './change-record.ts'
import { endStanding } from './lapse.ts'
import { getRecord, lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

/*
 * An acceptance and its risk change together, in one transaction with an entry for each. The risk says by what it is
 * accepted, in its own row, so that every change of its rating ends that where it is made (risk-rules.ts); the
 * acceptance that a risk does not name any more is over (`under.stands`).
 *
 * Whoever changes both locks the risk first and then the acceptance, as a deletion of the risk does.
 */

export const risk = kinds.risk as unknown as Kind
export const riskAcceptance = kinds.risk_acceptance as unknown as Kind

export interface Both {
  readonly risk: Values
  readonly acceptance: Values
  /** The moment at which the acceptance was locked. */
  readonly time: string
}

/**
 * An acceptance and its risk, locked.
 * @throws {Refusal} `not_found`, `version_mismatch`, and what the operation that acts on it is refused for
 */
export async function lockBoth(context: TransactionContext, id: string, ifMatch?: IfMatch): Promise<Both> {
  const { riskId } = await getRecord(context, riskAcceptance, id)
  const above = await lockRecord(context, tableOf(risk), riskId as string)
  const { before: acceptance, time } = await lockRecord(context, tableOf(riskAcceptance), id, ifMatch)
  return { risk: above.before, acceptance, time }
}

/**
 * Ends an acceptance that is requested or approved, as `set` says by the moment of the write; a risk that is accepted by it is
 * so no longer.
 */
export async function endAcceptance(
  context: TransactionContext,
  both: Both,
  set: (time: string) => { readonly status: 'rejected' | 'revoked' | 'expired' } & Values,
): Promise<Values> {
  const after = await changeRecord(context, riskAcceptance, both.acceptance.id as string, { set })
  await endStanding(context, riskAcceptance, after.id as string, both.risk)
  return after
}
