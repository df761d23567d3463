import type { AnyJobKind } from '../jobs/job-kind.ts'
import { moveFindingDueDates } from './finding-sla.ts'
import { recalculateRisks } from './risk-matrix/recalculate.ts'

/** What follows from a setting of the organization. */
export const organizationJobKinds: readonly AnyJobKind[] = [moveFindingDueDates, recalculateRisks]
