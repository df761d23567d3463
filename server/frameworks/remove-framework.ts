import { z } from 'zod'
import type { Child } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { leastRole } from '../../model/needs.ts'
import { statement } from '../database/connect.ts'
import { jobKind, type Piece } from '../jobs/job-kind.ts'
import { findJob, job } from '../jobs/job-record.ts'
import { startJob } from '../jobs/start-job.ts'
import { operation } from '../operation.ts'
import { deleteRecord, deleteUnder, refuseUnlessDeletable } from '../records/removal.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER } from '../records/schemas.ts'
import { getRecord, lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { Refusal } from '../refusal.ts'

/*
 * A framework asks for up to 20,000 things, each a record that is told of, and a deletion takes a thousand of them with
 * it at once. A larger one goes piece by piece: what is deepest first, so that nothing stands beneath what is gone, and
 * the framework itself with the rest.
 */

const framework = kinds.framework as unknown as Kind
const requirement = kinds.requirement as unknown as Child
const needs = leastRole('admin')
const REMOVABLE = ['available', 'retired']
/** So many requirements are held at a time. */
const TOGETHER = 100

const Input = z.strictObject({ id: z.string() })

/** How many requirements are gone. */
interface Place {
  readonly done: number
}

export const removeFrameworkInPieces = jobKind<typeof Input, Place>({
  name: 'removeFramework',
  title: 'Delete a framework',
  isTold: true,
  input: Input,
  needs,
  perOrganization: 1,
  keptDays: 30,
  run: async ({ input: { id }, step }) => {
    while (await step((piece) => removeSome(piece, id)));
    return undefined
  },
})

/** @returns null once the framework is gone */
async function removeSome(piece: Piece<Place>, id: string): Promise<Place | null> {
  const { tx, place } = piece
  refuseInUse(await getRecord(piece, framework, id))
  const deepest = await tx.read<{ id: string; left: number }>(findDeepest(tx.organizationId, id, TOGETHER))
  const done = (place?.done ?? 0) + deepest.length
  piece.progress(done, done + (deepest[0]?.left ?? 0) - deepest.length)
  if (deepest.length < TOGETHER) {
    await deleteRecord(piece, framework, id)
    return null
  }
  await deleteUnder(
    piece,
    framework,
    id,
    deepest.map((one) => ({ kind: requirement, id: one.id })),
  )
  return { done }
}

export const removeFramework = operation({
  name: 'removeFramework',
  method: 'POST',
  path: '/v1/frameworks/{id}/remove',
  needs,
  writes: true,
  on: {
    kind: 'framework',
    when: { status: ['available', 'retired'] },
    button: 'Delete with its requirements',
  },
  title: 'Delete a framework with all that it asks',
  description:
    'A job deletes its requirements, however many there are, with their answers and links, and then the framework. It cannot be undone; what was begun goes on until it is done. One with an approved statement of applicability stays.',
  input: z.strictObject({ id: ID, ifMatch: IF_MATCH }),
  output: job,
  headers: IF_MATCH_HEADER,
  refusals: ['version_mismatch', 'conflict', 'referenced'],
  run: async (context, { id, ifMatch }) => {
    const { before } = await lockRecord(context, tableOf(framework), id, ifMatch)
    refuseInUse(before)
    await refuseUnlessDeletable(context, framework, id)
    return (await findJob(context, await startJob(context, removeFrameworkInPieces, { id }))) as never
  },
})

/** @throws {Refusal} `conflict` */
function refuseInUse({ status }: Readonly<Record<string, unknown>>): void {
  if (!REMOVABLE.includes(String(status)))
    throw new Refusal('conflict', 'It is followed: retire it first, and then delete it.')
}

const findDeepest = statement(`
  select id, count(*) over ()::int as left from requirements
   where organization_id = $1 and framework_id = $2
   order by coalesce(depth, 0) desc, id limit $3::int`)
