import { csvHead, csvRow } from '../../model/csv.ts'
import { ENTRY_FIELDS } from '../../server/journal/seal.ts'
import { EntryLine } from './lines.ts'

const SEAL_FIELDS = ['seq', 'sealedAt', 'prevHash', 'hash'] as const

/**
 * Entries and their seals as CSV, for people and spreadsheets; it cannot be verified. Checkpoints are left out.
 * @param lines of an export
 */
export function csvOf(lines: readonly string[], isFirst: boolean): string {
  const rows = lines.flatMap((line) => {
    const { success, data } = EntryLine.safeParse(JSON.parse(line))
    if (!success) return []
    const { entry, entryHash, seal } = data
    const values = ENTRY_FIELDS.map((name) => (name === 'id' ? (entry?.id ?? seal?.entryId) : entry?.[name]))
    return csvRow([...SEAL_FIELDS.map((name) => seal?.[name]), ...values, entryHash])
  })
  return [isFirst ? csvHead([...SEAL_FIELDS, ...ENTRY_FIELDS, 'entryHash']) : '', ...rows].join('')
}
