import type { Values } from '../../model/complaint.ts'
import type { FoundCell } from './read-file.ts'
import type { Linked } from './undone-rows.ts'

/** What keeps a row from being what it asks for. */
export interface Problem {
  /** Its place in the file, counted from 0; null where it is about the whole row. */
  readonly column: number | null
  /** What it was taken for. */
  readonly field: string | null
  readonly value: string | null
  /** What is wrong, and what would be right. */
  readonly message: string
  /** The words there that no choice, or not just one person, is called by. */
  readonly unknown?: readonly string[]
  /** Whether it is put by the one word that it is about, and not by a list of them. */
  readonly isOfOne?: true
}

/** A row as it is kept. */
export interface BulkRow {
  readonly number: number
  readonly cells: readonly FoundCell[] | null
  readonly recordId: string | null
  readonly version: number | null
  /** Of a selection, where not all of it is changed alike. */
  readonly change: Values | null
  /** Of a row that takes another back, what that has linked; and whether its record goes. */
  readonly unlinks: Linked | null
  readonly deletes: boolean
  /** Rows are carried out by turns, each once those are written that it names. */
  readonly turn: number
}

export const ROW_COLUMNS = 'number, cells, record_id as "recordId", version, change, unlinks, deletes, turn'

export const cellAt = ({ cells }: BulkRow, index: number): FoundCell => cells?.[index] ?? null
