import { PAGE_NAMES } from '../../model/page-names.ts'

/** What is due, by days. */
export const calendar = {
  title: PAGE_NAMES.calendar,
  text: 'What is due, on its day.',
  hint: 'What you may change can be moved: drag it to another day, hold it with a finger, or press Space on it.',
  holding: (what: string, day: string) =>
    `${what}: ${day}. Arrows lead it to another day, Space leaves it there, Escape puts it back.`,
  moving: {
    title: (what: string) => `Move ${what}`,
    to: 'To',
    submit: 'Move',
  },
  earlier: 'Month before',
  later: 'Month after',
  today: 'Today',
  whose: 'Whose',
  ofWhom: { me: 'Mine', all: 'Everybody’s', nobody: 'Nobody’s' },
  person: 'Of a person',
  frameworks: 'Framework',
  allFrameworks: 'All frameworks',
  kinds: 'Kind',
  allKinds: 'All kinds',
  more: (count: number) => `${count} more`,
  fewer: 'Fewer',
  nothing: 'Nothing is due in this month.',
  tooMany: (shown: number) =>
    `The first ${shown} are shown: choose whose or which kinds to see the others of this month.`,
  month: (name: string) => `Days of ${name}`,
  moved: (what: string, day: string) => `${what} is due on ${day} now.`,
  undo: 'Move it back',
  outOfDate: {
    code: 'version_mismatch',
    status: 412,
    title: 'Moved meanwhile',
    detail: 'Somebody else has moved it to another day: look where it is now, and drag it again.',
  },
  due: 'Due',
  late: (what: string | null) => (what === null ? 'Late: ' : `Late ${what.toLowerCase()}: `),
  what: (what: string) => `${what}: `,
} as const

/** The address at which a calendar program reads the same. */
export const calendarFeed = {
  title: 'In your own calendar',
  text: 'An address that calendar programs read what is due from. Whoever has it sees what you may see, so give it to your own programs alone.',
  none: 'There is none yet.',
  since: 'Made',
  read: 'Read last',
  never: 'Not yet',
  whose: 'What is in it',
  ofWhom: { mine: 'What I am to see to', everybody: 'All that I may read' },
  create: 'Make an address',
  renew: 'Make a new address',
  renewHint: 'The address that there is now ends with it.',
  end: 'End it',
  once: 'Subscribe to this address in your calendar. It is shown this once.',
  copy: 'Copy',
  copied: 'Copied',
} as const
