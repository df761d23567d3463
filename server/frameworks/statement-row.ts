import { z } from 'zod'
import { choice } from '../../model/fields.ts'
import { RESULTS, requirement } from '../../model/kinds/requirement.ts'
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
    controls: z.array(control).describe('That are linked with it'),
    through: z
      .array(through)
      .optional()
      .describe(
        'Mapped requirements of active frameworks that its result follows from as well; left out as of a day in the past',
      ),
  })
  .meta({ id: 'StatementRow' })

export type StatementRow = z.output<typeof statementRow>

/** The controls that it is met by, a line for each, as auditors read them. */
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
}
