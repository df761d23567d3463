import { scanFile } from './files/scan-file.ts'
import { takeArchiveApart } from './files/take-archive-apart.ts'
import { frameworkJobKinds } from './frameworks/job-kinds.ts'
import { sendGuestMail } from './guests/guest-mails.ts'
import { identityJobKinds } from './identity/job-kinds.ts'
import type { AnyJobKind } from './jobs/job-kind.ts'
import { sendMail } from './jobs/send-mail.ts'
import { organizationJobKinds } from './organization/job-kinds.ts'
import { sheetJobKinds } from './sheets/job-kinds.ts'

/** The one list of what is done as a job. */
export const jobKinds: readonly AnyJobKind[] = [
  sendMail,
  sendGuestMail,
  ...identityJobKinds,
  ...organizationJobKinds,
  ...sheetJobKinds,
  ...frameworkJobKinds,
  scanFile,
  takeArchiveApart,
]
