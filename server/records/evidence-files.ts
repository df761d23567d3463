import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { type Row, statement } from '../database/connect.ts'
import { operation, person, scope, type TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { invalid, notFound } from '../refusal.ts'
import { changeRecord } from './change-record.ts'
import { contentOf, type EvidenceFile, evidence, filesOf } from './evidence-acts.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { assertThere, lockRecord } from './stored-record.ts'
import { tableOf } from './table.ts'
import { refuseOtherHash } from './whole-text.ts'

/*
 * Which files evidence has. Its record says them with their hashes, so that its history and the entry of its deletion
 * tell them; a row for each holds the file as long as the evidence, or a revision of it, has it.
 */

const FILES_AT_MOST = 100
const PATH = '/v1/evidence/{id}/files'
const evidenceId = ID.meta({ refersTo: 'evd' })
const fileId = idOf('fil').meta({ title: 'File' })

export const addEvidenceFiles = operation({
  name: 'addEvidenceFiles',
  method: 'POST',
  path: PATH,
  needs: person('write:evidence'),
  writes: true,
  title: 'Add files to evidence',
  description: 'Files that you have finished, or that evidence here has already.',
  input: z.strictObject({
    id: evidenceId,
    ifMatch: IF_MATCH,
    fileIds: z.array(fileId).min(1).max(FILES_AT_MOST).meta({ title: 'Files' }),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(evidence),
  refusals: ['version_mismatch'],
  run: async (context, { id, ifMatch, fileIds }) => {
    const { tx } = context
    const { before } = await lockRecord(context, tableOf(evidence), id, ifMatch)
    const there = filesOf(before)
    const wanted = [...new Set(fileIds)].filter((one) => !there.some((file) => file.id === one))
    const files = [...there, ...(await usable(context, wanted))]
    if (files.length > FILES_AT_MOST)
      throw invalid({ path: 'fileIds', message: `makes more than ${FILES_AT_MOST} files: leave some out` })
    if (wanted.length > 0) tx.write(point(tx.organizationId, id, wanted))
    return (await changeRecord(context, evidence, id, { set: { files } })) as never
  },
})

export const removeEvidenceFile = operation({
  name: 'removeEvidenceFile',
  method: 'DELETE',
  path: `${PATH}/{fileId}`,
  needs: person('write:evidence'),
  writes: true,
  title: 'Take a file away from evidence',
  description: 'Revisions that have it keep it.',
  input: z.strictObject({ id: evidenceId, fileId, ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(evidence),
  refusals: ['version_mismatch'],
  run: async (context, { id, fileId, ifMatch }) => {
    const { tx } = context
    const { before } = await lockRecord(context, tableOf(evidence), id, ifMatch)
    const files = filesOf(before).filter((file) => file.id !== fileId)
    if (files.length === filesOf(before).length) throw notFound()
    tx.write(letGo(tx.organizationId, id, fileId))
    return (await changeRecord(context, evidence, id, { set: { files } })) as never
  },
})

export const listEvidenceRevisions = operation({
  name: 'listEvidenceRevisions',
  method: 'GET',
  path: '/v1/evidence/{id}/revisions',
  needs: scope('read:evidence'),
  writes: false,
  title: 'List the revisions of evidence',
  description: 'What was sent to its reviewer, as it was then, the latest first.',
  input: z.strictObject({ id: evidenceId }),
  output: z
    .object({
      data: z.array(
        z
          .object({
            id: z.string(),
            number: z.int(),
            sha256: z.string().describe('Of the hashes of its files and of what is written'),
            url: z.string().nullable(),
            text: z.string().nullable(),
            files: z.array(
              z.object({
                id: z.string(),
                name: z.string(),
                bytes: z.int(),
                type: z.string(),
                sha256: z.string(),
                uploadedAt: timestamp,
              }),
            ),
            submittedAt: timestamp,
            submittedBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
            decision: z
              .object({
                outcome: z.enum(['approved', 'rejected']),
                reason: z.string().nullable(),
                decidedAt: timestamp,
                decidedBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
              })
              .nullable()
              .describe('What became of it; none where nobody has decided'),
          })
          .meta({ id: 'EvidenceRevision', title: 'Revision' }),
      ),
    })
    .meta({ id: 'EvidenceRevisionList' }),
  refusals: ['conflict'],
  run: async (context, { id }) => {
    const { tx } = context
    const [rows] = await Promise.all([
      tx.read<Row>(readRevisions(tx.organizationId, id)),
      assertThere(context, evidence, id),
    ])
    for (const row of rows) refuseOtherHash(contentOf(row), row.sha256, `Revision ${row.number}`)
    const data = rows.map(({ outcome, reason, decidedAt, decidedBy, ...revision }) => ({
      ...revision,
      decision: outcome === null ? null : { outcome, reason, decidedAt, decidedBy },
    }))
    return { data: data as never }
  },
})

/** @throws {Refusal} `validation_failed` for those that are not there, not finished, or infected */
async function usable({ tx, caller }: TransactionContext, ids: readonly string[]): Promise<EvidenceFile[]> {
  if (ids.length === 0) return []
  const rows = await tx.read<Row>(readFiles(tx.organizationId, ids, caller.userId))
  const found = new Map(rows.map((row) => [row.id as string, row]))
  return ids.map((id) => {
    const row = found.get(id)
    const path = 'fileIds'
    if (!row) throw invalid({ path, message: `${id} is no file that you have finished: send it first` })
    if (row.scan === 'infected')
      throw invalid({ path, message: `${row.name} is infected: send one that is not` })
    const { scan: _, ...file } = row
    return { ...file, bytes: Number(row.bytes) } as EvidenceFile
  })
}

/** Held until the transaction ends, so that no sweep takes them meanwhile. */
const readFiles = statement(`
  select f.id, f.name, f.bytes, f.type, f.sha256, f.finished_at as "uploadedAt", c.scan
    from files f join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = any($2)
     and (f.created_by_user_id = $3 or exists (
       select from evidence_files e where e.organization_id = f.organization_id and e.file_id = f.id))
     for key share of f`)

const point = statement(`
  insert into evidence_files (organization_id, evidence_id, file_id)
  select $1, $2, unnest($3::text[]) on conflict do nothing`)

const letGo = statement(`
  delete from evidence_files e
   where e.organization_id = $1 and e.evidence_id = $2 and e.file_id = $3
     and not exists (select from evidence_revisions v
       where v.organization_id = $1 and v.evidence_id = $2 and v.files @> jsonb_build_array(jsonb_build_object('id', $3::text)))`)

const readRevisions = statement(`
  select r.id, r.number, r.sha256, r.url, r.text, r.files, r.submitted_at as "submittedAt",
         r.submitted_by as "submittedBy", d.outcome, d.reason, d.decided_at as "decidedAt", d.decided_by as "decidedBy"
    from evidence_revisions r
    left join evidence_decisions d
      on d.organization_id = r.organization_id and d.evidence_id = r.evidence_id and d.number = r.number
   where r.organization_id = $1 and r.evidence_id = $2 order by r.number desc`)
