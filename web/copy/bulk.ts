import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'

/** What can be done with the rows of a list that are selected. */
export const bulk = {
  label: 'Selected rows',
  selected: (count: number) => `${countWord(count)} selected`,
  status: 'Set status',
  stateOf: (title: string) => `Set ${lower(title)}`,
  owner: (title: string) => `Set ${lower(title)}`,
  field: 'Set another field',
  fieldOf: (field: string, count: number) => `Set “${field}” of ${counted(count, 'record', 'records')}`,
  cleared: 'Left empty, it is cleared.',
  review: 'Review',
  clear: 'Clear selection',
  done: (changed: number) => `${countWord(changed)} changed`,
  faults: (count: number) => (count === 1 ? '1 was not changed' : `${countWord(count)} were not changed`),
  notReached: (count: number) => (count === 1 ? '1 was not reached' : `${countWord(count)} were not reached`),
  stop: 'Stop',
  noState: (title: string) => `The ${lower(title)} of these cannot change`,
  selectMatching: (total: number) => `Select all ${countWord(total)}`,
  reading: (read: number, all: number) => `${countWord(read)} of ${countWord(all)} read`,
  undo: (count: number) => `Undo ${countWord(count)}`,
  undone: (count: number) => `${countWord(count)} undone`,
  notUndone: (count: number) =>
    count === 1 ? '1 could not be undone' : `${countWord(count)} could not be undone`,
} as const
