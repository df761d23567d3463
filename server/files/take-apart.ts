import { z } from 'zod'
import { sendingFiles } from '../../model/needs.ts'
import { statement } from '../database/connect.ts'
import { takeTurn } from '../database/turns.ts'
import { findJob, jobDetail } from '../jobs/job-record.ts'
import { goOnWith } from '../jobs/resume.ts'
import { startJob } from '../jobs/start-job.ts'
import { operation } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { readOwnFile } from './file-record.ts'
import { fileRefused } from './file-type.ts'
import { takeArchiveApart } from './take-archive-apart.ts'

/** Asked again, it answers the job that is there, and lets it go on where it ended early: so each file is taken once. */
export const takeApart = operation({
  name: 'takeArchiveApart',
  method: 'POST',
  path: '/v1/files/{id}/take-apart',
  needs: sendingFiles('write:evidence'),
  writes: true,
  title: 'Unpack an archive',
  description:
    'Each file in a ZIP archive becomes a draft of evidence, once: one that ended early goes on where it did. Answers the job that does it; its errors tell what was left out.',
  input: z.strictObject({
    id: z.string().meta({ title: 'Id', refersTo: 'fil' }).describe('Of the archive, once it is finished'),
  }),
  output: jobDetail,
  refusals: ['file_not_ready', 'file_refused', 'conflict'],
  annotations: { idempotent: true },
  run: async (context, { id }) => {
    const { tx } = context
    const { status, type, name } = await readOwnFile(context, id)
    if (status === 'uploading') throw new Refusal('file_not_ready', 'The file has not been finished yet.')
    if (status === 'infected') throw fileRefused('The virus scanner found something in this file.')
    if (type !== 'application/zip') throw fileRefused('The file is no ZIP archive: send one, packed as .zip.')
    await tx.read(takeTurn(`take apart ${tx.organizationId} ${id}`))
    const [begun] = await tx.read<Begun>(findBegun(tx.organizationId, takeArchiveApart.name, id))
    if (begun?.endedEarly) return goOnWith(context, begun.id)
    return findJob(context, begun?.id ?? (await startJob(context, takeArchiveApart, { fileId: id, name })))
  },
})

interface Begun {
  readonly id: string
  readonly endedEarly: boolean
}

const findBegun = statement(`
  select id, state in ('failed', 'cancelled') as "endedEarly" from jobs
   where organization_id = $1 and kind = $2 and input->>'fileId' = $3
   order by created_at limit 1`)
