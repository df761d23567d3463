import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { SUBMITTABLE } from '../../model/kinds/evidence-rules.ts'
import { kinds } from '../../model/kinds/index.ts'
import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { operation, scope } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { evidence, filesOf } from './evidence-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'

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
    const { before } = await lockRecord(context, tableOf(evidence), id, ifMatch)
    refuseEmpty(before)
    const number = Number(before.currentRevision ?? 0) + 1
    const after = await changeRecord(context, evidence, id, {
      given: reviewer ? { reviewer } : {},
      set: {
        status: 'in_review',
        currentRevision: number,
        reviewedBy: null,
        reviewedAt: null,
        rejectionReason: null,
      },
    })
    refuseOwnReview(after, caller)
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
        digestOf({ url, text, files }),
        updatedAt,
        JSON.stringify(actorOf(caller)),
        actingUserOf(caller),
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

/** Of the bytes of each file, by their hashes, and of what is written: the same whenever it is computed. */
const digestOf = ({
  url,
  text,
  files,
}: {
  url: string | null
  text: string | null
  files: readonly { sha256: string }[]
}) =>
  createHash('sha256')
    .update(JSON.stringify([url, text, files.map(({ sha256 }) => sha256)]))
    .digest('hex')

const insert = statement(`
  insert into evidence_revisions (organization_id, id, evidence_id, number, url, text, files, sha256, submitted_at,
    submitted_by, submitted_by_user)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)
