import { activateFramework } from './activate-framework.ts'
import { compareFrameworks } from './compare-frameworks.ts'
import { explainRequirement } from './explain-requirement.ts'
import { exportAssessmentResults, exportComponentDefinition } from './export-oscal.ts'
import {
  applyFrameworkImport,
  getFrameworkImport,
  sendFrameworkFile,
  startFrameworkImport,
} from './framework-imports.ts'
import {
  getFrameworkMigration,
  listFrameworkMigrations,
  planFrameworkMigration,
  startFrameworkMigration,
  undoFrameworkMigration,
} from './framework-migrations.ts'
import { listFrameworkControls } from './list-framework-controls.ts'
import { listFrameworkCoverage } from './list-framework-coverage.ts'
import { listFrameworkLibrary } from './list-framework-library.ts'
import { listFrameworkMappings } from './list-framework-mappings.ts'
import { planFrameworkGaps } from './plan-framework-gaps.ts'
import { removeFramework } from './remove-framework.ts'
import {
  approveStatementOfApplicability,
  exportStatementOfApplicability,
  getStatementOfApplicability,
  listStatementsOfApplicability,
} from './statements-of-applicability.ts'

/** What is done with frameworks beside the verbs of their kinds. */
export const frameworkOperations = {
  activateFramework,
  explainRequirement,
  listFrameworkLibrary,
  startFrameworkImport,
  sendFrameworkFile,
  getFrameworkImport,
  applyFrameworkImport,
  planFrameworkMigration,
  startFrameworkMigration,
  getFrameworkMigration,
  listFrameworkMigrations,
  undoFrameworkMigration,
  listFrameworkControls,
  listFrameworkMappings,
  compareFrameworks,
  listFrameworkCoverage,
  planFrameworkGaps,
  removeFramework,
  getStatementOfApplicability,
  exportStatementOfApplicability,
  listStatementsOfApplicability,
  approveStatementOfApplicability,
  exportComponentDefinition,
  exportAssessmentResults,
}
