import { sql } from 'kysely'
import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { streamed } from '../bytes.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { audit } from '../journal/audit.ts'
import { operation, ownOf, scope } from '../operation.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { Refusal } from '../refusal.ts'
import { COLUMNS, findJob, type JobRow, job, jobDetail, jobOf, STATES, seenBy } from './job-record.ts'
import { resultOf } from './job-result.ts'
import { resumeJob } from './resume.ts'
import { cancelJob as cancel, endCancelled, queueForJob } from './statements.ts'

const PATH = '/v1/jobs'
const id = idOf('job').describe('The id of a job, as the call that started it answered')
const ORDER: Order = {
  sort: '-createdAt',
  column: sql.ref('created_at'),
  id: sql.ref('id'),
  descending: true,
}

const listJobs = operation({
  name: 'listJobs',
  method: 'GET',
  path: PATH,
  needs: ownOf(scope()),
  writes: false,
  title: 'List jobs',
  description:
    'Work that takes longer than a call: what you started, the latest first; in a session of an admin, all of the organization.',
  input: z.strictObject({
    ...PAGE,
    state: z.array(z.enum(STATES)).min(1).optional().describe('How far they have come'),
    standalone: z
      .boolean()
      .optional()
      .meta({ title: 'Standalone' })
      .describe(
        'true: only those that work on nothing that is listed by itself, as listBulkChanges lists changes of many records; false: only the others',
      ),
  }),
  output: pageOf(job),
  rowFields: ['id', 'title', 'state', 'done', 'total', 'createdAt'],
  run: async ({ tx, caller, parts }, { limit, cursor, state, standalone }) => {
    const place = readCursor(cursor, ORDER.sort)
    const listedElsewhere = [...parts.jobs.kinds.values()].flatMap(({ name, worksOn }) =>
      worksOn ? [name] : [],
    )
    const conditions = [
      sql`organization_id = ${tx.organizationId}`,
      seenBy(caller),
      ...(state ? [sql`state = any(${state})`] : []),
      ...(standalone === undefined ? [] : [sql`(kind <> all(${listedElsewhere})) = ${standalone}`]),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read<JobRow>(
      build(
        sql`select ${sql.raw(COLUMNS)} from jobs where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`,
      ),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => jobOf(parts, caller, row),
      ({ createdAt, id }) => ({ value: createdAt, id }),
    )
  },
})

const getJob = operation({
  name: 'getJob',
  method: 'GET',
  path: `${PATH}/{id}`,
  needs: ownOf(scope()),
  writes: false,
  title: 'Read one job',
  description:
    'How far it has come, and what could not be done. Ask again every few seconds until it has ended.',
  input: z.strictObject({ id }),
  output: jobDetail,
  run: (context, input) => findJob(context, input.id),
})

const getJobResult = operation({
  name: 'getJobResult',
  method: 'GET',
  path: `${PATH}/{id}/result`,
  needs: ownOf(scope()),
  writes: false,
  title: 'Read the file that is the result of a job',
  description: 'It takes the rights that the job takes. Exports are for whoever started them.',
  answers: 'stream',
  input: z.strictObject({ id }),
  output: streamed,
  refusals: ['conflict'],
  run: (context, input) => resultOf(context, input.id),
})

const cancelJob = operation({
  name: 'cancelJob',
  method: 'POST',
  path: `${PATH}/{id}/cancel`,
  needs: ownOf(scope()),
  writes: true,
  title: 'Cancel a job',
  description:
    'It ends before its next piece, and what was done until then stays. Whoever started it may, and admins.',
  input: z.strictObject({ id }),
  output: jobDetail,
  refusals: ['conflict'],
  annotations: { destructive: true, idempotent: true },
  run: async (context, input) => {
    const { tx, caller } = context
    const { id } = input
    tx.write(queueForJob(tx.organizationId, id))
    const [found, [locked], time] = await Promise.all([
      findJob(context, id),
      tx.read<{ isOver: boolean; isAsked: boolean }>(lock(tx.organizationId, id)),
      tx.now,
    ])
    if (locked!.isOver) throw new Refusal('conflict', 'The job is over already: there is nothing to cancel.')
    if (!locked!.isAsked) {
      tx.write(cancel(id))
      tx.write(endCancelled(id))
      audit(tx, caller, { time, action: 'job.cancel', subject: { type: 'job', id, title: found.title } })
    }
    return await findJob(context, id)
  },
})

export const jobOperations = { listJobs, getJob, getJobResult, cancelJob, resumeJob } as const

const lock = statement(`
  select ended_at is not null as "isOver", cancel_asked_at is not null as "isAsked" from jobs
   where organization_id = $1 and id = $2 for no key update`)
