import { PAGE_NAMES } from '../../model/page-names.ts'
import { counted, countWord } from './counts.ts'

/** Work that takes longer than a call. */
export const jobs = {
  title: PAGE_NAMES.jobs,
  text: 'Files that were imported, and work that takes a while, the latest first: what you started yourself.',
  textOfAll:
    'Files that were imported, and work that takes a while, the latest first: of everybody in the organization.',
  others: 'Exports and other jobs',
  empty: 'Nothing has taken a while lately. What does is shown here until some days after it has ended.',
  columns: {
    what: 'Job',
    state: 'State',
    progress: 'Progress',
    by: 'Started by',
    at: 'Started',
    acts: 'Actions',
  },
  states: {
    waiting: 'Waiting',
    running: 'Running',
    succeeded: 'Done',
    failed: 'Failed',
    cancelled: 'Stopped',
  },
  superseded: 'Taken over, or to be decided anew',
  stopping: 'Stopping',
  service: 'The service',
  done: (done: number, total: number | null) =>
    total === null ? countWord(done) : `${countWord(done)} of ${countWord(total)}`,
  nothing: 'Nothing was done',
  progress: (title: string) => `Progress of ${title.toLowerCase()}`,
  errors: (count: number) => counted(count, 'error', 'errors'),
  errorsTitle: (title: string) => `${title}: what could not be done`,
  errorsLeft: (left: number) => `And ${countWord(left)} more, which are only counted.`,
  errorsHidden: 'Only whoever may start such a job reads its errors.',
  row: (row: number) => `Row ${countWord(row)}`,
  stop: 'Stop',
  stopOf: (title: string) => `Stop: ${title}`,
  resume: 'Resume',
  resumeOf: (title: string) => `Resume: ${title}`,
  question: {
    title: (title: string) => `Stop “${title}”?`,
    text: 'It ends before its next piece. What was done until then stays, and it can be resumed from there.',
  },
  result: (name: string) => `Download ${name}`,
}
