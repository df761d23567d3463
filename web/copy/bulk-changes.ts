import { counted, countWord } from './counts.ts'

type Counts = Readonly<Record<string, number>> | null

const told = (
  counts: Counts,
  words: Readonly<Record<string, (count: number) => string>>,
): readonly string[] =>
  Object.entries(words).flatMap(([name, word]) => {
    const count = counts?.[name] ?? 0
    return count > 0 ? [word(count)] : []
  })

/** Imports and changes of selections, as a list. */
export const bulkChanges = {
  title: 'Imports and changes of many records',
  empty: 'No file was imported lately, and no selection changed. Each is listed here for 30 days.',
  ofKind: (many: string) => `Imports of ${many}`,
  columns: {
    file: 'File',
    what: 'File or change',
    state: 'State',
    rows: 'Rows',
    by: 'Started by',
    at: 'Started',
    acts: 'Actions',
  },
  importOf: (many: string) => `Import of ${many}`,
  selection: 'Change of a selection',
  undoing: 'Undo',
  states: {
    read: 'Columns to check',
    planning: 'Being planned',
    planned: 'Planned',
    applying: 'Running',
    applied: 'Finished',
    cancelled: 'Stopped',
    failed: 'Failed',
    undone: 'Undone',
    undoing: 'Being undone',
    undoStopped: 'Undo stopped',
  },
  standing: (count: number) => `${counted(count, 'row', 'rows')} still ${count === 1 ? 'stands' : 'stand'}`,
  would: ({ planned }: { readonly planned: Counts }): readonly string[] =>
    told(planned, {
      create: (count) => `${countWord(count)} to add`,
      change: (count) => `${countWord(count)} to change`,
      delete: (count) => `${countWord(count)} to delete`,
      leave: (count) => `${countWord(count)} unchanged`,
      error: (count) => `${countWord(count)} with errors`,
    }),
  came: ({
    planned,
    done,
    left,
    undoes,
  }: {
    readonly planned: Counts
    readonly done: Counts
    readonly left: number
    readonly undoes: string | null
  }): readonly string[] => [
    ...told(done, {
      created: (count) => `${countWord(count)} added`,
      changed: (count) => `${countWord(count)} changed`,
      deleted: (count) => `${countWord(count)} deleted`,
      unchanged: (count) => `${countWord(count)} unchanged`,
      refused: (count) => `${countWord(count)} not written`,
    }),
    ...told(planned, {
      error: (count) =>
        `${countWord(count)} ${undoes === null ? 'left out, with errors' : 'left as they were'}`,
    }),
    ...(left > 0 ? [`${countWord(left)} not reached`] : []),
  ],
  rowCount: (count: number) => counted(count, 'row', 'rows'),
  open: 'Open',
  openOf: (title: string) => `Open: ${title}`,
  discard: {
    verb: 'Discard',
    title: 'Discard this import?',
    text: (title: string) => `${title} has written nothing. Its file and its plan are deleted.`,
  },
  discardOf: (title: string) => `Discard: ${title}`,
} as const
