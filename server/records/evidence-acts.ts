import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'

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

/** What a review sets: who, and when. */
export const reviewed = (caller: Caller, status: 'approved' | 'rejected') => (time: string) => ({
  status,
  reviewedBy: actorOf(caller),
  reviewedAt: time,
})

/**
 * @throws {Refusal} `other_person_required` where whoever finds it right or not is its owner, by their entry in the
 *   directory as well
 */
export async function refuseOwn({ tx, caller }: TransactionContext, { owner }: Values): Promise<void> {
  const { type, refId } = (owner ?? {}) as { type?: string; refId?: string }
  const [same] =
    type === 'personnel' ? await tx.read<{ userId: string | null }>(sameHuman(tx.organizationId, refId)) : []
  if ((same ? same.userId : refId) === caller.userId)
    throw new Refusal('other_person_required', 'You are its owner: let somebody else find it right or not.')
}

const sameHuman = statement(
  'select user_id as "userId" from personnel where organization_id = $1 and id = $2',
)
