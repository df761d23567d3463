import { counted } from './counts.ts'

/** What is said of files, and of those on their way. */
export const uploads = {
  title: 'Files',
  choose: 'Upload files',
  drop: 'Drop files here to upload them.',
  dropped: (many: string) => `Drop files to add ${many}: a draft for each, also of those in a ZIP archive.`,
  none: 'There are no files yet.',
  settled:
    'Files are not changed in this state, nor what else it says. Set the status back to draft to change that.',
  download: (name: string) => `Download ${name}`,
  remove: (name: string) => `Remove ${name}`,
  about: {
    open: (name: string) => `About ${name}`,
    type: 'Type',
    sha256: 'SHA-256',
    scan: 'Virus scan',
    sentBy: 'Sent by',
    scans: {
      unscanned: 'Not scanned: the service has no scanner',
      waiting: 'Being scanned',
      clean: 'Nothing found',
      infected: 'Infected',
    },
  },
  hold: {
    title: 'Legal hold',
    put: 'Put on legal hold',
    release: 'Release from legal hold',
    text: 'It is kept, even if the evidence is deleted.',
  },
  notReady: {
    scanning: 'Being scanned',
    infected: 'Infected: nobody can download it',
  } as Readonly<Record<string, string>>,
  revisions: {
    title: 'Revisions',
    text: 'What was sent to a reviewer, as it was then.',
    one: (number: number) => `Revision ${number}`,
    sent: 'Sent by',
    sha256: 'SHA-256 of the revision',
    url: 'Link',
    said: 'Text',
    files: (number: number) => `Files of revision ${number}`,
    outcome: { approved: 'Approved by', rejected: 'Rejected by' },
    open: 'Nobody has decided on it',
    reason: 'Reason for the rejection',
  },
  empty: 'The file is empty: choose one with something in it.',
  progress: (name: string) => `Upload of ${name}`,
  list: 'Uploads',
  dismiss: 'Dismiss',
  states: {
    queued: 'Queued',
    reading: 'Reading',
    sending: 'Uploading',
    waiting: 'Waiting for the connection',
    apart: 'Being unpacked',
    done: 'Done',
    failed: 'Failed',
  },
  ofMany: (done: number, all: number) => `${done} of ${counted(all, 'file', 'files')} uploaded`,
  /** Of an archive. */
  left: (count: number) => `${counted(count, 'file was', 'files were')} left out:`,
  stopped: 'It was stopped before all of it was unpacked.',
  requested: {
    you: 'You are asked for this',
    text: (day: string) => `Upload the files, or give a link or a text, and send it to review by ${day}.`,
    back: (day: string) => `It was sent back. Mend it, and send it to review again by ${day}.`,
    other: (name: string) => `${name} is asked for this.`,
  },
}
