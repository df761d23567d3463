import type { DescribedKind } from '../../model/described-kind.ts'
import { type AnyRecord, countAgain, keepRecord, readRecordsAgain, recordCall } from './records.ts'

/** So many references a list takes in one call. */
const NAMED_AT_MOST = 50
/** Of more, all lists are read again. */
const READ_AT_MOST = 200

/**
 * After some were changed together: a few are read again and stay where they stand, of many the lists are read again.
 * @returns those that were read
 */
export async function readThese(
  kind: DescribedKind,
  records: readonly AnyRecord[],
): Promise<readonly AnyRecord[]> {
  if (records.length > READ_AT_MOST) {
    await readRecordsAgain(kind)
    return []
  }
  const pages = []
  for (let from = 0; from < records.length; from += NAMED_AT_MOST) {
    const reference = records.slice(from, from + NAMED_AT_MOST).map((one) => one.reference)
    pages.push(recordCall(kind, 'list', { reference, limit: NAMED_AT_MOST }))
  }
  const data = (await Promise.all(pages)).flatMap((page) => page.data)
  for (const record of data) keepRecord(kind, record)
  await countAgain(kind)
  return data
}
