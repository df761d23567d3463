import { z } from 'zod'
import { choice } from '../../model/fields.ts'
import { RESULTS, requirement } from '../../model/kinds/requirement.ts'

/* What a statement of applicability says of each requirement, and what it is of. */

const { applicability, inclusionReasons } = requirement.fields

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
    controls: z.array(
      z.object({ id: z.string(), code: z.string(), title: z.string(), implementationStatus: z.string() }),
    ),
  })
  .meta({ id: 'StatementRow' })

export type StatementRow = z.output<typeof statementRow>

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
