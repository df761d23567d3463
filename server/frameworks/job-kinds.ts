import type { AnyJobKind } from '../jobs/job-kind.ts'
import { applyFrameworkImport } from './apply-import.ts'
import { applyFrameworkMigration, undoFrameworkMigration } from './apply-migration.ts'

export const frameworkJobKinds: readonly AnyJobKind[] = [
  applyFrameworkImport,
  applyFrameworkMigration,
  undoFrameworkMigration,
]
