import type { SharedTool } from '../operation.ts'

/*
 * What can be done with records of any kind in the same form: an agent has one tool for each of these, and not one for
 * each kind. What differs from kind to kind (the fields of a list, a creation, a change) has a tool of its own.
 */
const ARCHIVED =
  'It is left out of lists and counts, takes no change and has no deadlines until it is unarchived; what would be deleted with it is archived with it.'
const UNARCHIVED = 'Brings it back, with what was archived with it.'

export const sharedTools = {
  get: { name: 'getRecord', title: 'Read one record' },
  listUnder: {
    name: 'listRecordsUnder',
    title: 'List the records that stand under another',
    description: 'Of one parent: type says what is listed.',
  },
  dependents: {
    name: 'getRecordDependents',
    title: 'Count what depends on a record',
    description: 'What names it, stands under it or is linked with it. Counts are of every kind.',
    isAside: true,
  },
  history: { name: 'getRecordHistory', title: 'Read what happened to a record' },
  signals: {
    name: 'listRecordSignals',
    title: 'List the signals that left for a record',
    description: 'With the right to read webhooks, also what became of each delivery.',
  },
  links: {
    name: 'listRecordLinks',
    title: 'List what a record is linked with',
    description: 'Counts are of every kind, rows of those you may read.',
  },
  link: {
    name: 'linkRecords',
    title: 'Link a record with another',
    description: 'Once more, it changes the role. Neither record gets a new version, and no signal leaves.',
  },
  unlink: { name: 'unlinkRecords', title: 'End the link of a record with another' },
  summarize: {
    name: 'summarizeRecords',
    title: 'Count records',
    description: 'By each of their choices, of what the filters let through.',
  },
  export: {
    name: 'exportRecords',
    title: 'Export records as a file',
    description: 'Answers a link to CSV, XLSX or JSON of all that the filters of the list let through.',
    isAside: true,
  },
  createBatch: {
    name: 'createRecordBatch',
    title: 'Add up to 100 records',
    description:
      'Each row stands for itself: its record, or the problem that kept it out. One call of the rate limit.',
  },
  upsert: {
    name: 'upsertRecord',
    title: 'Add or change a record by its external id',
    description:
      'What has the external id is changed by the fields that are given; where nothing has it, it is added.',
  },
  archive: {
    name: 'archiveRecord',
    title: 'Archive a record',
    description: ARCHIVED,
    isAside: true,
  },
  unarchive: { name: 'unarchiveRecord', title: 'Unarchive a record', description: UNARCHIVED, isAside: true },
  delete: { name: 'deleteRecord', title: 'Remove a record' },
} as const satisfies Record<string, SharedTool>
