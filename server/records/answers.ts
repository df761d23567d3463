import type { z } from 'zod'
import type { dependentCounts } from './dependents.ts'
import type { historyPage } from './history.ts'
import type { linkPage, linkSchema } from './link-list.ts'
import type { recordSignalPage } from './signals.ts'

/** What the calls of any kind answer alike, for who is written in this language. */
export interface RecordAnswers {
  dependents: z.output<typeof dependentCounts>
  history: z.output<typeof historyPage>
  signals: z.output<typeof recordSignalPage>
  links: z.output<typeof linkPage>
  link: z.output<typeof linkSchema>
}
