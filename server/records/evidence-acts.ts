import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Whom } from '../../model/whom.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { refuseOtherHash } from './whole-text.ts'

/*
 * Evidence goes to its reviewer as a revision: what it says then is kept by itself, and stays as it was
 * (submit-evidence.ts). The reviewer approves or rejects it, and nobody their own.
 */

export const evidence = kinds.evidence as unknown as Kind

/** A file as evidence has it. */
export interface EvidenceFile {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly type: string
  readonly sha256: string
  readonly uploadedAt: string
}

export const filesOf = ({ files }: Values): readonly EvidenceFile[] => (files ?? []) as EvidenceFile[]

/** What a revision is hashed of: what is written, and the bytes of each file by their hashes. */
export const contentOf = ({ url, text, files }: Values): string =>
  JSON.stringify([url, text, filesOf({ files }).map(({ sha256 }) => sha256)])

/** Who ends a review. */
export const REVIEWED_BY: Whom = {
  named: ['reviewer'],
  orAdmin: true,
  except: ['owner', 'requestedFrom'],
}

/** What a review sets: who, and when. */
export const reviewed = (caller: Caller, status: 'approved' | 'rejected') => (time: string) => ({
  status,
  reviewedBy: actorOf(caller),
  reviewedAt: time,
})

/** Keeps what became of the revision that a reviewer had before them. */
export function keepDecision({ tx, caller }: TransactionContext, after: Values, reason: string | null): void {
  tx.write(
    decide(
      tx.organizationId,
      after.id,
      after.currentRevision,
      after.status,
      reason,
      after.reviewedAt,
      JSON.stringify(actorOf(caller)),
    ),
  )
}

const decide = statement(`
  insert into evidence_decisions (organization_id, evidence_id, number, outcome, reason, decided_at, decided_by)
  select $1, $2, $3::integer, $4, $5, $6::timestamptz, $7 where exists (
    select from evidence_revisions r where r.organization_id = $1 and r.evidence_id = $2 and r.number = $3::integer)
  on conflict do nothing`)

/**
 * @throws {Refusal} `other_person_required` where whoever finds it right or not is its owner, was asked for it or has sent
 *   it, also by their entry in the directory or by a program of theirs; and where the same content was theirs before, as
 *   they wrote, sent or owned it or were asked for it then
 */
export async function refuseOwn({ tx, caller }: TransactionContext, { id }: Values): Promise<void> {
  const [own] = await tx.read<Record<keyof typeof THEIRS, boolean>>(
    whose(tx.organizationId, id, caller.userId),
  )
  for (const [role, told] of Object.entries(THEIRS))
    if (own?.[role as keyof typeof THEIRS])
      throw new Refusal('other_person_required', `You ${told}: let somebody else find it right or not.`)
}

const THEIRS = {
  owner: 'are its owner',
  asked: 'were asked for it',
  sender: 'sent it',
  before: 'wrote what it says, or it was yours when the same was sent before',
} as const

/** SQL of the user whom a field of evidence `e` names, also by their entry in the directory. */
export const userOf = (field: string): string =>
  `coalesce(e.${field}_user_id, (select p.user_id from personnel p
     where p.organization_id = e.organization_id and p.id = e.${field}_personnel_id))`

const whose = statement(`
  select ${userOf('owner')} = $3 as owner, ${userOf('requested_from')} = $3 as asked, same.sender, same.before
    from evidence e, lateral (
      select bool_or(r.submitted_by_user = $3) as sender, bool_or($3 = any(r.own_to_users)) as before
        from evidence_revisions r
        join evidence_revisions c on c.organization_id = r.organization_id and c.evidence_id = r.evidence_id
         and c.number = e.current_revision and c.sha256 = r.sha256
       where r.organization_id = e.organization_id and r.evidence_id = e.id) same
   where e.organization_id = $1 and e.id = $2`)

/** @throws {Refusal} `conflict`, where what it says is not what was sent: somebody changed it past the service */
export async function refuseOtherContent({ tx }: TransactionContext, record: Values): Promise<void> {
  const [sent] = await tx.read<{ sha256: string }>(
    findSent(tx.organizationId, record.id, record.currentRevision),
  )
  if (sent) refuseOtherHash(contentOf(record), sent.sha256, 'What it says')
}

const findSent = statement(
  'select sha256 from evidence_revisions where organization_id = $1 and evidence_id = $2 and number = $3::int',
)
