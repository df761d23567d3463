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
    const revisionSha256 = hashOf(contentOf(before))
    const set = {
      status: 'in_review',
      currentRevision: number,
      revisionSha256,
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
        revisionSha256,
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

/**
 * The users who wrote any of a text that is there: who began it or changed it since it was last empty. A text is seldom
 * written anew wholly where it is only changed, and whose each word is nobody can tell.
 */
const writersOf = (field: 'url' | 'text'): string => `
  select a.actor ->> 'actingUserId' from audit_entries a
    join evidence e on e.organization_id = a.organization_id and e.id = a.subject_id
   where a.organization_id = $1 and a.subject_id = $2 and a.outcome = 'success' and e.${field} is not null
     and (a.action = 'evidence.create' or a.changes -> '${field}' is not null)
     and not exists (select from audit_entries c
       where c.organization_id = $1 and c.subject_id = $2 and c.outcome = 'success' and c.changes -> '${field}' is not null
         and ((c.time, c.id) >= (a.time, a.id) and c.changes -> '${field}' ->> 'to' is null
           or (c.time, c.id) > (a.time, a.id) and c.changes -> '${field}' ->> 'from' is null))`

/** The users who sent a file that is there, or put it there. */
const FILED_BY = `
  select unnest(array[f.created_by_user_id, a.actor ->> 'actingUserId'])
    from evidence e
    cross join jsonb_to_recordset(e.files) as there (id text)
    left join files f on f.organization_id = e.organization_id and f.id = there.id
    left join audit_entries a on a.organization_id = e.organization_id and a.subject_id = e.id and a.outcome = 'success'
     and (a.changes -> 'files' -> 'to')::jsonb @> jsonb_build_array(jsonb_build_object('id', there.id))
     and not coalesce((a.changes -> 'files' -> 'from')::jsonb, '[]') @> jsonb_build_array(jsonb_build_object('id', there.id))
   where e.organization_id = $1 and e.id = $2`

/** The users who own it, are asked for it or wrote any of what it says, whenever that was and whoever wrote more of it since. */
const whoseOwn = statement(`
  select array(select own.user_id from (
    select ${userOf('owner')} from evidence e where e.organization_id = $1 and e.id = $2
    union
    select ${userOf('requested_from')} from evidence e where e.organization_id = $1 and e.id = $2
    union${writersOf('url')}
    union${writersOf('text')}
    union${FILED_BY}) as own (user_id) where own.user_id is not null) as users`)
