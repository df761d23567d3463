import { counted } from './counts.ts'
import { capital } from './records.ts'

/** What the page of one record says; the words of all records stand in records.ts. */
export const record = {
  edit: (title: string) => `Edit ${lower(title)}`,
  save: 'Save',
  saving: 'Saving',
  tabs: { details: 'Details', history: 'History', signals: 'Signals', owns: 'Owns' },
  tabsLabel: (reference: string) => `About ${reference}`,
  others: 'Also',
  derived: 'Calculated',
  about: 'Record',
  created: 'Created',
  updated: 'Last change',
  archived: 'Archived',
  status: (title: string, state: string) => `${title}: ${state}`,
  print: 'Print',
  more: 'More about this record',
  unsaved: {
    title: 'Leave what you typed?',
    text: 'It was not saved, and leaving loses it.',
    leave: 'Discard',
  },
  conflict: {
    title: (who: string) => `${who} changed this meanwhile`,
    theirs: 'Theirs, as it stands',
    mine: 'Yours, not saved',
    keepTheirs: 'Keep Theirs',
    useMine: 'Use Mine',
  },
  refused: 'Not saved',
  dismiss: 'Dismiss',
  deletion: {
    action: 'Delete',
    title: (reference: string) => `Delete ${reference}?`,
    text: (name: string) => `“${name}” goes for good, for everybody. What happened to it stays on record.`,
    told: 'Webhook endpoints that listen for it are told.',
    submit: (title: string) => `Delete ${title}`,
  },
  missing: {
    title: (one: string) => `There is no such ${one}`,
    text: 'The address may be mistyped, or it was deleted.',
    gone: (one: string) => `This ${one} was deleted`,
    goneText: 'What happened to it stays on record.',
    back: (many: string) => `Go to all ${many}`,
  },
  history: {
    title: 'History',
    actsFor: 'acting for',
    client: (name: string) => `by ${name}`,
    tool: (name: string) => `tool ${name}`,
    request: 'Request',
  },
  links: {
    title: (many: string) => capital(many),
    all: (count: number, { one, many }: { one: string; many: string }) =>
      `${counted(count, one, many)}, as a list`,
    add: (one: string) => `Link a ${one}`,
    addShort: 'Link',
    role: (reference: string, role: string) => `${role}: change the role of ${reference}`,
    by: (who: string) => `Linked by ${who}`,
    unlink: (one: string, reference: string) => `Unlink ${one} ${reference}`,
    ended: (reference: string) => `${reference} is unlinked.`,
    undo: 'Undo',
    none: {
      risk: { control: 'None yet. Here belong the controls that keep this risk small, now or soon.' },
      control: {
        risk: 'None yet. Here stand the risks that it keeps small; they are linked on their own pages.',
      },
    } as Readonly<Record<string, Readonly<Record<string, string>>>>,
    noneOf: (many: string) => `No ${many} are linked yet.`,
  },
  signals: {
    title: 'Signals sent',
    none: 'No signal has left for this record yet.',
    when: 'When',
    type: 'Signal',
    deliveries: 'Deliveries',
    noDeliveries: 'No endpoint listened',
    hidden: 'Admins see what became of them',
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    statuses: {
      pending: 'Under way',
      waiting_for_retry: 'Waits for a retry',
      delivered: 'Delivered',
      failed: 'Failed',
      not_sent: 'Not sent',
    } as Readonly<Record<string, string>>,
  },
  owns: {
    title: 'Owns',
    none: 'Owns nothing.',
    record: 'Record',
    kind: 'Kind',
    as: 'As',
  },
}

const lower = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1)
