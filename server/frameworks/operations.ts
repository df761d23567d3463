import { activateFramework } from './activate-framework.ts'
import { explainRequirement } from './explain-requirement.ts'
import {
  applyFrameworkImport,
  getFrameworkImport,
  sendFrameworkFile,
  startFrameworkImport,
} from './framework-imports.ts'
import { listFrameworkLibrary } from './list-framework-library.ts'

/** What is done with frameworks beside the verbs of their kinds. */
export const frameworkOperations = {
  activateFramework,
  explainRequirement,
  listFrameworkLibrary,
  startFrameworkImport,
  sendFrameworkFile,
  getFrameworkImport,
  applyFrameworkImport,
}
