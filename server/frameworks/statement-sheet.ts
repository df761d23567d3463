import { valueWord } from '../../model/value-word.ts'
import type { WholeSheet } from '../sheets/whole-file.ts'
import { controlLines, type StatementRow } from './statement-row.ts'

/** A statement of applicability as a sheet: a row for each requirement, in words that auditors read. */
export function statementSheet({ rows }: { readonly rows: readonly StatementRow[] }): WholeSheet {
  const text = (title: string) => ({ title, form: 'text' as const })
  return {
    name: 'Statement of applicability',
    columns: [
      'Requirement',
      'Title',
      'Applicability',
      'Justification',
      'Reasons for inclusion',
      'Result',
      'Owner',
      'Controls',
    ].map(text),
    rows: rows.map((row) =>
      row.assessable
        ? [
            row.key,
            row.title,
            valueWord(row.applicability),
            row.justification,
            row.inclusionReasons?.map(valueWord).join(' | ') ?? null,
            valueWord(row.result) + (row.resultPinned ? ' (pinned)' : ''),
            row.owner,
            controlLines(row).join(' | ') || null,
          ]
        : [row.key, row.title, null, null, null, null, null, null],
    ),
  }
}
