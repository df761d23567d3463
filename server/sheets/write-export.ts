import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import type { FilePart } from './file-form.ts'
import { csvFile, type Exported, type ExportFile, jsonFile, xlsxFile } from './files.ts'
import { readStretch } from './rows.ts'

/*
 * An export is written piece by piece: each reads a stretch of the list with all that belongs to it, and adds it to the
 * sections of the file. Where it stands between two pieces is plain data. So a few rows are sent as they are read, and
 * many are written by a job, by the same hand.
 */

const FILES = {
  csv: { type: 'text/csv; charset=utf-8', file: csvFile },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', file: xlsxFile },
  json: { type: 'application/json; charset=utf-8', file: jsonFile },
} as const satisfies Record<
  string,
  { type: string; file: (context: TransactionContext, exported: Exported) => Promise<ExportFile> }
>

export type Format = keyof typeof FILES
/** The files that a list can be taken out as. */
export const FORMATS = Object.keys(FILES) as [Format, ...Format[]]
/** The media type of a file. */
export const typeOf = (format: Format): string => FILES[format].type

/** Where the next piece begins. */
export interface ExportPlace {
  readonly cursor: string
  /** How far the file has come, in words of its form. */
  readonly state: unknown
  readonly columns: readonly string[]
  readonly done: number
}

/**
 * @param place null at the beginning
 * @returns bytes for the sections of the file; where the next piece begins, null where it is whole
 * @throws {Refusal} `conflict` where its columns have changed since it was begun, or it is more than its form holds
 */
export async function writePiece(
  context: TransactionContext,
  format: Format,
  exported: Exported,
  place: ExportPlace | null,
): Promise<{ parts: readonly FilePart[]; next: ExportPlace | null; done: number }> {
  const { form, columns, always, rowsOf } = await FILES[format].file(context, exported)
  if (place && place.columns.join('\n') !== columns.join('\n'))
    throw new Refusal('conflict', 'The columns have changed while it was written: export again.')
  const parts: FilePart[] = []
  const begun = place ? null : await form.begin()
  let state: unknown = begun ? begun.state : place!.state
  parts.push(...(begun?.parts ?? []))
  const add = async (list: number, rows: readonly unknown[]) => {
    if (rows.length === 0) return
    const added = await form.add(state, list, rows)
    state = added.state
    parts.push(...added.parts)
  }
  if (!place) for (const { list, rows } of always) await add(list, rows)
  const { kind, filters } = exported
  const { records, next } = await readStretch(context, kind, filters, place?.cursor ?? null)
  for await (const { list, rows } of rowsOf(records)) await add(list, rows)
  const done = (place?.done ?? 0) + records.length
  if (next !== null) return { parts, next: { cursor: next, state, columns, done }, done }
  return { parts: [...parts, ...(await form.end(state))], next: null, done }
}
