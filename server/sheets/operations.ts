import { applyBulkChange, getBulkChange, listBulkChangeRows } from './bulk-changes.ts'
import { startBulkEdit } from './bulk-edits.ts'
import { getImportTemplate, planImport, sendImportFile, startImport } from './imports.ts'

/** What a person does about changes of many records. */
export const bulkChangeOperations = {
  startImport,
  sendImportFile,
  planImport,
  getImportTemplate,
  startBulkEdit,
  getBulkChange,
  listBulkChangeRows,
  applyBulkChange,
} as const
