import type { Values } from '../../model/complaint.ts'
import type { EffectiveDate } from '../../model/effective-date.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import type { IfMatch } from '../database/locked-row.ts'
import type { TransactionContext } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { getRecord, lockRecord, readRecords } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'

/*
 * A policy and its versions.
 *
 * A policy has one version in force at most and one in the making. A version is written as a draft, submitted to the
 * approvers of the policy, approved by as many of them as it asks for, and published by a person, which puts it in
 * force in place of the one before: all in one transaction, so that there is never none and never two. Who is asked has
 * a decision of their own, which they give on the text by its hash; a change of the text voids all that were given.
 *
 *   draft ──submit──> pending_approval ──approve──> approved ──publish──> published ──next one──> superseded
 *     ^ ^                   │                          │
 *     │ └─reject, withdraw──┴──────────────────────────┘            draft ──discard──> discarded
 *     └─ so does a change of the text
 *
 * The policy follows: in_review and approved are those of its version in the making; otherwise it is published where a
 * text is in force, and a draft where none is.
 *
 * Whoever changes several of them locks the policy first, then the version, then its decisions in the order of their
 * ids, as a deletion of the policy does: two who approve, reject and edit at once take turns.
 */

export const policy = kinds.policy as unknown as Kind
export const policyVersion = kinds.policy_version as unknown as Kind
export const policyDecision = kinds.policy_decision as unknown as Kind

/** The day that it is in the organization, and that of the last publication of a policy. */
export async function daysOf(
  { tx }: TransactionContext,
  policyId: string,
): Promise<Pick<EffectiveDate, 'today' | 'lastPublishedOn'>> {
  const [row] = await tx.read<Pick<EffectiveDate, 'today' | 'lastPublishedOn'>>(
    findDays(tx.organizationId, policyId),
  )
  return row!
}

const findDays = statement(`
  select (clock_now() at time zone deadline_zone($1))::date::text as today,
         (select max(published_at at time zone deadline_zone($1))::date::text from policy_versions
           where organization_id = $1 and policy_id = $2) as "lastPublishedOn"`)

export interface Both {
  readonly policy: Values
  readonly version: Values
}

/**
 * A version and its policy, locked.
 * @throws {Refusal} `not_found`, `version_mismatch`, and what the operation that acts on it is refused for
 */
export async function lockBoth(context: TransactionContext, id: string, ifMatch?: IfMatch): Promise<Both> {
  const { policyId } = await getRecord(context, policyVersion, id)
  const above = await lockRecord(context, tableOf(policy), policyId as string)
  const { before } = await lockRecord(context, tableOf(policyVersion), id, ifMatch)
  return { policy: above.before, version: before }
}

/** What a policy is while no version of it is reviewed. */
export const restingState = ({ currentVersionId }: Values): 'published' | 'draft' =>
  currentVersionId ? 'published' : 'draft'

/** The decisions on a version that count in its present round, given or yet to be given, locked. */
export async function lockDecisions(context: TransactionContext, version: Values): Promise<Values[]> {
  const { tx } = context
  const rows = await tx.read<{ id: string }>(lockOpen(tx.organizationId, version.id, version.round))
  return readRecords(
    context,
    policyDecision,
    rows.map(({ id }) => id),
  )
}

/** Voids decisions, each with its entry. */
export async function voidDecisions(
  context: TransactionContext,
  decisions: readonly Values[],
  reason: string,
): Promise<void> {
  for (const { id } of decisions)
    await changeRecord(context, policyDecision, id as string, { set: { status: 'voided' }, reason })
}

/** What a version is once it is out of review: its text is open again, and nobody has read it as it will be. */
export const OUT_OF_REVIEW = {
  status: 'draft',
  text: null,
  contentSha256: null,
  submittedAt: null,
  submittedBy: null,
  approvedAt: null,
} as const

const lockOpen = statement(`
  select id from policy_decisions
   where organization_id = $1 and version_id = $2 and round = $3::int and status in ('pending', 'approved')
   order by id for no key update`)
