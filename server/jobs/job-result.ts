import { type ByteRange, Streamed } from '../bytes.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { findJob, readNeeds } from './job-record.ts'

/*
 * The file that is the result of a job, as its pieces wrote it: it is read a part at a time, each in a transaction of its
 * own, so that who takes it slowly holds nothing of the database.
 */

interface Part {
  readonly section: number
  readonly number: number
  readonly length: number
}

/** @throws {Refusal} what the job takes and the caller lacks; `conflict` where there is no file, or not yet */
export async function resultOf(context: TransactionContext, id: string): Promise<Streamed> {
  const { caller, parts, tx } = context
  const { result } = await findJob(context, id)
  for (const needs of await readNeeds(context, id)) refuseUnlessAllowed(needs, caller, {})
  if (!result) throw new Refusal('conflict', 'The job has no file as its result, or not yet: read the job.')
  const all = await tx.read<Part>(listParts(tx.organizationId, id))
  const { organizationId } = tx
  return new Streamed({
    ...result,
    open: async function* (range) {
      for (const { part, from, to } of within(all, range)) {
        const [row] = await transaction(parts.database.tenant, organizationId, (one) =>
          one.read<{ bytes: Buffer }>(readPart(organizationId, id, part.section, part.number)),
        )
        if (!row) throw new Error(`the result of job ${id} went while it was read`)
        yield row.bytes.subarray(from, to)
      }
    },
  })
}

/** The parts that a range lies in, and what of each. */
function* within(parts: readonly Part[], range: ByteRange | undefined) {
  let at = 0
  for (const part of parts) {
    const from = Math.max(0, (range?.from ?? 0) - at)
    const to = Math.min(part.length, (range?.to ?? Number.POSITIVE_INFINITY) + 1 - at)
    if (from < to) yield { part, from, to }
    at += part.length
  }
}

const listParts = statement(`
  select section, number, octet_length(bytes) as length from job_result_parts
   where organization_id = $1 and job_id = $2 order by section, number`)

const readPart = statement(`
  select bytes from job_result_parts
   where organization_id = $1 and job_id = $2 and section = $3::int and number = $4::int`)
