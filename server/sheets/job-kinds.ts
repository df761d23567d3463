import type { AnyJobKind } from '../jobs/job-kind.ts'
import { applyBulkChange } from './apply-bulk-change.ts'
import { exportRecords } from './export-job.ts'
import { planBulkChange } from './plan-bulk-change.ts'

export const sheetJobKinds: readonly AnyJobKind[] = [planBulkChange, applyBulkChange, exportRecords]
