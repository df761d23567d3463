import type { AnyJobKind } from '../jobs/job-kind.ts'
import { moveFindingDueDates } from './finding-sla.ts'

/** What follows from a setting of the organization. */
export const organizationJobKinds: readonly AnyJobKind[] = [moveFindingDueDates]
