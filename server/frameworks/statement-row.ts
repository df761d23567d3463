import { z } from 'zod'
import { choice } from '../../model/fields.ts'
import { RESULTS, requirement } from '../../model/kinds/requirement.ts'
import { hasAnnex } from '../../model/management-clause.ts'
import { valueWord } from '../../model/value-word.ts'

/* What a statement of applicability says of each requirement, and what it is of. */

const { applicability, inclusionReasons } = requirement.fields

const control = z.object({
  id: z.string(),
  code: z.string(),
  title: z.string(),
  implementationStatus: z.string(),
})

const through = z.object({
  id: z.string(),
  key: z.string(),
  framework: z.string(),
  coversWhole: z.boolean(),
  resultPinned: z.boolean().describe('Whether its result was given there, which stands for its controls'),
  controls: z.array(control),
})

export const statementRow = z
  .object({
    id: z.string(),
    key: z.string(),
    title: z.string(),
    depth: z.int(),
    assessable: z.boolean().describe('A heading has no answer'),
    applicability,
    justification: z.string().nullable(),
    inclusionReasons: inclusionReasons.nullable(),
    result: choice('Result', RESULTS),
    resultPinned: z.boolean(),
    owner: z.string().nullable(),
    controls: z.array(control).describe('Linked controls'),
    evidence: z
      .array(z.string())
      .optional()
      .describe(
        'References of current approved evidence of it and of its controls; absent as of a day in the past, in versions approved before this field, and for callers that cannot read evidence',
      ),
    through: z
      .array(through)
      .optional()
      .describe(
        'Mapped requirements of active frameworks that its result follows from as well; left out as of a day in the past',
      ),
    implemented: z
      .enum(['yes', 'partly', 'no'])
      .nullable()
      .optional()
      .describe(
        'Whether it is implemented: from the result if that was given, otherwise from the status of its controls; null if it does not apply',
      ),
  })
  .meta({ id: 'StatementRow' })

export type StatementRow = z.output<typeof statementRow>

const IMPLEMENTED_BY_RESULT: Partial<Record<StatementRow['result'], 'yes' | 'partly' | 'no'>> = {
  compliant: 'yes',
  partially_compliant: 'partly',
  non_compliant: 'no',
}

/** Whether a requirement is implemented, from its result if that was given, otherwise from the status of its controls. */
export function implementedOf(row: Omit<StatementRow, 'implemented'>): StatementRow['implemented'] {
  if (!row.assessable || row.applicability === 'not_applicable') return null
  if (row.resultPinned) return IMPLEMENTED_BY_RESULT[row.result] ?? 'no'
  const mapped = row.through ?? []
  if (mapped.some(({ resultPinned }) => resultPinned)) return IMPLEMENTED_BY_RESULT[row.result] ?? 'no'
  const statuses = [...row.controls, ...mapped.flatMap(({ controls }) => controls)]
    .map(({ implementationStatus }) => implementationStatus)
    .filter((status) => status !== 'not_applicable' && status !== 'deprecated')
  const isWhole = row.controls.length > 0 || mapped.some(({ coversWhole }) => coversWhole)
  if (statuses.length === 0 || statuses.every((status) => status === 'not_started')) return 'no'
  return isWhole && statuses.every((status) => status === 'implemented') ? 'yes' : 'partly'
}

/** How the rows are called: controls of an annex, or requirements. */
export const subjectOf = (rows: readonly StatementRow[]): 'Control' | 'Requirement' =>
  hasAnnex(rows.map(({ key }) => key)) ? 'Control' : 'Requirement'

/** The reasons why a row is included, and the justification, as lines of text. */
export const justificationLines = ({ inclusionReasons, justification }: StatementRow): string[] =>
  [inclusionReasons?.map((reason) => valueWord(reason)).join(', '), justification].filter(
    (line): line is string => Boolean(line),
  )

/** The answer to "applicable?", in words. */
export const applicableWord = ({ applicability }: StatementRow): string =>
  APPLICABLE[applicability] ?? valueWord(applicability)

const APPLICABLE: Readonly<Record<string, string>> = {
  applicable: 'Yes',
  not_applicable: 'No',
  inherited: 'Inherited',
}

/** The answer to "implemented?", in words; for versions approved before rows said so, from what they have. */
export function implementedWord(row: StatementRow): string {
  const implemented = row.implemented === undefined ? implementedOf(row) : row.implemented
  return implemented === null || implemented === undefined ? 'Not applicable' : valueWord(implemented)
}

/** How many requirements apply and how many are excluded, in words. */
export function countsOf(rows: readonly StatementRow[]): string {
  const assessable = rows.filter((row) => row.assessable)
  const excluded = assessable.filter(({ applicability }) => applicability === 'not_applicable').length
  return `${assessable.length} in scope: ${assessable.length - excluded} apply, ${excluded} excluded`
}

/** Controls that it is met by, a line for each, as auditors read them. */
export function controlLines({ controls, through = [] }: StatementRow): string[] {
  const line = ({ code, title, implementationStatus }: StatementRow['controls'][number]) =>
    `${code} ${title} (${valueWord(implementationStatus)})`
  return [
    ...controls.map(line),
    ...through.flatMap(({ key, framework, coversWhole, resultPinned, controls: theirs }) => {
      const way = `through ${framework} ${key}${coversWhole ? '' : ', a part of it'}`
      return resultPinned ? [`Result given, ${way}`] : theirs.map((one) => `${line(one)}, ${way}`)
    }),
  ]
}

/** A row as it is read, with what decides whether it is in scope. */
export interface ReadRow extends StatementRow {
  /** What is kept of its result, and entries tell; what is shown of today is what follows now. */
  keptResult: StatementRow['result']
  sortOrder: number | null
  implementationGroups: readonly string[] | null
  ownerId: string | null
  createdAt: string
}

export interface StatedFramework {
  readonly id: string
  key: string
  edition: string
  name: string
  implementationGroup: string | null
  /** Absent in versions approved before statements had it. */
  scopeStatement?: string | null | undefined
}
