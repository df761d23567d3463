import { counted } from './counts.ts'

/** What is said of files, and of those on their way. */
export const uploads = {
  title: 'Files',
  choose: 'Upload files',
  drop: 'Drop files here to upload them.',
  dropped: (many: string) => `Drop files to add ${many}: a draft for each.`,
  none: 'There are no files yet.',
  settled: 'Files are not changed in this state. Set the status back to draft to change them.',
  download: (name: string) => `Download ${name}`,
  remove: (name: string) => `Remove ${name}`,
  progress: (name: string) => `Upload of ${name}`,
  list: 'Uploads',
  dismiss: 'Dismiss',
  states: {
    queued: 'Queued',
    reading: 'Reading',
    sending: 'Uploading',
    waiting: 'Waiting for the connection',
    done: 'Done',
    failed: 'Failed',
  },
  ofMany: (done: number, all: number) => `${done} of ${counted(all, 'file', 'files')} uploaded`,
  requested: {
    you: 'You are asked for this',
    text: (day: string) => `Upload the files, or give a link or a text, and send it to review by ${day}.`,
    other: (name: string) => `${name} is asked for this.`,
  },
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** "1.4 MB". */
export function sizeOf(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_024
    unit++
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}
