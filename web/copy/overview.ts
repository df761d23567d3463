import type { RecordActionVerb } from '../../model/audit-actions.ts'
import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'

export const overview = {
  title: 'Overview',
  text: 'Your work today, and the state of your program.',
  mine: {
    title: 'Your tasks',
    text: 'Approvals, reading and work due this week.',
    none: 'You’re all caught up.',
    version: (version: string) => `Version ${version}`,
    figure: {
      toRead: () => 'to read',
      waiting: () => 'to decide',
      late: () => 'late',
      thisWeek: () => 'due this week',
    },
  },
  everybody: {
    title: 'Needs attention',
    text: 'Overdue, due soon and unassigned items.',
    none: 'Nothing is overdue, due soon or unassigned.',
    kind: 'Register',
    overdue: 'Overdue',
    soon: 'Due in 7 days',
    ownerless: 'Unassigned',
    asking: 'Flagged',
    asks: (count: number, what: string, flag: string) => `${countWord(count)} ${what}: ${lower(flag)}`,
  },
  levels: {
    title: 'Risks by level',
    text: 'Open risks by current rating.',
    none: 'No current rating',
    matrix: 'Risk matrix',
  },
  statuses: {
    title: 'Controls by status',
    among: (count: number, flag: string) => `${countWord(count)} ${lower(flag)}`,
  },
  webhooks: {
    title: 'Webhooks',
    none: 'No webhook endpoints yet.',
    add: 'Add endpoint',
    all: 'All endpoints',
    well: (count: number) =>
      count === 1
        ? 'The endpoint is on and its last delivery succeeded.'
        : `All ${countWord(count)} endpoints are on and their last deliveries succeeded.`,
    some: (troubled: number, all: number) => `${countWord(troubled)} of ${countWord(all)} need attention.`,
    off: 'Off',
    failing: 'Failing',
    offByFailures: 'Off after ten failures in a row',
    turnedOff: 'Turned off',
    failures: (count: number) => counted(count, 'failure in a row', 'failures in a row'),
  },
  overdue: {
    title: 'Overdue',
    text: 'All owners, longest overdue first.',
    figure: (what: string) => `${what} overdue`,
    longest: 'Overdue the longest',
  },
  trend: {
    title: 'Risks opened and closed',
    text: 'Last 12 months, by current level.',
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
    text: 'Open risks by current rating, highest first.',
    empty: 'There are no open risks.',
    category: 'Category',
    none: 'No current rating',
    cell: (count: number, category: string, level: string) =>
      `${counted(count, 'risk', 'risks')}: ${category}, ${level.toLowerCase()}`,
  },
  activity: {
    title: 'Recent activity',
    none: 'No activity yet.',
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
    title: 'Get started',
    text: 'In any order.',
    viewer: 'No records yet. Editors and admins add the first risks and controls.',
    done: (done: number, all: number) => `${countWord(done)} of ${countWord(all)} done`,
    isDone: 'Done:',
    hide: 'Hide first steps',
    hidden: 'Show them again from the help page.',
    steps: {
      risk: { title: 'Add a risk', text: 'Record what could go wrong and who is responsible.' },
      people: { title: 'Invite people', text: 'Invite risk owners and read-only users.' },
      second_factor: {
        title: 'Add a second factor',
        text: 'Protect your account with a passkey or authenticator app.',
      },
      api_key: { title: 'Create an API key', text: 'Connect your other tools.' },
      webhook: { title: 'Add a webhook', text: 'Send changes to another system.' },
      mail: {
        title: 'Set up mail',
        text: 'Send invitations and password resets by email. Set SMTP_URL on the server.',
      },
    },
  },
  // The texts of its dialogs are in copy/starter-set.ts.
  starter: {
    title: 'Starter set',
    text: 'Twenty risks and thirty controls that most companies need, as a draft to adapt.',
    open: 'Add a starter set',
    remove: 'Remove the starter set',
    left: (untouched: number) =>
      untouched === 0
        ? 'All remaining records were changed or linked.'
        : `${counted(untouched, 'record is', 'records are')} unchanged.`,
    stays: (references: readonly string[]) => `Changed or linked, so not deleted: ${references.join(', ')}.`,
  },
}
