import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { SUBMITTABLE } from '../../model/kinds/evidence-rules.ts'
import { kinds } from '../../model/kinds/index.ts'
import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { operation, scope } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { prepareChange, writeChange } from './change-record.ts'
import { contentOf, evidence, filesOf, userOf } from './evidence-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'
import { hashOf } from './whole-text.ts'

const { fields } = kinds.evidence

export const submitEvidence = operation({
  name: 'submitEvidence',
  method: 'POST',
  path: '/v1/evidence/{id}/submit',
  needs: scope('write:evidence'),
  writes: true,
  on: { kind: 'evidence', button: 'Send to review', when: { status: [...SUBMITTABLE] } },
  title: 'Send evidence to its reviewer',
  description:
    'What it says now becomes a revision, which nobody changes; the reviewer approves or rejects it.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'evd' }),
    ifMatch: IF_MATCH,
    reviewer: fields.reviewer.optional().describe('Where it has none yet, or another one is to look at it'),
  }),
  example: { id: 'evd_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  headers: IF_MATCH_HEADER,
  output: recordSchema(evidence),
  refusals: ['version_mismatch', 'conflict', 'principal_not_found', 'principal_inactive'],
  run: async (context, { id, ifMatch, reviewer }) => {
    const { tx, caller } = context
    const locked = await lockRecord(context, tableOf(evidence), id, ifMatch)
    const { before } = locked
    refuseEmpty(before)
    const [own] = await tx.read<{ users: string[] }>(whoseOwn(tx.organizationId, id))
    const number = Number(before.currentRevision ?? 0) + 1
    const given = reviewer ? { reviewer } : {}
    const set = {
      status: 'in_review',
      currentRevision: number,
      reviewedBy: null,
      reviewedAt: null,
      rejectionReason: null,
    }
    const prepared = await prepareChange(context, evidence, id, { given, set }, async () => locked)
    // Nothing is written by then: of many that are sent together, the others go on.
    refuseOwnReview(prepared.move!.record, caller)
    const after = await writeChange(context, evidence, prepared)
    const { url, text, updatedAt } = after as { url: string | null; text: string | null; updatedAt: string }
    const files = filesOf(after)
    tx.write(
      insert(
        tx.organizationId,
        newId('evr'),
        id,
        number,
        url,
        text,
        JSON.stringify(files),
        hashOf(contentOf(after)),
        updatedAt,
        JSON.stringify(actorOf(caller)),
        actingUserOf(caller),
        own!.users,
      ),
    )
    return after as never
  },
})

function refuseEmpty(record: Values): void {
  if (record.url || record.text || filesOf(record).length > 0) return
  throw new Refusal('conflict', 'There is nothing to look at: upload a file, or give a url or a text first.')
}

/** @throws {Refusal} `validation_failed`, where whoever sends it would find it right themselves */
function refuseOwnReview({ reviewer }: Values, caller: Caller): void {
  if ((reviewer as { refId: string } | null)?.refId === actingUserOf(caller))
    throw invalid({ path: 'reviewer', message: 'sends it: let somebody else find it right or not' })
}

const insert = statement(`
  insert into evidence_revisions (organization_id, id, evidence_id, number, url, text, files, sha256, submitted_at,
    submitted_by, submitted_by_user, own_to_users)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`)

const CONTENT = ['url', 'text', 'files']

const isAsBegun = (field: string): string => `e.${field} is not null and not exists (
  select from audit_entries c where c.organization_id = $1 and c.subject_id = $2 and c.changes -> '${field}' is not null)`

/**
 * The users who own it, are asked for it or wrote what it says since it was sent last: by their entries, or by that of
 * whoever began it with what no other entry changed.
 */
const whoseOwn = statement(`
  select array(
    select ${userOf('owner')} from evidence e where e.organization_id = $1 and e.id = $2
    union
    select ${userOf('requested_from')} from evidence e where e.organization_id = $1 and e.id = $2
    union
    select a.actor ->> 'actingUserId' from audit_entries a
      join evidence e on e.organization_id = a.organization_id and e.id = a.subject_id
     where a.organization_id = $1 and a.subject_id = $2 and a.outcome = 'success'
       and a.time > coalesce((select max(r.submitted_at) from evidence_revisions r
         where r.organization_id = $1 and r.evidence_id = $2), '-infinity')
       and (${CONTENT.map((field) => `a.changes -> '${field}' is not null`).join(' or ')}
         or a.action = 'evidence.create' and (${CONTENT.map(isAsBegun).join(' or ')}))) as users`)
