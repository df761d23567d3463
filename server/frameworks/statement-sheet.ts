import type { WholeSheet } from '../sheets/whole-file.ts'
import type { StatementOnPaper } from './statement-document.ts'
import {
  applicableWord,
  controlLines,
  countsOf,
  implementedWord,
  justificationLines,
  type StatementRow,
  subjectOf,
} from './statement-row.ts'

/** A statement of applicability as a workbook: a row for each requirement, and a sheet on the statement itself. */
export function statementSheets(
  stated: Omit<StatementOnPaper, 'now'>,
): [statement: WholeSheet, about: WholeSheet] {
  return [rowsSheet(stated.rows), aboutSheet(stated)]
}

const column = (title: string, width: number) => ({ title, form: 'text' as const, width, isWrapped: true })

function rowsSheet(rows: readonly StatementRow[]): WholeSheet {
  return {
    name: 'Statement of applicability',
    columns: [
      column('Key', 10),
      column(subjectOf(rows), 36),
      column('Applicable', 12),
      column('Reasons for inclusion', 24),
      column('Justification', 48),
      column('Implemented', 14),
      column('Implemented by', 44),
      column('Evidence', 20),
      column('Responsible', 22),
    ],
    rows: rows.map((row) =>
      row.assessable
        ? [
            row.key,
            row.title,
            applicableWord(row),
            justificationLines({ ...row, justification: null }).join('\n') || null,
            row.justification,
            implementedWord(row),
            controlLines(row).join('\n') || null,
            row.evidence?.join('\n') || null,
            row.owner,
          ]
        : [row.key, row.title, null, null, null, null, null, null, null],
    ),
  }
}

function aboutSheet({
  organization,
  framework,
  rows,
  asOf,
  approved,
}: Omit<StatementOnPaper, 'now'>): WholeSheet {
  const facts: [string, string | null | undefined][] = [
    ['Organization', organization],
    ['Framework', `${framework.name}, ${framework.edition}`],
    ['Scope', framework.scopeStatement],
    ['Level', framework.implementationGroup],
    [`${subjectOf(rows)}s`, countsOf(rows)],
    ['Version', approved ? String(approved.version) : 'Draft: not approved'],
    ['Approved by', approved?.approvedBy.displayName],
    ['Approved at', approved?.approvedAt],
    ['SHA-256 of the approved content', approved?.sha256],
    ['Note', approved?.note],
    ['State at the end of', asOf],
  ]
  return {
    name: 'About this statement',
    columns: [column('Field', 32), column('Value', 90)],
    rows: facts.flatMap(([name, value]) => (value ? [[name, value]] : [])),
  }
}
