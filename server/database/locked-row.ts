import { notFound, versionMismatch } from '../refusal.ts'
import type { Query, Row } from './connect.ts'
import type { Transaction } from './transaction.ts'

/** The version that a caller read, or several of which one has to be the present one. */
export type IfMatch = number | readonly number[]

/**
 * What a statement read under its lock, to be changed.
 * @param rows of a statement that gives, beside what it reads, the moment of the change as `write_time`: a millisecond
 *   after the last one at least, so that changes are in the order of their times
 * @param ifMatch the version that the caller read, where they sent one
 * @returns it as it stands, and the moment of the change
 * @throws {Refusal} `not_found` where there is none, `version_mismatch`
 */
export function lockedRow<Read extends object>(
  [row]: readonly Row[],
  ifMatch?: IfMatch,
): { before: Read; time: string } {
  if (!row) throw notFound()
  const { write_time: time, ...before } = row
  refuseOtherVersion(before.version, ifMatch)
  return { before: before as Read, time: time as string }
}

/**
 * A row that is read with what other tables say of it, under its lock: two statements, sent together. One alone that
 * had to wait would see its row as it is by then, and beside it what the others said before.
 * @param lock gives `write_time` alone, and locks
 * @returns rows as `lockedRow` takes them
 */
export async function lockAndRead(tx: Transaction, lock: Query, read: Query): Promise<Row[]> {
  const [[locked], [row]] = await Promise.all([tx.read(lock), tx.read(read)])
  return locked && row ? [{ ...row, ...locked }] : []
}

/** @throws {Refusal} `version_mismatch` where a caller read another version than the one that stands */
export function refuseOtherVersion(version: unknown, ifMatch: unknown): void {
  if (ifMatch === undefined || ([ifMatch].flat() as unknown[]).includes(version)) return
  throw versionMismatch(version as number)
}
