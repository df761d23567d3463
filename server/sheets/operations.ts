import { summarizeBulkChange } from './bulk-change-summary.ts'
import { getBulkChange, listBulkChangeRows } from './bulk-changes.ts'
import { startBulkEdit } from './bulk-edits.ts'
import { applyBulkChange } from './carry-out.ts'
import { discardImport } from './discard-import.ts'
import { getImportTemplate, planImport, sendImportFile, startImport } from './imports.ts'
import { leaveOutImportRows, restoreImportRows } from './leave-out-rows.ts'
import { listBulkChanges } from './list-bulk-changes.ts'
import { downloadRefusedRows } from './refused-rows.ts'
import { undoBulkChange } from './undo-bulk-change.ts'

/** What a person does about changes of many records. */
export const bulkChangeOperations = {
  startImport,
  sendImportFile,
  planImport,
  leaveOutImportRows,
  restoreImportRows,
  getImportTemplate,
  startBulkEdit,
  listBulkChanges,
  getBulkChange,
  summarizeBulkChange,
  listBulkChangeRows,
  downloadRefusedRows,
  applyBulkChange,
  undoBulkChange,
  discardImport,
} as const
