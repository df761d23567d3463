import { createRisk } from './create-risk.ts'
import { listControls } from './list-controls.ts'
import type { Row } from './row.ts'
import { start } from './start.ts'

/** In the order of the table. */
export const rows: readonly Row[] = [createRisk, listControls, start]
