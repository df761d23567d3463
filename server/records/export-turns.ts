import pLimit from 'p-limit'
import { Refusal } from '../refusal.ts'

/*
 * A page of an export is read, put into lines and handed on in one go. A crowd of them would keep everything else in
 * this process waiting, the sealer first, whose pass is many small steps. So they take turns, in the order they come.
 */
const AT_ONCE = 2
const WAITING_AT_MOST = 100

const turns = pLimit(AT_ONCE)

/** @throws {Refusal} `unavailable` where too many wait already */
export async function inExportTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.pendingCount >= WAITING_AT_MOST)
    throw new Refusal('unavailable', 'Many exports of audit logs are under way: try again in a moment.')
  return turns(work)
}
