/*
 * What a register says that nothing else does: apart from records.ts, of which the first page has need.
 */

import { countWord } from './counts.ts'
import { lower } from './records.ts'

export const register = {
  /** Where another word says better what is not set. */
  notSet: {
    riskLevel: 'Not assessed',
    inherentLevel: 'Not assessed',
    residualLevel: 'Not assessed',
  } as Readonly<Record<string, string>>,
  /** Beside the filter for what is overdue or due soon, which is called Due itself. */
  deadline: (title: string) => (title === 'Due' ? 'Due date' : title),
  leftOut: (asked: readonly string[]) => `No filter here knows ${asked.join(', ')}: it is left out.`,
  range: {
    from: (from: string) => `from ${from}`,
    to: (to: string) => `to ${to}`,
    dates: { low: 'From', high: 'To' },
    numbers: { low: 'At least', high: 'At most' },
    reversed: 'Nothing lies between these: the first is beyond the second.',
    words: 'Any of these, separated by commas.',
  },
  sort: {
    label: 'Sort by',
    up: (title: string) => `${title}, ascending`,
    down: (title: string) => `${title}, descending`,
  },
  group: {
    label: 'Group',
    by: 'Group by',
    none: 'No grouping',
    current: 'Chosen',
    chosen: (title: string) => `Grouped by ${lower(title)}`,
    more: (shown: number, count: number) => `Show more (${countWord(shown)} of ${countWord(count)})`,
    all: (count: number) => `Show all ${countWord(count)}`,
  },
  views: {
    label: 'Views',
    all: (many: string) => `All ${many}`,
    mine: { decide: 'Yours to decide', hand_in: 'Yours to hand in' },
    save: 'Save view',
    title: 'Save this view',
    text: 'Its filters, search, order and grouping, under a name.',
    name: 'Name',
    isShared: 'Share with everybody in the organization',
    shared: 'Shared',
    submit: 'Save',
    delete: (name: string) => `Delete view ${name}`,
    confirm: {
      title: (name: string) => `Delete the view ${name}?`,
      own: 'The records in it stay as they are.',
      shared: 'It goes for everybody in the organization. The records in it stay as they are.',
      submit: 'Delete view',
    },
  },
  print: {
    rows: (rows: number, total: number, many: string) =>
      rows < total
        ? `The first ${countWord(rows)} of ${countWord(total)} ${many}`
        : `${countWord(total)} ${many}`,
    sorted: (title: string) => `sorted by ${lower(title)}`,
    search: (q: string) => `Search: ${q}`,
    at: (time: string) => `Printed ${time}`,
  },
}
