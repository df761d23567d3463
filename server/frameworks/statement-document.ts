import type { Column, Fact, PaperDocument, Row } from '../documents/document.ts'
import {
  applicableWord,
  controlLines,
  countsOf,
  implementedWord,
  justificationLines,
  type StatedFramework,
  type StatementRow,
  subjectOf,
} from './statement-row.ts'

export interface StatementOnPaper {
  readonly organization: string
  readonly framework: StatedFramework
  readonly rows: readonly StatementRow[]
  /** The day that it is of, where one was asked for. */
  readonly asOf: string | null
  /** Of the version that it is; null of one that nobody approved. */
  readonly approved: {
    readonly version: number
    readonly approvedAt: string
    readonly approvedBy: { readonly displayName: string }
    readonly sha256: string
    readonly note: string | null
  } | null
  /** When it was read. */
  readonly now: string
}

const TITLE = 'Statement of applicability'

/** A statement of applicability as auditors take it: what it is of, who approved it, and a row for each requirement. */
export function statementDocument(stated: StatementOnPaper): PaperDocument {
  const { organization, framework, rows, approved, now } = stated
  return {
    title: TITLE,
    subtitle: `${framework.name}, ${framework.edition}`,
    author: organization,
    language: 'en',
    madeAt: new Date(approved?.approvedAt ?? now),
    orientation: 'landscape',
    facts: factsOf(stated),
    hasCover: false,
    footer: approved
      ? `${organization}, version ${approved.version}, SHA-256 ${approved.sha256}`
      : DRAFT(organization),
    blocks: [{ form: 'table', columns: columnsOf(rows), rows: rows.map(rowOf) }],
  }
}

const DRAFT = (organization: string) => `${organization}, draft: not approved`

function factsOf({ organization, framework, rows, asOf, approved, now }: StatementOnPaper): readonly Fact[] {
  return [
    { name: 'Organization', value: organization },
    { name: 'Framework', value: framework.name },
    { name: 'Edition', value: framework.edition },
    ...(framework.implementationGroup ? [{ name: 'Level', value: framework.implementationGroup }] : []),
    { name: `${subjectOf(rows)}s`, value: countsOf(rows) },
    ...(framework.scopeStatement
      ? [{ name: 'Scope', value: framework.scopeStatement, isWide: true as const }]
      : []),
    ...(approved
      ? [
          { name: 'Version', value: String(approved.version) },
          { name: 'Approved by', value: approved.approvedBy.displayName },
          { name: 'Approved', value: momentOf(approved.approvedAt) },
          { name: 'SHA-256 of what was approved', value: approved.sha256, isWide: true as const },
          ...(approved.note ? [{ name: 'Note', value: approved.note, isWide: true as const }] : []),
        ]
      : [
          { name: 'Version', value: 'Draft: not approved' },
          asOf
            ? { name: 'As it was at the end of', value: asOf }
            : { name: 'As it was on', value: momentOf(now) },
        ]),
  ]
}

/** The same wherever it is read. */
const momentOf = (moment: string): string =>
  `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const columnsOf = (rows: readonly StatementRow[]): readonly Column[] => [
  { title: 'Key', share: 7, isBold: true },
  { title: subjectOf(rows), share: 19 },
  { title: 'Applicable', share: 9 },
  { title: 'Justification for inclusion or exclusion', share: 22 },
  { title: 'Implemented', share: 10 },
  { title: 'Implemented by', share: 22 },
  { title: 'Evidence', share: 8 },
  { title: 'Responsible', share: 11 },
]

function rowOf(row: StatementRow): Row {
  if (!row.assessable) return { section: `${row.key} ${row.title}`, level: Math.min(row.depth, 2) }
  return {
    cells: [
      row.key,
      row.title,
      applicableWord(row),
      justificationLines(row).join('\n'),
      implementedWord(row),
      controlLines(row).join('\n'),
      row.evidence?.join('\n') ?? '',
      row.owner ?? '',
    ],
  }
}
