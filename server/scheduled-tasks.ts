import { attestationTasks } from './attestations/scheduled-tasks.ts'
import type { Task } from './clock/clock.ts'
import { deadlineTasks } from './deadlines/scheduled-tasks.ts'
import { fileTasks } from './files/scheduled-tasks.ts'
import { frameworkTasks } from './frameworks/scheduled-tasks.ts'
import { guestTasks } from './guests/scheduled-tasks.ts'
import { idempotencyTasks } from './idempotency.ts'
import { identityTasks } from './identity/scheduled-tasks.ts'
import { jobTasks } from './jobs/scheduled-tasks.ts'
import { noticeTasks } from './notices/scheduled-tasks.ts'
import { oauthTasks } from './oauth/scheduled-tasks.ts'
import { organizationTasks } from './organization/scheduled-tasks.ts'
import { sheetTasks } from './sheets/scheduled-tasks.ts'
import { webhookTasks } from './webhooks/shut-off-notices.ts'

/** The one list of what time alone does, in the order in which it is done where all of it is due. */
export const scheduledTasks: readonly Task[] = [
  ...organizationTasks,
  ...idempotencyTasks,
  ...identityTasks,
  ...guestTasks,
  ...oauthTasks,
  ...webhookTasks,
  ...jobTasks,
  ...deadlineTasks,
  ...sheetTasks,
  ...frameworkTasks,
  ...fileTasks,
  ...attestationTasks,
  ...noticeTasks,
]
