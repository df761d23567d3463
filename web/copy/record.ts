import { capital } from '../../model/capital.ts'
import type { Noun } from '../../model/kind.ts'
import { withArticle } from '../../model/roles.ts'
import { counted } from './counts.ts'
import { deliveries } from './deliveries.ts'
import { lower } from './records.ts'

/** Nothing is counted of what was sent by hand to an endpoint that is off. */
const isSent = (status: string): boolean => status === 'delivered' || status === 'failed'

/** What the page of one record says; the words of all records stand in records.ts. */
export const record = {
  edit: (title: string) => `Edit ${lower(title)}`,
  save: 'Save',
  saving: 'Saving',
  tabs: {
    details: 'Details',
    round: 'Acknowledgement',
    comments: 'Comments',
    log: 'Log',
    history: 'History',
    signals: 'Signals',
    owns: 'Named in',
    askedToRead: 'Policies',
  },
  tabsLabel: (reference: string) => `About ${reference}`,
  add: 'Add details',
  derived: 'Calculated',
  about: 'Record',
  created: 'Created',
  updated: 'Last change',
  archived: 'Archived',
  /** How often the record was saved; what is called its version by programs is often another number to people. */
  saves: 'Record version',
  status: (title: string, state: string) => `${title}: ${state}`,
  print: 'Print',
  more: 'More about this record',
  unsaved: {
    title: 'Discard unsaved changes?',
    text: 'What you typed was not saved and will be lost.',
    leave: 'Discard',
  },
  conflict: {
    title: (who: string) => `${who} changed this in the meantime`,
    theirs: 'Their value, saved',
    mine: 'Your value, not saved',
    keepTheirs: 'Keep theirs',
    useMine: 'Use mine',
  },
  refused: 'Not saved',
  dismiss: 'Dismiss',
  archiving: {
    archive: 'Archive',
    unarchive: 'Unarchive',
    archived: (who: string | null) => (who === null ? 'Archived' : `Archived by ${who}`),
    means: 'It is left out of lists and counts, and takes no change until it is unarchived.',
  },
  deletion: {
    action: 'Delete',
    title: (reference: string) => `Delete ${reference}?`,
    text: (name: string) =>
      `“${name}” is deleted permanently, for everybody. Its history stays in the audit log.`,
    goes: 'Deleted with it:',
    unlinks: 'Unlinked from it:',
    keeps: 'Change these first, which keep it from being deleted:',
    told: 'Webhook endpoints that subscribe to its deletion are notified.',
    submit: ({ one }: Noun) => `Delete ${one}`,
    unlinked: ({ one }: Noun) => `Unlink all and delete ${one}`,
  },
  children: {
    asList: 'Open as a list',
    done: (many: string) => `All ${many} are done. What was expected of the last can now be set:`,
    set: (changes: readonly string[]) => `Set ${changes.join(' and ')}`,
    change: (title: string, value: string) => `${lower(title)} to ${value}`,
    none: (many: string, reference: string, isMass: boolean) =>
      `There ${isMass ? 'is' : 'are'} no ${many} of ${reference} yet.`,
  },
  missing: {
    title: (one: string) => `There is no such ${one}`,
    text: 'The address may be mistyped, or it was deleted.',
    gone: (one: string) => `This ${one} was deleted`,
    goneText: 'Its history stays in the audit log.',
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
    add: (noun: Noun) => `Link ${withArticle(noun)}`,
    addShort: 'Link',
    role: (reference: string, title: string, value: string) =>
      `${value}: change the ${lower(title)} of ${reference}`,
    edit: (reference: string) => `Edit the link with ${reference}`,
    by: (who: string) => `Linked by ${who}`,
    unlink: (one: string, reference: string) => `Unlink ${one} ${reference}`,
    addNew: 'Add',
    ended: (reference: string) => `${reference} is unlinked.`,
    undo: 'Undo',
    none: {
      risk: { control: 'None yet. Link the controls that reduce this risk, existing or planned.' },
      control: {
        risk: 'None yet. Risks that this control reduces are linked on the page of the risk.',
        evidence: 'None yet. Link what shows this control to work, or add it, also as a request.',
      },
      evidence: { control: 'None yet. Link the controls that this shows to work.' },
      asset: {
        parent: 'None yet. Link what this asset runs on or belongs to.',
        control: 'None yet. Link the controls that protect this asset.',
      },
    } as Readonly<Record<string, Readonly<Record<string, string>>>>,
    /** Of links that are made and ended at the other end. */
    elsewhere: (one: string, isMass: boolean) =>
      `Link and unlink ${isMass ? 'it' : 'them'} on the page of the ${one}.`,
    noneOf: (many: string, isMass: boolean) => `No ${many} ${isMass ? 'is' : 'are'} linked yet.`,
    branch: (many: string, reference: string) => `${capital(many)} of ${reference}`,
    noneBelow: (many: string) => `No ${many}.`,
  },
  signals: {
    title: 'Signals sent',
    none: 'No signals for this record yet.',
    when: 'When',
    type: 'Signal',
    deliveries: 'Deliveries',
    noDeliveries: 'No endpoint subscribed',
    off: (count: number) =>
      count === 1
        ? 'Endpoint was off: not sent'
        : `${counted(count, 'endpoint was', 'endpoints were')} off: not sent`,
    hidden: 'Only admins see the deliveries',
    attempts: (count: number, status: string) =>
      count > 0 ? counted(count, 'attempt', 'attempts') : isSent(status) ? deliveries.byHand : '',
    statuses: deliveries.statuses as Readonly<Record<string, string>>,
  },
  askedToRead: {
    title: 'Policies to acknowledge',
    none: 'They have not been asked to acknowledge any policy.',
    policy: 'Policy',
    said: 'Acknowledged',
  },
  owns: {
    title: 'Named in',
    none: 'They are not named in any record, as its owner or otherwise.',
    record: 'Record',
    kind: 'Kind',
    as: 'Role',
    state: 'Status',
    date: 'Next date',
  },
}
