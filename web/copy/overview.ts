import type { RecordActionVerb } from '../../model/audit-actions.ts'
import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'

export const overview = {
  title: 'Overview',
  text: 'What needs you today, and where things stand.',
  mine: {
    title: 'Needs you',
    text: 'What you are asked to read, what waits for you, and what is yours and late, or due this week.',
    none: 'Nothing waits for you, and nothing of yours is late or due this week.',
    version: (version: string) => `Version ${version}`,
    figure: {
      toRead: () => 'to read',
      waiting: (count: number) => (count === 1 ? 'waits for you' : 'wait for you'),
      late: () => 'late',
      thisWeek: () => 'due this week',
    },
  },
  everybody: {
    title: 'Needs somebody',
    text: 'Of what is not done: what is overdue or soon due, and what has no owner.',
    kind: 'Register',
    overdue: 'Overdue',
    soon: 'Within 7 days',
    ownerless: 'Without owner',
    asking: 'Asks somebody to see to it',
    asks: (count: number, what: string, flag: string) => `${countWord(count)} ${what}: ${lower(flag)}`,
  },
  levels: {
    title: 'Risks by level',
    text: 'By their current rating; of those that are not closed.',
    none: 'No current rating',
    matrix: 'Risk matrix',
  },
  statuses: {
    title: 'Controls by status',
    among: (count: number, flag: string) => `${countWord(count)} ${lower(flag)}`,
  },
  webhooks: {
    title: 'Webhooks',
    none: 'No endpoint hears of changes yet.',
    add: 'Add an endpoint',
    all: 'All endpoints',
    well: (count: number) =>
      count === 1
        ? 'The endpoint is on, and its last attempt did not fail.'
        : `All ${countWord(count)} endpoints are on, and the last attempt to none of them failed.`,
    some: (troubled: number, all: number) => `${countWord(troubled)} of ${countWord(all)} need a look.`,
    off: 'Off',
    failing: 'Failing',
    offByFailures: 'Off after ten failures in a row',
    turnedOff: 'Turned off',
    failures: (count: number) => counted(count, 'failure in a row', 'failures in a row'),
  },
  overdue: {
    title: 'Overdue',
    text: 'Whoever owns it; what has waited longest comes first.',
    figure: (what: string) => `${what} overdue`,
    longest: 'Overdue the longest',
  },
  trend: {
    title: 'Risks opened and closed',
    text: 'In the last twelve months, by the level that they have now.',
    sum: (opened: number, closed: number) =>
      opened + closed === 0
        ? 'No risk was opened or closed.'
        : `${countWord(opened)} opened, ${countWord(closed)} closed.`,
    opened: 'Opened',
    closed: 'Closed',
    none: 'Not assessed',
    month: 'Month',
    table: 'Show as a table',
    cell: {
      opened: (count: number, level: string, month: string) =>
        `${counted(count, 'risk', 'risks')} opened in ${month}: ${level.toLowerCase()}`,
      closed: (count: number, level: string, month: string) =>
        `${counted(count, 'risk', 'risks')} closed in ${month}: ${level.toLowerCase()}`,
    },
  },
  categories: {
    title: 'Risks by category and level',
    text: 'By their current rating; of those that are not closed, the gravest first.',
    empty: 'There are no open risks.',
    category: 'Category',
    none: 'No current rating',
    cell: (count: number, category: string, level: string) =>
      `${counted(count, 'risk', 'risks')}: ${category}, ${level.toLowerCase()}`,
  },
  activity: {
    title: 'Recent activity',
    none: 'Nothing was done yet.',
    all: 'Audit log',
    /** Before how many of what. */
    many: {
      create: 'created',
      update: 'changed',
      archive: 'archived',
      unarchive: 'unarchived',
      delete: 'deleted',
      link: 'linked',
      unlink: 'unlinked',
    } satisfies Record<RecordActionVerb, string> as Readonly<Record<string, string | undefined>>,
    set: 'set',
    count: (counted: string, isMore: boolean) => `${isMore ? 'at least ' : ''}${counted}`,
    to: (state: string) => `to ${state}`,
  },
  firstSteps: {
    title: 'Begin here',
    text: 'The first steps, in any order.',
    viewer: 'Nothing is kept yet. Editors and admins add the first risks and controls.',
    done: (done: number, all: number) => `${countWord(done)} of ${countWord(all)} done`,
    isDone: 'Done:',
    hide: 'Hide first steps',
    hidden: 'They come back from the help.',
    steps: {
      risk: { title: 'Add a risk', text: 'What could go wrong, and who sees to it.' },
      people: { title: 'Invite people', text: 'Those who own risks, and those who look on.' },
      second_factor: { title: 'Add a second factor', text: 'A passkey or a code beside your password.' },
      api_key: { title: 'Make an API key', text: 'For the programs that read and write here.' },
      webhook: { title: 'Point a webhook', text: 'At the address that should hear of changes.' },
      mail: {
        title: 'Set up mail',
        text: 'Then invitations and lost passwords go by mail. Whoever runs the service sets SMTP_URL.',
      },
    },
  },
  starter: {
    title: 'Starter set',
    text: 'Twenty risks and thirty controls that most companies need, as a draft to make your own.',
    open: 'Add a starter set',
    remove: 'Remove the starter set',
    left: (untouched: number) =>
      untouched === 0
        ? 'All that is left of it was changed or linked: it is yours now.'
        : `${counted(untouched, 'record of it is', 'records of it are')} as they were added.`,
    dialog: 'Add a starter set',
    dialogText:
      'None is rated: how likely and how bad each is, you decide. All carry the label “starter”, and what you leave untouched can be removed again in one go.',
    risks: 'Risks',
    controls: 'Controls',
    isHere: 'Added already',
    add: (count: number) => `Add ${counted(count, 'record', 'records')}`,
    removal: 'Remove the starter set?',
    removalText: (untouched: number) =>
      `${counted(untouched, 'record that nobody has changed or linked is', 'records that nobody has changed or linked are')} deleted, and endpoints are told of each risk. What was changed or linked stays.`,
    stays: (references: readonly string[]) => `Changed or linked, and so it stays: ${references.join(', ')}.`,
  },
}

const RATINGS: Readonly<Record<string, string>> = {
  inherent: 'Inherent',
  current: 'Current',
  residual: 'Residual',
}

export const matrix = {
  title: 'Risk matrix',
  text: 'Open risks by likelihood and impact. A number opens the risks behind it.',
  textOfAll: 'Risks by likelihood and impact. A number opens the risks behind it.',
  rating: 'Rating',
  ratings: RATINGS,
  hints: {
    inherent: 'Before anything is done about them.',
    current: 'As they stand today.',
    residual: 'Once what is planned is done.',
  } as Readonly<Record<string, string>>,
  ratingTitle: (rating: string) => `${RATINGS[rating]} risk by likelihood and impact`,
  corner: (down: string) => `${down} ↓`,
  across: (across: string) => `${across} →`,
  cell: (count: number, across: string, down: string, level: string) =>
    `${countWord(count)} ${level.toLowerCase()} ${count === 1 ? 'risk' : 'risks'}, ${across.toLowerCase()} and ${down.toLowerCase()}`,
  unassessed: 'Not assessed',
  unassessedText: (rating: string) =>
    `No ${rating.toLowerCase()} likelihood or impact was chosen, so they stand nowhere in the matrix.`,
  levels: 'By level',
  level: (count: number, level: string) => `${counted(count, 'risk', 'risks')}: ${level}`,
  register: 'Risk register',
  settings: 'Change the levels',
  none: 'There are no open risks.',
}
