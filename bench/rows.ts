import { admission } from './admission.ts'
import { batch } from './batch.ts'
import { catalogs } from './catalogs.ts'
import { claim } from './claim.ts'
import { clock } from './clock.ts'
import { clockOthers, clockServing } from './clock-others.ts'
import { coverage } from './coverage.ts'
import { createRisk } from './create-risk.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { exports } from './exports.ts'
import { fanOut } from './fan-out.ts'
import { guestPage } from './guest-page.ts'
import { hanging } from './hanging.ts'
import { imports } from './imports.ts'
import { jobs } from './jobs.ts'
import { kinds } from './kinds.ts'
import { knownRecords } from './known-records.ts'
import { latency } from './latency.ts'
import { listControls } from './list-controls.ts'
import { listRisks } from './list-risks.ts'
import { manualSends } from './manual-sends.ts'
import { matrix } from './matrix.ts'
import { mcpGetRisk } from './mcp-get-risk.ts'
import { memory } from './memory.ts'
import { policyCompare } from './policy-compare.ts'
import { processes } from './processes.ts'
import { publish } from './publish.ts'
import { register, registerFields } from './register.ts'
import { registerBrowser } from './register-browser.ts'
import type { Row } from './row.ts'
import { scale } from './scale.ts'
import { sealing } from './sealing.ts'
import { search } from './search.ts'
import { start } from './start.ts'
import { transferMemory, upload } from './uploads.ts'

/** In the order of the table. */
export const rows: readonly Row[] = [
  deliveries,
  processes,
  events,
  createRisk,
  batch,
  imports,
  catalogs,
  exports,
  publish,
  guestPage,
  policyCompare,
  knownRecords,
  admission,
  fanOut,
  sealing,
  listControls,
  listRisks,
  kinds,
  coverage,
  mcpGetRisk,
  register,
  registerFields,
  registerBrowser,
  search,
  latency,
  claim,
  clock,
  clockOthers,
  clockServing,
  scale,
  hanging,
  jobs,
  matrix,
  manualSends,
  memory,
  upload,
  transferMemory,
  start,
]
