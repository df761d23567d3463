import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import type { FoundCell } from './read-file.ts'

/*
 * A file that says when its records were last changed was taken out then: what has changed since is not written over.
 * Spreadsheets keep such a time to the second, or as they show it, so it is taken to be as exact as it is written.
 */

/**
 * @param cell that is not empty, and says when the record was last changed
 * @returns why the record is not changed by its row; null where it may be
 */
export function staleWords(kind: Kind, before: Values, cell: FoundCell, title: string): string | null {
  const cure = `or leave the column ${title} out`
  const latest = latestOf(cell)
  if (latest === null)
    return `is no time as an export writes it, such as 2026-05-17T10:00:00Z: export again, ${cure}`
  const at = String(before.updatedAt)
  if (Date.parse(at) <= latest) return null
  return `${before.reference} was changed since, at ${at.slice(0, 19)}Z: export the ${kind.noun.many} again and make your changes there, ${cure} to write over what others have changed`
}

/** The last moment that a time can mean, in milliseconds. */
function latestOf(cell: FoundCell): number | null {
  const isDate = typeof cell === 'object' && cell !== null && 'date' in cell
  const text = isDate ? cell.date : typeof cell === 'object' && cell && 'json' in cell ? cell.json : cell
  const [, day, minute, second, fraction, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{3})?(Z|[+-]\d\d:\d\d)?)?$/.exec(String(text).trim()) ??
    []
  if (!day) return null
  const from = Date.parse(`${day}T${minute ?? '00:00'}${second ?? ':00'}${fraction ?? '.000'}${zone ?? 'Z'}`)
  if (Number.isNaN(from)) return null
  if (!minute) return from + 86_399_999
  if (!second) return from + 59_999
  return isDate || !fraction ? from + 999 : from
}
