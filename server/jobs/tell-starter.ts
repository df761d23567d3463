import type { NoticeName } from '../../model/notice-kinds.ts'
import { serviceCaller } from '../caller/service.ts'
import type { Transaction } from '../database/transaction.ts'
import { tell } from '../journal/tell.ts'
import { type AnyJobKind, type ClaimedJob, titleOf } from './job-kind.ts'

/*
 * Who waited long for a job does something else meanwhile, and is told when it is over. What took less was seen where
 * it was started; a program asks by itself.
 */

const JOBS = { id: 'jobs', displayName: 'Jobs' }

/** Whether anybody is to be told of the end of a job that took long. */
export const isToldOf = ({ isTold }: AnyJobKind, { startedBy, organizationId }: ClaimedJob): boolean =>
  isTold === true && organizationId !== null && startedBy?.credential.type === 'session'

/**
 * Writes it with the transaction in which the job ends.
 * @param errors how much of it could not be done
 */
export function tellStarter(
  tx: Transaction,
  job: AnyJobKind,
  { startedBy, input }: ClaimedJob,
  how: 'done' | 'failed',
  errors = 0,
): void {
  const kind: NoticeName = how === 'done' ? 'job_done' : 'job_failed'
  const facts = { about: titleOf(job, input), page: '/account/jobs', ...(errors > 0 && { errors }) }
  tell(tx, serviceCaller(tx.organizationId, JOBS), [{ kind, who: startedBy!.userId, facts }])
}
