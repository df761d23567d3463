import type { AnyJobKind } from '../jobs/job-kind.ts'
import { applyFrameworkImport } from './apply-import.ts'
import { applyFrameworkMigration, undoFrameworkMigration } from './apply-migration.ts'
import { removeFrameworkInPieces } from './remove-framework.ts'

export const frameworkJobKinds: readonly AnyJobKind[] = [
  applyFrameworkImport,
  applyFrameworkMigration,
  undoFrameworkMigration,
  removeFrameworkInPieces,
]
