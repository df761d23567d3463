import type { AnyJobKind } from '../jobs/job-kind.ts'
import { applyFrameworkImport } from './apply-import.ts'

export const frameworkJobKinds: readonly AnyJobKind[] = [applyFrameworkImport]
