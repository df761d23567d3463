import { type ATTESTATION_STATES, endedBecauseWords } from '../../model/attestation.ts'
import { counted, countWord } from './counts.ts'
import { namesOf } from './names.ts'

/** Whom a policy asks to acknowledge it, and within how many days. */
interface Asking {
  readonly isAsked: boolean
  readonly isRetired: boolean
  readonly audience: string | null
  readonly names: readonly string[]
  readonly days: number
}

/** What is said of who acknowledges a policy: its audience, the round of those who are asked, the certificate. */
export const acknowledgement = {
  audience: {
    title: 'Acknowledgement',
    /** @param names of departments, or labels */
    told: ({ isAsked, isRetired, audience, names, days }: Asking) => {
      if (isRetired) return 'The policy is retired, so nobody is asked to acknowledge it.'
      const who = audience && whom[audience]?.(names)
      return isAsked && who
        ? `It asks ${who} to acknowledge it, within ${counted(days, 'day', 'days')}.`
        : `Nobody is asked to acknowledge it.${who ? ` It is for ${who}.` : ''}`
    },
    setUp: 'Set up acknowledgement',
    change: 'Change',
    form: {
      title: 'Who acknowledges it',
      text: 'Whoever publishes a version asks these people. Those who are to be asked about the version in force hear of it within a minute.',
      submit: 'Save',
    },
    /** What may be chosen, each with how many people. */
    choose: { departments: 'Departments of the directory', groups: 'Labels of people in the directory' },
    choice: (name: string, people: number) => `${name} (${countWord(people)})`,
    noneThere: {
      departments: 'Nobody in the directory has a department yet: say theirs under “People” first.',
      groups: 'Nobody in the directory has a label yet: give them labels under “People” first.',
    },
    nobody: {
      departments: (names: readonly string[]) => `Nobody is in ${quotedNames(names)}`,
      groups: (names: readonly string[]) => `Nobody has the label ${quotedNames(names)}`,
    },
    mistyped: 'By that name nobody is asked. Choose one that there is.',
  },
  round: {
    title: 'Acknowledgement',
    notYet: 'Its audience is asked as soon as a version is published.',
    empty: 'Nobody is asked to acknowledge the version in force: nobody is in its audience.',
    noneInForce:
      'No version is in force, so nobody is asked. Whoever acknowledged an earlier one stays in the list.',
    /** Of a version with its corrections, the latest first; whose request ended counts of one that is in force no more. */
    counts: (
      {
        acknowledged,
        requested,
        viewed,
        cancelled,
      }: Readonly<Record<(typeof ATTESTATION_STATES)[number], number>>,
      { labels: [latest = '', ...corrected], isInForce }: { labels: readonly string[]; isInForce: boolean },
    ) => {
      const asked = acknowledged + requested + viewed + (isInForce ? 0 : cancelled)
      const which = isInForce ? 'the version in force' : `version ${latest}`
      const or = corrected.length > 0 ? `, or ${corrected.join(' or ')}, which it corrects` : ''
      return `${countWord(acknowledged)} of ${countWord(asked)} acknowledged ${which}${or}`
    },
    late: (count: number) => `${countWord(count)} late`,
    exempted: (count: number) => `${countWord(count)} exempt`,
    show: 'Show',
    search: 'Search people',
    noMatch: 'Nobody matches.',
    shown: { late: 'Late', open: 'Open', acknowledged: 'Acknowledged', all: 'All', ended: 'Ended' },
    none: {
      late: 'Nobody is late.',
      open: 'Nothing is open.',
      acknowledged: 'Nobody has yet.',
      all: 'Nothing is asked of anybody.',
      ended: 'No request ended.',
    },
    version: 'Version',
    ofVersion: ([latest = '', ...before]: readonly string[], isInForce: boolean) =>
      `${latest}${before.length > 0 ? `, with ${before.join(' and ')}` : ''}${isInForce ? ' (in force)' : ''}`,
    allVersions: 'All versions',
    remind: 'Remind',
    reminding: {
      title: (count: number) => (count === 1 ? 'Remind 1 person?' : `Remind ${countWord(count)} people?`),
      text: 'Everyone who has not acknowledged it yet is notified now, by email where they have no account. People who were notified within the last hour are left out.',
      verb: 'Send reminders',
    },
    remindOne: (name: string) => `Remind ${name}`,
    toHandOver: (count: number) =>
      `The service sends no mail: hand ${countWord(count)} ${count === 1 ? 'link' : 'links'} over, under “Guest links” below.`,
    reminded: (count: number) =>
      `${countWord(count)} ${count === 1 ? 'person has' : 'people have'} been reminded.`,
    noneOpen: 'Nothing is open any more, so nobody was reminded.',
    skipped: (count: number) =>
      `${countWord(count)} ${count === 1 ? 'was' : 'were'} notified within the last hour, and ${count === 1 ? 'is' : 'are'} not reminded again yet.`,
    /** Whose last mail came back; the first few are named. */
    returned: (names: readonly string[]) =>
      `The last mail to ${namesOf(names)} came back, so another is tried. Look here again in two minutes: if it comes back as well, set their address right in the directory, or tell them yourself.`,
    columns: {
      person: 'Person',
      status: 'Status',
      version: 'Version',
      due: 'Due',
      last: 'Latest',
      acts: 'What to do',
    },
    states: {
      requested: 'Asked',
      viewed: 'Opened',
      acknowledged: 'Acknowledged',
      exempt: 'Exempt',
      cancelled: 'Ended',
    },
    links: { revoked: 'Link revoked', expired: 'Link expired', ended: 'Link ended' },
    endedBecause: endedBecauseWords,
    isLate: 'late',
    byLink: 'by link',
    hidden: 'Somebody of the directory',
    /** What happened last; the time follows. */
    latest: { requested: 'Asked', viewed: 'Opened', acknowledged: 'Acknowledged' },
    told: (count: number) => (count === 1 ? 'Notified' : `Notified ${countWord(count)} times, last`),
    exempt: 'Exempt',
    exemptOne: (name: string) => `Exempt ${name}`,
    exempting: {
      title: 'Exempt from acknowledging',
      text: 'They no longer have to acknowledge this version. The reason is kept in the log.',
      submit: 'Exempt',
      reason: 'Reason',
    },
  },
  certificate: {
    title: 'Certificate',
    formats: {
      pdf: 'As PDF, to be handed over',
      json: 'As JSON, with all hashes',
      csv: 'As CSV, the lines alone',
    },
  },
  /** What ends with a policy. */
  retiring: (open: number) =>
    open === 0
      ? 'Nobody has yet to acknowledge it.'
      : `${counted(open, 'person', 'people')} who ${open === 1 ? 'has' : 'have'} yet to acknowledge it ${open === 1 ? 'is' : 'are'} not asked any more, and the links of those who do not sign in end. What was acknowledged stays.`,
}

const whom: Readonly<Record<string, (names: readonly string[]) => string>> = {
  everyone: () => 'everybody in the directory',
  departments: (names) => `the ${names.length === 1 ? 'department' : 'departments'} ${namesOf(names)}`,
  groups: (names) => `whoever has the ${names.length === 1 ? 'label' : 'labels'} ${namesOf(names)}`,
}

const quotedNames = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(' or ')
